//! The one model of what is shown: tables, sections that say what a table shows, listings of sections.
//! As text each is Markdown; the other formats are in [`formats`](crate::formats).

use std::fmt;

use write_backend::{Axis, Value, Values};

use crate::units;

/// A table: columns with a heading, rows of cells.
///
/// ```
/// use report::table::{Column, Table};
/// let mut table = Table::new([Column::left("Backend"), Column::right("Mean")]);
/// table.row(["heed", "1.234 μs"]);
/// assert_eq!(
///     table.to_string(),
///     "| Backend |     Mean |\n|---------|---------:|\n| heed    | 1.234 μs |\n"
/// );
/// ```
#[derive(Debug, Clone, PartialEq)]
pub struct Table {
    columns: Vec<Column>,
    rows: Vec<Vec<Cell>>,
}

/// A column of a table.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Column {
    /// The heading that people read.
    pub heading: String,
    /// The names of the fields that programs read: of an interval its two ends.
    pub keys: Vec<String>,
    /// Whether its texts are numbers, which stand at the right side.
    is_number: bool,
}

impl Column {
    fn new(heading: impl Into<String>, is_number: bool) -> Self {
        let heading = heading.into();
        let keys = vec![heading.to_lowercase().replace(' ', "_")];
        Self { heading, keys, is_number }
    }

    /// A column of names.
    #[must_use]
    pub fn left(heading: impl Into<String>) -> Self {
        Self::new(heading, false)
    }

    /// A column of numbers.
    #[must_use]
    pub fn right(heading: impl Into<String>) -> Self {
        Self::new(heading, true)
    }

    /// The column of an axis.
    #[must_use]
    pub fn axis(axis: &Axis) -> Self {
        let is_number = matches!(axis.values, Values::Numbers { .. });
        Self::new(axis.heading, is_number).keys(&[axis.key])
    }

    /// The same with other names for programs.
    #[must_use]
    pub fn keys(mut self, keys: &[&str]) -> Self {
        self.keys = keys.iter().map(|key| (*key).to_owned()).collect();
        self
    }
}

/// What stands in a row under a column: a text for people, and for programs a value for each key of the
/// column.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct Cell {
    /// The text.
    pub text: String,
    /// The values; none where the text is the value.
    values: Vec<Field>,
}

/// A value that a program reads.
#[derive(Debug, Clone, PartialEq)]
pub enum Field {
    /// A number, unrounded, in the unit that its key names.
    Number(f64),
    /// A text.
    Text(String),
    /// Nothing.
    Absent,
}

impl Cell {
    /// A number and how people read it.
    #[must_use]
    pub fn number(text: impl Into<String>, number: f64) -> Self {
        Self::fields(text, [Field::Number(number)])
    }

    /// A number that may be missing.
    #[must_use]
    pub fn optional(number: Option<f64>, text: impl Fn(f64) -> String) -> Self {
        number.map_or_else(Self::absent, |number| Self::number(text(number), number))
    }

    /// An interval of ratios.
    #[must_use]
    pub fn interval(low: f64, high: f64) -> Self {
        Self::fields(units::interval(low, high), [low, high].map(Field::Number))
    }

    /// A text for people, and what programs read instead.
    #[must_use]
    pub fn fields(text: impl Into<String>, values: impl IntoIterator<Item = Field>) -> Self {
        Self { text: text.into(), values: values.into_iter().collect() }
    }

    /// Something that is not there.
    #[must_use]
    pub fn absent() -> Self {
        Self::from(units::ABSENT)
    }

    /// What programs read under the key in place `index` of the column.
    #[must_use]
    pub fn field(&self, index: usize) -> Field {
        match self.values.get(index) {
            Some(value) => value.clone(),
            None if index > 0 || self.text.is_empty() || self.text == units::ABSENT => {
                Field::Absent
            }
            None => Field::Text(plain(&self.text)),
        }
    }
}

impl From<String> for Cell {
    fn from(text: String) -> Self {
        Self { text, values: Vec::new() }
    }
}

impl From<&str> for Cell {
    fn from(text: &str) -> Self {
        Self::from(text.to_owned())
    }
}

impl From<Value> for Cell {
    fn from(value: Value) -> Self {
        match value {
            Value::Number(number) => Self::number(number.to_string(), number as f64),
            Value::Name(name) => Self::from(name),
        }
    }
}

impl Table {
    /// A table without rows.
    #[must_use]
    pub fn new(columns: impl IntoIterator<Item = Column>) -> Self {
        Self { columns: columns.into_iter().collect(), rows: Vec::new() }
    }

    /// Adds a row; cells that are missing stay empty.
    ///
    /// # Panics
    /// If there are more cells than columns.
    pub fn row<C: Into<Cell>>(&mut self, cells: impl IntoIterator<Item = C>) {
        let mut cells: Vec<Cell> = cells.into_iter().map(Into::into).collect();
        assert!(cells.len() <= self.columns.len(), "more cells than columns: {cells:?}");
        cells.resize(self.columns.len(), Cell::default());
        self.rows.push(cells);
    }

    /// Whether there are no rows.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.rows.is_empty()
    }

    /// The columns from the left.
    #[must_use]
    pub fn columns(&self) -> &[Column] {
        &self.columns
    }

    /// The rows from the top; each has one cell for each column.
    #[must_use]
    pub fn rows(&self) -> &[Vec<Cell>] {
        &self.rows
    }

    /// The fields of each row by their keys.
    pub fn records(&self) -> impl Iterator<Item = Vec<(&str, Field)>> {
        self.rows.iter().map(|row| {
            let fields = self.columns.iter().zip(row).flat_map(|(column, cell)| {
                column.keys.iter().enumerate().map(|(index, key)| (key.as_str(), cell.field(index)))
            });
            fields.collect()
        })
    }
}

/// The text of a cell that ends neither the cell nor the row.
fn escaped(cell: &Cell) -> String {
    cell.text.replace('|', "\\|").replace(['\n', '\r'], " ")
}

/// `text` without Markdown's marks for strong text and code.
#[must_use]
pub fn plain(text: &str) -> String {
    text.replace("**", "").replace('`', "")
}

impl fmt::Display for Table {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        // Three dashes make a rule also where a column is narrower.
        let width = |(index, column): (usize, &Column)| {
            let cells = self.rows.iter().map(|row| escaped(&row[index]));
            let texts = cells.chain([column.heading.clone()]);
            texts.map(|text| text.chars().count()).max().unwrap_or_default().max(3)
        };
        let widths: Vec<usize> = self.columns.iter().enumerate().map(width).collect();
        let columns: Vec<(&Column, usize)> = self.columns.iter().zip(widths).collect();
        let line = |f: &mut fmt::Formatter<'_>, cells: Vec<String>| {
            for (cell, (column, width)) in cells.iter().zip(&columns) {
                if column.is_number {
                    write!(f, "| {cell:>width$} ")?;
                } else {
                    write!(f, "| {cell:<width$} ")?;
                }
            }
            writeln!(f, "|")
        };
        line(f, self.columns.iter().map(|column| column.heading.clone()).collect())?;
        for (column, width) in &columns {
            let end = if column.is_number { ":" } else { "-" };
            write!(f, "|{}{end}", "-".repeat(width + 1))?;
        }
        writeln!(f, "|")?;
        for row in &self.rows {
            line(f, row.iter().map(escaped).collect())?;
        }
        Ok(())
    }
}

/// A table with its title and what a reader must know about it.
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
        f.write_str(&bullets(&self.notes))
    }
}

/// Sections as Markdown, with an empty line after each.
#[must_use]
pub fn markdown(sections: &[Section]) -> String {
    sections.iter().flat_map(|section| [section.to_string(), "\n".to_owned()]).collect()
}

/// Lines as a list in Markdown.
#[must_use]
pub fn bullets(lines: &[impl fmt::Display]) -> String {
    lines.iter().map(|line| format!("- {line}\n")).collect::<Vec<_>>().concat()
}

/// What a command shows: lines that a reader must know first, then tables.
#[derive(Debug, Clone, PartialEq)]
pub struct Listing {
    /// What it is.
    pub title: String,
    /// What must be known before a number is believed, one line each.
    pub lines: Vec<String>,
    /// The tables.
    pub sections: Vec<Section>,
}

impl fmt::Display for Listing {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "## {}\n\n{}", self.title, bullets(&self.lines))?;
        self.sections.iter().try_for_each(|section| write!(f, "\n{section}"))
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    proptest! {
        #[test]
        fn every_line_has_the_same_width_and_bars(
            rows in prop::collection::vec(prop::collection::vec("[^\\p{C}\\p{M}]{0,12}", 3), 0..6),
        ) {
            let columns = [Column::left("A"), Column::right("Long name"), Column::left("C")];
            let mut table = Table::new(columns);
            for row in &rows {
                table.row(row.clone());
            }
            let text = table.to_string();
            prop_assert_eq!(text.lines().count(), rows.len() + 2);
            let width = text.lines().next().map_or(0, |line| line.chars().count());
            for line in text.lines() {
                prop_assert_eq!(line.chars().count(), width);
                prop_assert_eq!(line.replace("\\|", "").matches('|').count(), 4);
            }
        }
    }
}
