//! One listing, three formats. Each only adds its punctuation.

use std::fmt;
use std::str::FromStr;

use serde_json::{Map, Value, json};

use crate::table::{Field, Listing, Section, plain};

/// How a listing is written.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Format {
    /// Markdown with aligned columns, for terminals too.
    Markdown,
    /// The tables alone as comma-separated values (RFC 4180, Y. Shafranovich, 2005).
    Csv,
    /// One JSON object: `title`, `notes`, and `tables`, each with `title`, `about`, `rows` (objects by
    /// the columns' keys) and `notes`.
    Json,
}

impl Format {
    /// All formats, in the order in which they are named.
    pub const ALL: [Self; 3] = [Self::Markdown, Self::Csv, Self::Json];

    /// The name on the command line.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::Markdown => "markdown",
            Self::Csv => "csv",
            Self::Json => "json",
        }
    }

    /// Whether people read it, and not programs.
    #[must_use]
    pub const fn is_for_people(self) -> bool {
        matches!(self, Self::Markdown)
    }

    /// `listing` in this format.
    #[must_use]
    pub fn render(self, listing: &Listing) -> String {
        match self {
            Self::Markdown => listing.to_string(),
            Self::Csv => csv(listing),
            Self::Json => json(listing),
        }
    }
}

impl fmt::Display for Format {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.name())
    }
}

impl FromStr for Format {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, Self::Err> {
        Self::ALL.into_iter().find(|format| format.name() == text).ok_or_else(|| {
            let names = Self::ALL.map(Self::name).join(", ");
            format!("`{text}` is not a format: it must be one of {names}")
        })
    }
}

/// Ends a record (RFC 4180, section 2.1).
const END: &str = "\r\n";

/// All tables. Several have a first field each that names the table, and an empty line between them.
fn csv(listing: &Listing) -> String {
    let is_one = listing.sections.len() == 1;
    let table = |section: &Section| {
        let name = |text: &str| (!is_one).then(|| text.to_owned()).into_iter();
        let keys = section.table.columns().iter().flat_map(|column| column.keys.clone());
        let mut text = record(name("table").chain(keys));
        for fields in section.table.records() {
            let values = fields.into_iter().map(|(_, field)| match field {
                // Unrounded, as the shortest text that reads as the same number.
                Field::Number(number) => number.to_string(),
                Field::Text(text) => text,
                Field::Absent => String::new(),
            });
            text += &record(name(&section.title).chain(values));
        }
        text
    };
    listing.sections.iter().map(table).collect::<Vec<_>>().join(END)
}

/// One record, with fields in quotes where they must be (RFC 4180, sections 2.6 and 2.7).
fn record(fields: impl Iterator<Item = String>) -> String {
    let quoted = |field: String| {
        let needs_quotes = field.contains(['"', ',', '\r', '\n']);
        if needs_quotes { format!("\"{}\"", field.replace('"', "\"\"")) } else { field }
    };
    fields.map(quoted).collect::<Vec<_>>().join(",") + END
}

/// All whole numbers below this are exact.
const WHOLE: f64 = 9_007_199_254_740_992.0;

fn value(field: Field) -> Value {
    match field {
        // A whole number without a point; 2^53: up to here each has its own value.
        Field::Number(number) if number.fract() == 0.0 && number.abs() < WHOLE => {
            json!(number as i64)
        }
        Field::Number(number) => json!(number),
        Field::Text(text) => json!(text),
        Field::Absent => Value::Null,
    }
}

fn plain_lines(lines: &[String]) -> Vec<String> {
    lines.iter().map(|line| plain(line)).collect()
}

fn json(listing: &Listing) -> String {
    let row = |fields: Vec<(&str, Field)>| -> Map<String, Value> {
        fields.into_iter().map(|(key, field)| (key.to_owned(), value(field))).collect()
    };
    let table = |Section { title, about, table, notes }: &Section| {
        let rows: Vec<Map<String, Value>> = table.records().map(row).collect();
        json!({"title": plain(title), "about": plain(about), "rows": rows, "notes": plain_lines(notes)})
    };
    let document = json!({
        "title": plain(&listing.title),
        "notes": plain_lines(&listing.lines),
        "tables": listing.sections.iter().map(table).collect::<Vec<_>>(),
    });
    format!("{document:#}\n")
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::table::{Cell, Column, Table};

    fn listing(tables: Vec<Table>) -> Listing {
        let mut sections: Vec<Section> =
            tables.into_iter().map(|table| Section::new("T, 1", "**about**", table)).collect();
        sections[0].notes.push("a note".to_owned());
        Listing { title: "t".to_owned(), lines: vec!["first `line`".to_owned()], sections }
    }

    fn table() -> Table {
        let ratio = Column::left("Interval").keys(&["low", "high"]);
        let mut table = Table::new([Column::left("Backend"), Column::right("Mean ns"), ratio]);
        let mean = Cell::number("1.23 ns", 1.234_567_890_123);
        table.row([Cell::from("**heed**"), mean, Cell::interval(0.5, 1.25)]);
        table.row([Cell::from("a, b"), Cell::absent(), Cell::absent()]);
        table
    }

    #[test]
    fn one_listing_in_every_format() {
        let [_, csv, json] = Format::ALL.map(|format| format.render(&listing(vec![table()])));
        assert_eq!(
            csv,
            "backend,mean_ns,low,high\r\nheed,1.234567890123,0.5,1.25\r\n\"a, b\",,,\r\n"
        );
        let found: Value = serde_json::from_str(&json).unwrap();
        let rows = json!([
            {"backend": "heed", "mean_ns": 1.234_567_890_123, "low": 0.5, "high": 1.25},
            {"backend": "a, b", "mean_ns": null, "low": null, "high": null},
        ]);
        assert_eq!(found["tables"][0]["rows"], rows);
        let two = Format::Csv.render(&listing(vec![table(), table()]));
        assert!(two.starts_with("table,backend"), "{two}");
        assert!(two.contains("\r\n\r\ntable,") && two.contains("\"T, 1\",heed,"), "{two}");
    }
}
