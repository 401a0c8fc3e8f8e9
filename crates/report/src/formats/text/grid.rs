//! The columns of a table for a terminal: which are shown, how wide, and in which parts.

use crate::table::{Align, Column, Table};

use super::length;

/// Between two columns.
const GAP: usize = 2;
/// The same where there is little room.
const NARROW_GAP: usize = 1;

/// The texts of a table, and how it is laid out.
pub(super) struct Grid<'table> {
    columns: &'table [Column],
    /// One or two lines of each column's heading.
    headings: Vec<Vec<&'table str>>,
    rows: Vec<Vec<String>>,
    /// The widest cell of each column.
    cells: Vec<usize>,
    identifying: usize,
    shown: Vec<usize>,
    gap: usize,
}

impl<'table> Grid<'table> {
    /// All columns that people read, headings on one line.
    pub(super) fn new(table: &'table Table) -> Self {
        let one_line = |text: String| text.replace(['\n', '\r'], " ");
        let rows: Vec<Vec<String>> = table
            .rows()
            .iter()
            .map(|row| row.iter().map(|cell| one_line(cell.plain())).collect())
            .collect();
        let columns = table.columns();
        let widest = |column: usize| rows.iter().map(|row| length(&row[column])).max().unwrap_or(0);
        Self {
            columns,
            headings: columns.iter().map(|column| vec![column.name.as_str()]).collect(),
            cells: (0..columns.len()).map(widest).collect(),
            rows,
            identifying: table.identifying(),
            shown: (0..columns.len()).filter(|column| !columns[*column].hidden).collect(),
            gap: GAP,
        }
    }

    /// Lays the table out for `width`, one step after the other until it fits; what is to be said
    /// about columns that are not shown.
    pub(super) fn fit(&mut self, width: usize) -> Vec<String> {
        let mut said = Vec::new();
        if !self.fits(width) {
            self.break_headings();
        }
        if !self.fits(width) {
            said.extend(self.move_constant());
        }
        if !self.fits(width) {
            self.gap = NARROW_GAP;
        }
        said.extend(self.leave_out(width));
        said
    }

    fn fits(&self, width: usize) -> bool {
        self.width(&self.shown) <= width
    }

    /// How wide a table of these columns is.
    fn width(&self, columns: &[usize]) -> usize {
        let gaps = columns.len().saturating_sub(1) * self.gap;
        columns.iter().map(|column| self.column_width(*column)).sum::<usize>() + gaps
    }

    fn column_width(&self, column: usize) -> usize {
        let heading = self.headings[column].iter().map(|line| length(line)).max();
        self.cells[column].max(heading.unwrap_or(0))
    }

    /// Headings that are wider than what stands below them take two lines.
    fn break_headings(&mut self) {
        for (heading, (column, cells)) in
            self.headings.iter_mut().zip(self.columns.iter().zip(&self.cells))
        {
            if length(&column.name) > *cells {
                *heading = halves(&column.name);
            }
        }
    }

    /// Columns that name a row and hold the same in every one are said once, the first column apart.
    fn move_constant(&mut self) -> Option<String> {
        let is_constant = |column: &usize| {
            let first = &self.rows[0][*column];
            let is_name = *column > 0 && *column < self.identifying;
            is_name && self.rows.len() > 1 && self.rows.iter().all(|row| row[*column] == *first)
        };
        let (constant, shown): (Vec<usize>, Vec<usize>) =
            self.shown.iter().partition(|column| is_constant(column));
        let value =
            |column: &usize| format!("{} {}", self.columns[*column].name, self.rows[0][*column]);
        let values: Vec<String> = constant.iter().map(value).collect();
        self.shown = shown;
        (!values.is_empty()).then(|| format!("In every row: {}.", values.join("; ")))
    }

    /// Leaves out what the table can spare, as long as it does not fit.
    fn leave_out(&mut self, width: usize) -> Option<String> {
        let mut left_out = Vec::new();
        while !self.fits(width) {
            let spare = |column: &&usize| self.columns[**column].spare;
            let next = self.shown.iter().max_by_key(spare).filter(|column| spare(column) > 0);
            let Some(next) = next.copied() else { break };
            self.shown.retain(|column| *column != next);
            left_out.push(self.columns[next].name.as_str());
        }
        (!left_out.is_empty()).then(|| format!("Left out at this width: {}.", left_out.join(", ")))
    }

    /// The columns in parts that each fit `width`; all parts have those that name a row.
    pub(super) fn parts(&self, width: usize) -> Vec<Vec<usize>> {
        let (names, others): (Vec<usize>, Vec<usize>) =
            self.shown.iter().partition(|column| **column < self.identifying);
        let mut parts = vec![names.clone()];
        for column in others {
            let Some(part) = parts.last_mut() else { break };
            part.push(column);
            if self.width(part) > width && part.len() > names.len() + 1 {
                part.pop();
                parts.push(names.iter().copied().chain([column]).collect());
            }
        }
        parts
    }

    /// Headings, rule and rows of these columns.
    pub(super) fn lines(&self, columns: &[usize]) -> String {
        let gap = " ".repeat(self.gap);
        let line = |cell: &dyn Fn(usize) -> String| {
            let cells: Vec<String> =
                columns.iter().map(|column| self.padded(*column, &cell(*column))).collect();
            cells.join(&gap).trim_end().to_owned() + "\n"
        };
        let height = columns.iter().map(|column| self.headings[*column].len()).max().unwrap_or(0);
        let mut text = String::new();
        for level in 0..height {
            // A heading of one line stands on the rule.
            text += &line(&|column| {
                let heading = &self.headings[column];
                let above = height - heading.len();
                let part = level.checked_sub(above).and_then(|index| heading.get(index));
                part.copied().unwrap_or_default().to_owned()
            });
        }
        text += &line(&|column| "-".repeat(self.column_width(column)));
        for row in &self.rows {
            text += &line(&|column| row[column].clone());
        }
        text
    }

    fn padded(&self, column: usize, text: &str) -> String {
        let width = self.column_width(column);
        match self.columns[column].align {
            Align::Left => format!("{text:<width$}"),
            Align::Right => format!("{text:>width$}"),
        }
    }
}

/// `heading` in the two lines that are least wide, broken at a space, after a slash or before a
/// capital within a word; in one where there is no such place.
fn halves(heading: &str) -> Vec<&str> {
    let mut best = vec![heading];
    let mut previous = ' ';
    for (place, next) in heading.char_indices() {
        let breaks =
            next == ' ' || previous == '/' || (previous.is_lowercase() && next.is_uppercase());
        previous = next;
        let (first, second) = heading.split_at(place);
        let parts = [first.trim_end(), second.trim_start()];
        let widest = parts.iter().map(|part| length(part)).max().unwrap_or(0);
        let is_better = widest < best.iter().map(|part| length(part)).max().unwrap_or(0);
        if breaks && !parts.contains(&"") && is_better {
            best = parts.to_vec();
        }
    }
    best
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn headings_are_broken_where_words_begin() {
        assert_eq!(halves("BatchSize"), ["Batch", "Size"]);
        assert_eq!(halves("+Instr/put"), ["+Instr/", "put"]);
        assert_eq!(halves("per put, v=256"), ["per put,", "v=256"]);
        assert_eq!(halves("Backend"), ["Backend"]);
        assert_eq!(halves(""), [""]);
    }
}
