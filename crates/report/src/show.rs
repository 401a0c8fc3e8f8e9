//! A run as it was stored, in tables.

use crate::counts::tables;
use crate::formats::format::Format;
use crate::formats::listing::Listing;
use crate::section::Section;
use crate::{comparison, flat, header, times};
use records::day::Day;
use records::schema::Results;

/// The run `results`, named `name`: for people the tables that its bench prints, for programs one
/// table of all cases.
#[must_use]
pub fn listing(name: &str, results: &Results, format: Format) -> Listing {
    let mut listing = Listing::new(title(name, results), about(results));
    listing.sections = match format {
        Format::Csv | Format::Json => vec![flat::cases(results)],
        Format::Text | Format::Markdown => {
            let backends = header::backends(&results.backends).sparing(&["from"]);
            let mut sections = vec![Section::new("Backends", "", backends)];
            sections.extend(of_bench(results));
            sections
        }
    };
    listing
}

/// What stands above everything that is said of a run.
#[must_use]
pub fn about(results: &Results) -> Vec<String> {
    let warnings = header::warnings(results).into_iter().map(|it| format!("**{it}**"));
    header::lines(results).into_iter().chain(warnings).collect()
}

fn title(name: &str, results: &Results) -> String {
    format!("{name}: {} of {}", results.producer, Day::of_unix(results.started_unix))
}

fn of_bench(results: &Results) -> Vec<Section> {
    if results.producer == "counts" {
        return tables::sections(results);
    }
    let mut sections = times::sections(&results.cases);
    // What a reference machine's layout trial found belongs to documents, not to one run.
    sections.extend(comparison::sections(results, None));
    sections
}
