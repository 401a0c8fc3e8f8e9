//! What a terminal shows at several widths.

// The snapshot tool writes them so.
#![allow(clippy::needless_raw_string_hashes)]

use expect_test::expect;
use proptest::prelude::*;

use super::*;
use crate::table::Align;

fn listing() -> Listing {
    let columns = [
        ("Backend", Align::Left),
        ("Batch", Align::Right),
        ("Keys", Align::Left),
        ("Mean", Align::Right),
        ("StdDev", Align::Right),
        ("Median", Align::Right),
    ];
    let mut table = Table::new(&columns).identified_by(3).sparing(&["StdDev"]);
    table.row(["raw-ffi", "1", "sequential", "1.234 μs", "0.100 μs", "1.230 μs"]);
    table.row(["heed", "100", "sequential", "12.34 μs", "1.00 μs", "12.30 μs"]);
    let about = "What the table shows, in a sentence of **some** length.";
    let section = Section {
        notes: vec!["failed: a case with a reason that is not short".to_owned()],
        ..Section::new("Times", about, table)
    };
    let lines = vec!["Host: box, a machine with `words` to its name".to_owned()];
    Listing { sections: vec![section], ..Listing::new("A run", lines) }
}

#[test]
fn a_wide_terminal_shows_everything() {
    expect![[r#"
        A run
        =====
        - Host: box, a machine with words to its name

        Times
        -----
        What the table shows, in a sentence of some length.

        Backend  Batch  Keys            Mean    StdDev    Median
        -------  -----  ----------  --------  --------  --------
        raw-ffi      1  sequential  1.234 μs  0.100 μs  1.230 μs
        heed       100  sequential  12.34 μs   1.00 μs  12.30 μs

        - failed: a case with a reason that is not short
    "#]]
    .assert_eq(&render(&listing(), 80));
}

#[test]
fn little_room_is_made_step_by_step() {
    let heading = |width: usize| {
        let text = render(&listing(), width);
        let lines: Vec<&str> = text.lines().collect();
        let rule = lines.iter().position(|line| line.starts_with("-------")).unwrap();
        (lines[rule - 1].to_owned(), text.contains("In every row"), text.contains("Left out"))
    };
    let all = "Backend  Batch  Keys            Mean    StdDev    Median";
    assert_eq!(heading(56), (all.to_owned(), false, false));
    let moved = "Backend  Batch      Mean    StdDev    Median";
    assert_eq!(heading(55), (moved.to_owned(), true, false));
    let narrow = "Backend Batch     Mean   StdDev   Median";
    assert_eq!(heading(43), (narrow.to_owned(), true, false));
    let spared = "Backend Batch     Mean   Median";
    assert_eq!(heading(39), (spared.to_owned(), true, true));
}

#[test]
fn at_last_the_table_is_cut() {
    expect![[r#"
        A run
        =====
        - Host: box, a machine
          with words to its name

        Times
        -----
        What the table shows, in a
        sentence of some length.
        In every row: Keys
        sequential.
        Left out at this width:
        StdDev.

        Backend Batch     Mean
        ------- ----- --------
        raw-ffi     1 1.234 μs
        heed      100 12.34 μs

        Backend Batch   Median
        ------- ----- --------
        raw-ffi     1 1.230 μs
        heed      100 12.30 μs

        - failed: a case with a
          reason that is not short
    "#]]
    .assert_eq(&render(&listing(), 26));
}

#[test]
fn long_headings_take_two_lines() {
    let mut table = Table::new(&[("Backend", Align::Left), ("BatchSize", Align::Right)]);
    table.row(["heed", "1"]);
    let section = Section::new("T", "", table);
    let listing = Listing { sections: vec![section], ..Listing::new("t", Vec::new()) };
    let text = render(&listing, 17);
    assert!(
        text.ends_with("\n         Batch\nBackend   Size\n-------  -----\nheed         1\n"),
        "{text}"
    );
}

proptest! {
    /// A width that what names a row and the widest other column fit in is kept, and no cell of a
    /// table that can spare nothing is lost.
    #[test]
    fn no_line_is_longer_than_the_terminal(
        rows in prop::collection::vec(prop::collection::vec("[a-z0-9]{1,9}", 6), 1..5),
        width in 24_usize..90,
    ) {
        let columns = ["A", "B", "C", "D", "E", "F"].map(|name| (name, Align::Left));
        let mut table = Table::new(&columns).identified_by(2);
        for row in &rows {
            table.row(row.clone());
        }
        let section = Section::new("T", "", table);
        let listing = Listing { sections: vec![section], ..Listing::new("t", Vec::new()) };
        let text = render(&listing, width.max(9 + 1 + 9 + 1 + 9));
        for line in text.lines() {
            prop_assert!(length(line) <= width.max(29), "{}", text);
        }
        for cell in rows.iter().flatten() {
            prop_assert!(text.contains(cell.as_str()), "{} in {}", cell, text);
        }
    }
}
