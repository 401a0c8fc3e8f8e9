//! A listing as one JSON object: `title`, `notes`, and `tables`, each with `title`, `about`, `rows`
//! (objects by the columns' keys, in their order) and `notes`. Cells that are numbers are numbers,
//! unrounded.

use serde::Serialize;
use serde::ser::{SerializeMap as _, Serializer};

use crate::formats::listing::Listing;
use crate::section::Section;
use crate::table::{Cell, Column, plain};

#[derive(Serialize)]
struct Document {
    title: String,
    notes: Vec<String>,
    tables: Vec<Table>,
}

#[derive(Serialize)]
struct Table {
    title: String,
    about: String,
    rows: Vec<Row>,
    notes: Vec<String>,
}

/// The fields of one row in the order of the columns, which a map of the JSON library would sort.
struct Row(Vec<(String, Cell)>);

impl Serialize for Row {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let mut map = serializer.serialize_map(Some(self.0.len()))?;
        for (key, cell) in &self.0 {
            match cell.number {
                Some(number) => map.serialize_entry(key, &number)?,
                None if cell.is_absent() => map.serialize_entry(key, &())?,
                None => map.serialize_entry(key, &cell.plain())?,
            }
        }
        map.end()
    }
}

/// The whole listing, ended by a line break.
pub(super) fn render(listing: &Listing) -> String {
    let document = Document {
        title: plain(&listing.title),
        notes: listing.lines.iter().map(|line| plain(line)).collect(),
        tables: listing.sections.iter().map(table).collect(),
    };
    // Strings and numbers alone, written to memory: there is nothing that could fail.
    serde_json::to_string_pretty(&document).unwrap_or_default() + "\n"
}

fn table(section: &Section) -> Table {
    let columns = section.table.columns();
    let field = |(column, cell): (&Column, &Cell)| (column.key.clone(), cell.clone());
    let row = |row: &Vec<Cell>| Row(columns.iter().zip(row).map(field).collect());
    Table {
        title: plain(&section.title),
        about: plain(&section.about),
        rows: section.table.rows().iter().map(row).collect(),
        notes: section.notes.iter().map(|note| plain(note)).collect(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::table::{self, Align};

    #[test]
    fn rows_are_objects_with_numbers_that_are_numbers() {
        let columns = [("Mean", Align::Right), ("Backend", Align::Left), ("None", Align::Left)];
        let mut table = table::Table::new(&columns).keyed(&["mean_ns", "backend", "none"]);
        table.row([Cell::number("1.2 ns", 1.25), Cell::from("`heed`"), Cell::absent()]);
        let section =
            Section { notes: vec!["n".to_owned()], ..Section::new("T", "**about**", table) };
        let listing =
            Listing { sections: vec![section], ..Listing::new("t", vec!["first".to_owned()]) };
        let text = render(&listing);
        let found: serde_json::Value = serde_json::from_str(&text).unwrap();
        let row = serde_json::json!({"mean_ns": 1.25, "backend": "heed", "none": null});
        let table =
            serde_json::json!({"title": "T", "about": "about", "rows": [row], "notes": ["n"]});
        assert_eq!(found, serde_json::json!({"title": "t", "notes": ["first"], "tables": [table]}));
        assert!(text.find("mean_ns") < text.find("\"backend\""), "columns keep their order");
    }
}
