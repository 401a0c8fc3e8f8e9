//! A table with its title and what a reader must know about it.

use std::fmt;

use crate::table::Table;

/// A part of what is shown: as text it is Markdown with a heading of the third level.
#[derive(Debug, Clone, PartialEq)]
pub struct Section {
    /// The heading.
    pub title: String,
    /// What the table shows, one paragraph; may be empty.
    pub about: String,
    /// The table.
    pub table: Table,
    /// What stands below it, one line each.
    pub notes: Vec<String>,
}

impl Section {
    /// A section without notes.
    #[must_use]
    pub fn new(title: impl Into<String>, about: impl Into<String>, table: Table) -> Self {
        Self { title: title.into(), about: about.into(), table, notes: Vec::new() }
    }
}

impl fmt::Display for Section {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "### {}\n\n", self.title)?;
        if !self.about.is_empty() {
            write!(f, "{}\n\n", self.about)?;
        }
        write!(f, "{}", self.table)?;
        if !self.notes.is_empty() {
            writeln!(f)?;
        }
        for note in &self.notes {
            writeln!(f, "- {note}")?;
        }
        Ok(())
    }
}
