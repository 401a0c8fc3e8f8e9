//! A listing for a terminal. No row of a table is wrapped: where the width does not suffice, headings
//! take two lines, columns that hold one and the same name in every row move above the table, columns
//! move together, those that the table can spare are left out, and at last the table is cut in parts
//! that repeat the columns that name a row. A line says what was left out.

use crate::formats::listing::Listing;
use crate::section::Section;
use crate::table::{Table, plain};

mod grid;

use grid::Grid;

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
    text += &table(&section.table, width);
    if !section.notes.is_empty() {
        text += "\n";
    }
    for note in &section.notes {
        text += &wrapped(&plain(note), "- ", width);
    }
    text
}

/// The table, in one part or several, after what is to be said about it.
fn table(table: &Table, width: usize) -> String {
    if table.is_empty() {
        return String::new();
    }
    let mut grid = Grid::new(table);
    let mut text = String::new();
    for line in grid.fit(width) {
        text += &wrapped(&line, "", width);
    }
    for columns in grid.parts(width) {
        text += "\n";
        text += &grid.lines(&columns);
    }
    text
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
    lines.iter().flat_map(|line| [line.as_str(), "\n"]).collect()
}

#[cfg(test)]
#[path = "text/tests.rs"]
mod tests;
