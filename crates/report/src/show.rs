//! A run as it was stored, in tables.

use crate::counts;
use crate::formats::Format;
use crate::suites::SuiteView;
use crate::table::{Listing, Section, markdown};
use crate::view::View;
use crate::{comparison, engine, flat, header, times};
use records::names::Day;
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
    let mut sections = of_bench(&View::new(results));
    sections.extend(SuiteView::of_file(results).iter().flat_map(SuiteView::sections));
    format!("{}\n{}", header::header(results), markdown(&sections))
}

/// The same without the header, below a heading.
#[must_use]
pub(crate) fn of_people(view: &View<'_>, heading: &str) -> String {
    format!("## {heading}\n\n{}", markdown(&of_bench(view)))
}

fn of_bench(view: &View<'_>) -> Vec<Section> {
    if view.results.producer == "counts" {
        return counts::tables::sections(view);
    }
    let mut sections = times::sections(view, None);
    sections.extend(engine::sections(view, None));
    sections.extend(comparison::sections(view));
    sections
}
