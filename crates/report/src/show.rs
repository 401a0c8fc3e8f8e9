//! A run as it was stored, in tables.

use crate::counts;
use crate::formats::Format;
use crate::table::{Listing, Section, markdown};
use crate::view::View;
use crate::{comparison, flat, header, times};
use records::day::Day;
use records::schema::Results;

/// The run of `view`, named `name`: for people the tables that its bench prints, for programs one table
/// of all cases.
#[must_use]
pub fn listing(name: &str, view: &View<'_>, format: Format) -> Listing {
    let results = view.results;
    let day = Day::of_unix(results.started_unix);
    let sections = if format.is_for_people() {
        let backends = Section::new("Backends", "", header::backends(&results.backends));
        std::iter::once(backends).chain(of_bench(view)).collect()
    } else {
        vec![flat::cases(view)]
    };
    let title = format!("{name}: {} of {day}", results.producer);
    Listing { title, lines: header::all_lines(results), sections }
}

/// What a bench prints of its run, as Markdown.
#[must_use]
pub fn tables(results: &Results) -> String {
    let sections = of_bench(&View::new(results));
    format!("{}\n{}", header::header(results), markdown(&sections))
}

fn of_bench(view: &View<'_>) -> Vec<Section> {
    if view.results.producer == "counts" {
        return counts::tables::sections(view);
    }
    let mut sections = times::sections(view, None);
    sections.extend(comparison::sections(view, None));
    sections
}
