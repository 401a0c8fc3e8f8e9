//! Tables as comma-separated values (RFC 4180, Y. Shafranovich, 2005): what a listing says besides
//! its tables is left out.

use crate::formats::listing::Listing;
use crate::section::Section;
use crate::table::Cell;

/// Ends a record (RFC 4180, section 2.1).
const END: &str = "\r\n";

/// All tables. Several have a first field each that names the table, and an empty line between them.
pub(super) fn render(listing: &Listing) -> String {
    let is_one = listing.sections.len() == 1;
    let table = |section: &Section| table(section, !is_one);
    listing.sections.iter().map(table).collect::<Vec<_>>().join(END)
}

fn table(section: &Section, named: bool) -> String {
    let name = |text: &str| named.then(|| text.to_owned());
    let headings = section.table.columns().iter().map(|column| column.key.clone());
    let mut text = record(name("table").into_iter().chain(headings));
    for row in section.table.rows() {
        text += &record(name(&section.title).into_iter().chain(row.iter().map(value)));
    }
    text
}

/// Numbers unrounded, as the shortest text that reads as the same number.
fn value(cell: &Cell) -> String {
    match cell.number {
        Some(number) => number.to_string(),
        None if cell.is_absent() => String::new(),
        None => cell.plain(),
    }
}

fn record(fields: impl Iterator<Item = String>) -> String {
    fields.map(|field| quoted(&field)).collect::<Vec<_>>().join(",") + END
}

/// In quotes where it must be (RFC 4180, sections 2.6 and 2.7).
fn quoted(field: &str) -> String {
    if field.contains(['"', ',', '\r', '\n']) {
        format!("\"{}\"", field.replace('"', "\"\""))
    } else {
        field.to_owned()
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;
    use crate::table::{Align, Table};

    /// A reader as RFC 4180 describes it.
    fn read(text: &str) -> Vec<Vec<String>> {
        let (mut records, mut record, mut field) = (Vec::new(), Vec::new(), String::new());
        let mut within = false;
        let mut rest = text.chars().peekable();
        while let Some(next) = rest.next() {
            match (next, within) {
                ('"', true) if rest.peek() == Some(&'"') => field.extend(rest.next()),
                ('"', _) => within = !within,
                (',', false) => record.push(std::mem::take(&mut field)),
                ('\r', false) if rest.peek() == Some(&'\n') => {
                    rest.next();
                    record.push(std::mem::take(&mut field));
                    records.push(std::mem::take(&mut record));
                }
                (other, _) => field.push(other),
            }
        }
        assert!(field.is_empty() && record.is_empty(), "the last record ends");
        records
    }

    fn listing(tables: Vec<Table>) -> Listing {
        let sections = tables.into_iter().map(|table| Section::new("T, 1", "about", table));
        Listing { sections: sections.collect(), ..Listing::new("t", Vec::new()) }
    }

    #[test]
    fn numbers_are_not_rounded_and_keys_name_columns() {
        let columns = [("Backend", Align::Left), ("Mean", Align::Right)];
        let mut table = Table::new(&columns).keyed(&["backend", "mean_ns"]);
        table.row([Cell::from("**heed**"), Cell::number("1.23 ns", 1.234_567_890_123)]);
        let one = render(&listing(vec![table.clone()]));
        assert_eq!(one, "backend,mean_ns\r\nheed,1.234567890123\r\n");
        let two = render(&listing(vec![table.clone(), table]));
        let part = "table,backend,mean_ns\r\n\"T, 1\",heed,1.234567890123\r\n";
        assert_eq!(two, format!("{part}\r\n{part}"));
    }

    proptest! {
        #[test]
        fn any_text_is_read_back(rows in prop::collection::vec(prop::collection::vec("[^*`-]{0,9}", 2), 1..5)) {
            let mut table = Table::new(&[("A", Align::Left), ("B", Align::Left)]);
            for row in &rows {
                table.row(row.clone());
            }
            let found = read(&render(&listing(vec![table])));
            prop_assert_eq!(&found[1..], &rows[..]);
        }
    }
}
