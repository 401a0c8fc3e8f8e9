//! What bindings can do: as the behaviour matrix showed it, and where no case does, as somebody
//! looked it up.

use std::fmt::Write as _;

use write_backend::protocol::behaviour::Outcome;

use crate::table::{Align, Table};
use records::behaviour::Behaviour;
use records::facts::by_hand::{ByHand, Feature, Has};
use records::facts::schema::CrateFacts;
use records::typed::Typed;

/// Neither shown nor looked up.
const UNKNOWN: &str = "?";

/// A feature in each row, a crate in each column; the last column says how it is known.
#[must_use]
pub fn table(
    crates: &[&CrateFacts],
    behaviour: Option<&Behaviour>,
    by_hand: Option<&ByHand>,
) -> Table {
    let mut columns = vec![("Can it", Align::Left)];
    columns.extend(crates.iter().map(|one| (one.name.as_str(), Align::Right)));
    columns.push(("Shown by", Align::Left));
    let mut table = Table::new(&columns);
    for feature in Feature::ALL {
        let mut cells = vec![feature.name().to_owned()];
        cells.extend(crates.iter().map(|one| {
            match feature.case() {
                Some(case) => shown(behaviour, case, &one.backend),
                None => looked_up(by_hand, feature, &one.name),
            }
            .to_owned()
        }));
        cells.push(match feature.case() {
            Some(case) => format!("`{case}`"),
            None => "looked up".to_owned(),
        });
        table.row(cells);
    }
    table
}

/// Whether the case came out as done.
fn shown(behaviour: Option<&Behaviour>, case: &str, backend: &str) -> &'static str {
    let case = behaviour.and_then(|it| it.cases.iter().find(|it| it.case == case));
    let seen = case.and_then(|case| case.seen.iter().find(|seen| seen.backend == backend));
    match seen.map(|seen| &seen.outcome) {
        Some(Outcome::Done { .. }) => "yes",
        None | Some(Outcome::NotChecked { .. }) => UNKNOWN,
        Some(_) => "no",
    }
}

fn looked_up(by_hand: Option<&ByHand>, feature: Feature, name: &str) -> &'static str {
    let entries = by_hand.map_or(&[][..], |by_hand| &by_hand.features);
    let entry = entries.iter().find(|it| it.feature == feature && it.name == name);
    match entry.map(|entry| entry.has) {
        Some(Has::Yes) => "yes",
        Some(Has::No) => "no",
        None => UNKNOWN,
    }
}

/// What was looked up, with where it stands; nothing where nothing was.
#[must_use]
pub fn sources(typed: &Typed) -> String {
    let Some(by_hand) = &typed.by_hand else { return String::new() };
    let mut text = String::from("\nLooked up, and where:\n\n");
    // Writing to a string cannot fail.
    for feature in Feature::ALL {
        for it in by_hand.features.iter().filter(|it| it.feature == feature) {
            let has = match it.has {
                Has::Yes => "yes",
                Has::No => "no",
            };
            let _ = writeln!(
                text,
                "- {}, {}: {has}: {} ({}; looked at on {})",
                feature.name(),
                it.name,
                it.how,
                it.source,
                it.checked
            );
        }
    }
    for it in &by_hand.unsafe_calls {
        let calls = it.calls.join(", ");
        let _ = writeln!(
            text,
            "- needs `unsafe`, {}: {calls} ({}; looked at on {})",
            it.name, it.source, it.checked
        );
    }
    for it in &by_hand.released {
        let _ = writeln!(
            text,
            "- released, {} {}: {} ({}; looked at on {})",
            it.name, it.version, it.day, it.source, it.checked
        );
    }
    text
}
