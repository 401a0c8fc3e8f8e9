//! A table as Markdown whose columns align in a terminal.

use std::fmt;

/// A table: columns with a heading, rows of text.
///
/// ```
/// use harness::report::table::{Align, Table};
/// let mut table = Table::new(&[("Backend", Align::Left), ("Mean", Align::Right)]);
/// table.row(["heed", "1.234 μs"]);
/// assert_eq!(
///     table.to_string(),
///     "| Backend |     Mean |\n|---------|---------:|\n| heed    | 1.234 μs |\n"
/// );
/// ```
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Table {
    columns: Vec<(String, Align)>,
    rows: Vec<Vec<String>>,
}

/// On which side a column's text stands.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Align {
    /// Left, for names.
    Left,
    /// Right, for numbers.
    Right,
}

impl Table {
    /// A table without rows.
    #[must_use]
    pub fn new(columns: &[(&str, Align)]) -> Self {
        let columns = columns.iter().map(|(name, align)| ((*name).to_owned(), *align)).collect();
        Self { columns, rows: Vec::new() }
    }

    /// Adds a row; cells that are missing stay empty.
    ///
    /// # Panics
    /// If there are more cells than columns.
    pub fn row<C: Into<String>>(&mut self, cells: impl IntoIterator<Item = C>) {
        let mut cells: Vec<String> = cells.into_iter().map(|cell| escape(&cell.into())).collect();
        assert!(cells.len() <= self.columns.len(), "more cells than columns: {cells:?}");
        cells.resize(self.columns.len(), String::new());
        self.rows.push(cells);
    }

    /// Whether there are no rows.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.rows.is_empty()
    }

    fn widths(&self) -> Vec<usize> {
        let width = |text: &str| text.chars().count();
        let widest = |index: usize| {
            let cells = self.rows.iter().map(|row| width(&row[index]));
            // Three dashes make a rule also where a column is narrower.
            cells.max().unwrap_or(0).max(width(&self.columns[index].0)).max(3)
        };
        (0..self.columns.len()).map(widest).collect()
    }
}

/// What would end a cell or a row must not.
fn escape(text: &str) -> String {
    text.replace('|', "\\|").replace(['\n', '\r'], " ")
}

impl fmt::Display for Table {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let widths = self.widths();
        let line = |f: &mut fmt::Formatter<'_>, cells: &mut dyn Iterator<Item = &String>| {
            for ((cell, width), (_, align)) in cells.zip(&widths).zip(&self.columns) {
                match align {
                    Align::Left => write!(f, "| {cell:<width$} ")?,
                    Align::Right => write!(f, "| {cell:>width$} ")?,
                }
            }
            writeln!(f, "|")
        };
        line(f, &mut self.columns.iter().map(|(name, _)| name))?;
        for ((_, align), width) in self.columns.iter().zip(&widths) {
            match align {
                Align::Left => write!(f, "|{}", "-".repeat(width + 2))?,
                Align::Right => write!(f, "|{}:", "-".repeat(width + 1))?,
            }
        }
        writeln!(f, "|")?;
        for row in &self.rows {
            line(f, &mut row.iter())?;
        }
        Ok(())
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
    fn missing_cells_stay_empty() {
        let mut table = Table::new(&[("A", Align::Left), ("B", Align::Left)]);
        table.row(["x"]);
        assert_eq!(table.to_string().lines().last(), Some("| x   |     |"));
    }
}
