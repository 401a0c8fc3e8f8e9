//! What a command shows, whatever the format.

use std::fmt;

use crate::section::Section;

/// Lines that a reader must know first, then tables. As text it is Markdown.
#[derive(Debug, Clone, PartialEq)]
pub struct Listing {
    /// What it is.
    pub title: String,
    /// What must be known before a number is believed, one line each.
    pub lines: Vec<String>,
    /// The tables.
    pub sections: Vec<Section>,
}

impl Listing {
    /// A listing without sections.
    #[must_use]
    pub fn new(title: impl Into<String>, lines: Vec<String>) -> Self {
        Self { title: title.into(), lines, sections: Vec::new() }
    }
}

impl fmt::Display for Listing {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "## {}\n\n", self.title)?;
        for line in &self.lines {
            writeln!(f, "- {line}")?;
        }
        for (index, section) in self.sections.iter().enumerate() {
            if index > 0 || !self.lines.is_empty() {
                writeln!(f)?;
            }
            write!(f, "{section}")?;
        }
        Ok(())
    }
}
