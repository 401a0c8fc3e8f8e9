//! The one model of a table. As text it is Markdown whose columns align in a terminal; the other
//! formats are in [`formats`](crate::formats).

use std::fmt;

/// A table: columns with a heading, rows of cells.
///
/// ```
/// use report::table::{Align, Table};
/// let mut table = Table::new(&[("Backend", Align::Left), ("Mean", Align::Right)]);
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
    identifying: usize,
}

/// A column of a table.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Column {
    /// The heading that people read.
    pub name: String,
    /// The name that programs read, with its unit; the heading where there is none.
    pub key: String,
    /// On which side the text stands.
    pub align: Align,
    /// When the column may be left out where there is no room: the highest goes first, 0 never.
    pub spare: u8,
    /// Whether programs alone get it: people read the same elsewhere in the row.
    pub hidden: bool,
}

/// On which side a column's text stands.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Align {
    /// Left, for names.
    Left,
    /// Right, for numbers.
    Right,
}

/// What stands in a row under a column: a text for people, and where it is a number the number for
/// programs, unrounded.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct Cell {
    /// The text.
    pub text: String,
    /// The number, in the unit that the column's key names.
    pub number: Option<f64>,
}

impl Cell {
    /// A number and how people read it.
    #[must_use]
    pub fn number(text: impl Into<String>, number: f64) -> Self {
        Self { text: text.into(), number: Some(number) }
    }

    /// Something that is not there.
    #[must_use]
    pub fn absent() -> Self {
        Self::from(ABSENT)
    }

    /// Whether there is nothing: programs get no text that stands for it.
    #[must_use]
    pub fn is_absent(&self) -> bool {
        self.number.is_none() && (self.text.is_empty() || self.text == ABSENT)
    }

    /// The text without Markdown's emphasis and code marks, for formats that have none.
    #[must_use]
    pub fn plain(&self) -> String {
        plain(&self.text)
    }
}

/// What stands for a number that is not there.
const ABSENT: &str = "-";

impl From<String> for Cell {
    fn from(text: String) -> Self {
        Self { text, number: None }
    }
}

impl From<&str> for Cell {
    fn from(text: &str) -> Self {
        Self::from(text.to_owned())
    }
}

impl Table {
    /// A table without rows, whose first column names a row.
    #[must_use]
    pub fn new(columns: &[(&str, Align)]) -> Self {
        let column = |&(name, align): &(&str, Align)| {
            let name = name.to_owned();
            Column { key: name.clone(), name, align, spare: 0, hidden: false }
        };
        Self {
            columns: columns.iter().map(column).collect(),
            rows: Vec::new(),
            identifying: 1.min(columns.len()),
        }
    }

    /// The same with its first `count` columns together naming a row: they stay with every part of a
    /// table that is cut in parts.
    #[must_use]
    pub fn identified_by(mut self, count: usize) -> Self {
        self.identifying = count.min(self.columns.len());
        self
    }

    /// The same with `keys` as the names that programs read, one for each column.
    ///
    /// # Panics
    /// If there are more or fewer keys than columns.
    #[must_use]
    pub fn keyed(mut self, keys: &[&str]) -> Self {
        assert_eq!(keys.len(), self.columns.len(), "one key for each column: {keys:?}");
        for (column, key) in self.columns.iter_mut().zip(keys) {
            (*key).clone_into(&mut column.key);
        }
        self
    }

    /// The same with columns that may be left out where there is no room, the first of `names`
    /// first. Names of no column are ignored.
    #[must_use]
    pub fn sparing(mut self, names: &[&str]) -> Self {
        for column in &mut self.columns {
            let place = names.iter().position(|name| *name == column.name);
            let spare = place.map_or(0, |place| names.len() - place);
            column.spare = u8::try_from(spare).unwrap_or(u8::MAX);
        }
        self
    }

    /// The same with the columns of these keys for programs alone.
    #[must_use]
    pub fn hiding(mut self, keys: &[&str]) -> Self {
        for column in &mut self.columns {
            column.hidden = keys.contains(&column.key.as_str());
        }
        self
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

    /// How many of the first columns together name a row.
    #[must_use]
    pub const fn identifying(&self) -> usize {
        self.identifying
    }
}

/// What would end a cell or a row of Markdown must not.
fn escape(text: &str) -> String {
    text.replace('|', "\\|").replace(['\n', '\r'], " ")
}

/// `text` without Markdown's marks for strong text and code.
#[must_use]
pub fn plain(text: &str) -> String {
    text.replace("**", "").replace('`', "")
}

impl fmt::Display for Table {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let is_shown =
            |(column, cell): (&Column, &Cell)| (!column.hidden).then(|| escape(&cell.text));
        let shown = |row: &Vec<Cell>| self.columns.iter().zip(row).filter_map(is_shown).collect();
        let rows: Vec<Vec<String>> = self.rows.iter().map(shown).collect();
        let columns: Vec<&Column> = self.columns.iter().filter(|column| !column.hidden).collect();
        let width = |text: &str| text.chars().count();
        let widest = |(index, column): (usize, &&Column)| {
            let cells = rows.iter().map(|row| width(&row[index]));
            // Three dashes make a rule also where a column is narrower.
            cells.max().unwrap_or(0).max(width(&column.name)).max(3)
        };
        let widths: Vec<usize> = columns.iter().enumerate().map(widest).collect();
        let line = |f: &mut fmt::Formatter<'_>, cells: &mut dyn Iterator<Item = &String>| {
            for ((cell, width), Column { align, .. }) in cells.zip(&widths).zip(&columns) {
                match align {
                    Align::Left => write!(f, "| {cell:<width$} ")?,
                    Align::Right => write!(f, "| {cell:>width$} ")?,
                }
            }
            writeln!(f, "|")
        };
        line(f, &mut columns.iter().map(|column| &column.name))?;
        for (Column { align, .. }, width) in columns.iter().zip(&widths) {
            match align {
                Align::Left => write!(f, "|{}", "-".repeat(width + 2))?,
                Align::Right => write!(f, "|{}:", "-".repeat(width + 1))?,
            }
        }
        writeln!(f, "|")?;
        rows.iter().try_for_each(|row| line(f, &mut row.iter()))
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
            let mut table =
                Table::new(&[("A", Align::Left), ("Long name", Align::Right), ("C", Align::Left)]);
            for row in &rows {
                table.row(row.clone());
            }
            let text = table.to_string();
            prop_assert_eq!(text.lines().count(), rows.len() + 2);
            let width = text.lines().next().unwrap().chars().count();
            for line in text.lines() {
                prop_assert_eq!(line.chars().count(), width);
                let bars = line.replace("\\|", "").matches('|').count();
                prop_assert_eq!(bars, 4, "{}", line);
            }
        }
    }

    #[test]
    fn what_is_for_programs_is_not_shown() {
        let columns = [("A", Align::Left), ("Hidden", Align::Left), ("B", Align::Right)];
        let mut table = Table::new(&columns).keyed(&["a", "h", "b"]).hiding(&["h"]);
        table.row(["x", "y", "z"]);
        assert_eq!(table.to_string(), "| A   |   B |\n|-----|----:|\n| x   |   z |\n");
    }

    #[test]
    fn missing_cells_stay_empty() {
        let mut table = Table::new(&[("A", Align::Left), ("B", Align::Left)]);
        table.row(["x"]);
        assert_eq!(table.to_string().lines().last(), Some("| x   |     |"));
    }
}
