//! A listing for a terminal. No line of a table is wrapped: where the width does not suffice, columns
//! that hold one and the same value in every row move above the table, then columns that the table
//! can spare are left out, and then the table is cut in parts that repeat the columns that name a
//! row. A line says what was left out.

use std::collections::BTreeSet;

use crate::report::formats::listing::Listing;
use crate::report::section::Section;
use crate::report::table::{Align, Column, Table, plain};

/// Between two columns.
const GAP: &str = "  ";

/// The listing in lines of at most `width` characters, if its widest column and what names a row fit
/// in that.
pub(super) fn render(listing: &Listing, width: usize) -> String {
    let mut text = heading(&listing.title, '=');
    for line in &listing.lines {
        text += &wrapped(&plain(line), "- ", width);
    }
    for section in &listing.sections {
        text += "\n";
        text += &part(section, width);
    }
    text
}

fn heading(title: &str, under: char) -> String {
    let title = plain(title);
    let line: String = title.chars().map(|_| under).collect();
    format!("{title}\n{line}\n")
}

fn part(section: &Section, width: usize) -> String {
    let mut text = heading(&section.title, '-');
    text += &wrapped(&plain(&section.about), "", width);
    let grid = Grid::new(&section.table);
    if !section.table.is_empty() {
        let (shown, said) = grid.fitted(width);
        for line in said {
            text += &wrapped(&line, "", width);
        }
        for columns in grid.parts(&shown, section.table.identifying(), width) {
            text += "\n";
            text += &grid.lines(&columns);
        }
    }
    if !section.notes.is_empty() {
        text += "\n";
    }
    for note in &section.notes {
        text += &wrapped(&plain(note), "- ", width);
    }
    text
}

/// The texts of a table, and how wide its columns are.
struct Grid<'table> {
    columns: &'table [Column],
    rows: Vec<Vec<String>>,
    widths: Vec<usize>,
}

impl<'table> Grid<'table> {
    fn new(table: &'table Table) -> Self {
        let one_line = |text: String| text.replace(['\n', '\r'], " ");
        let rows: Vec<Vec<String>> = table
            .rows()
            .iter()
            .map(|row| row.iter().map(|cell| one_line(cell.plain())).collect())
            .collect();
        let widest = |(index, column): (usize, &Column)| {
            let cells = rows.iter().map(|row| length(&row[index]));
            cells.max().unwrap_or(0).max(length(&column.name))
        };
        let widths = table.columns().iter().enumerate().map(widest).collect();
        Self { columns: table.columns(), rows, widths }
    }

    /// How wide a table of these columns is.
    fn width(&self, columns: &[usize]) -> usize {
        let gaps = columns.len().saturating_sub(1) * GAP.len();
        columns.iter().map(|column| self.widths[*column]).sum::<usize>() + gaps
    }

    /// The columns to show, and what is to be said about the others.
    fn fitted(&self, width: usize) -> (Vec<usize>, Vec<String>) {
        let mut shown: Vec<usize> = (0..self.columns.len()).collect();
        shown.retain(|column| !self.columns[*column].hidden);
        let mut said = Vec::new();
        if self.width(&shown) > width {
            let constant = self.constant(&shown);
            shown.retain(|column| !constant.contains(column));
            let value = |column: &usize| {
                format!("{} {}", self.columns[*column].name, self.rows[0][*column])
            };
            let values: Vec<String> = constant.iter().map(value).collect();
            said.extend(
                (!values.is_empty()).then(|| format!("In every row: {}.", values.join("; "))),
            );
        }
        let mut left_out = Vec::new();
        while self.width(&shown) > width {
            let spare = |column: &&usize| self.columns[**column].spare;
            let Some(&next) = shown.iter().max_by_key(spare).filter(|it| spare(it) > 0) else {
                break;
            };
            shown.retain(|column| *column != next);
            left_out.push(self.columns[next].name.as_str());
        }
        said.extend((!left_out.is_empty()).then(|| {
            format!("Left out, for want of {width} columns' room: {}.", left_out.join(", "))
        }));
        (shown, said)
    }

    /// The columns that hold the same in every row of several; the first column always stays.
    fn constant(&self, shown: &[usize]) -> BTreeSet<usize> {
        let is_constant = |column: &usize| {
            let mut values = self.rows.iter().map(|row| &row[*column]);
            let first = values.next();
            !first.is_none_or(String::is_empty) && values.all(|value| Some(value) == first)
        };
        let candidates = shown.iter().skip(1).copied();
        candidates.filter(|column| self.rows.len() > 1 && is_constant(column)).collect()
    }

    /// `shown` in parts that each fit `width`; all have those of the first `identifying` columns
    /// that are shown.
    fn parts(&self, shown: &[usize], identifying: usize, width: usize) -> Vec<Vec<usize>> {
        let (names, others): (Vec<usize>, Vec<usize>) =
            shown.iter().partition(|column| **column < identifying);
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

    /// Heading, rule and rows.
    fn lines(&self, columns: &[usize]) -> String {
        let line = |cell: &dyn Fn(usize) -> String| {
            let cells: Vec<String> =
                columns.iter().map(|column| self.padded(*column, &cell(*column))).collect();
            cells.join(GAP).trim_end().to_owned() + "\n"
        };
        let mut text = line(&|column| self.columns[column].name.clone());
        text += &line(&|column| "-".repeat(self.widths[column]));
        for row in &self.rows {
            text += &line(&|column| row[column].clone());
        }
        text
    }

    fn padded(&self, column: usize, text: &str) -> String {
        let width = self.widths[column];
        match self.columns[column].align {
            Align::Left => format!("{text:<width$}"),
            Align::Right => format!("{text:>width$}"),
        }
    }
}

fn length(text: &str) -> usize {
    text.chars().count()
}

/// `text` in lines of at most `width`, the first after `mark` and the others indented as far; a word
/// that is longer stands alone. Nothing for an empty text.
fn wrapped(text: &str, mark: &str, width: usize) -> String {
    let indent = " ".repeat(length(mark));
    let mut lines: Vec<String> = Vec::new();
    for word in text.split_whitespace() {
        match lines.last_mut() {
            Some(line) if length(line) + 1 + length(word) <= width => {
                line.push(' ');
                line.push_str(word);
            }
            last => {
                let start = if last.is_none() { mark } else { indent.as_str() };
                lines.push(format!("{start}{word}"));
            }
        }
    }
    lines.iter().map(|line| format!("{line}\n")).collect()
}

#[cfg(test)]
#[path = "text/tests.rs"]
mod tests;
