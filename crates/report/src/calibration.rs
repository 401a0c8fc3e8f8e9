//! The tables of a calibration.

use crate::table::{Align, Table};
use crate::units;
use records::calibration::{Calibration, Layout, Slowed};

/// All tables of a calibration as Markdown.
#[must_use]
pub fn tables(calibration: &Calibration) -> String {
    let mut text = twins(calibration);
    if !calibration.layout.is_empty() {
        text.push('\n');
        text.push_str(&layout(calibration));
    }
    text
}

/// What equal and slowed twins said.
#[must_use]
pub fn twins(calibration: &Calibration) -> String {
    let mut table = Table::new(&[
        ("Twin does", Align::Left),
        ("Finish", Align::Left),
        ("Pairs", Align::Right),
        ("Interval excludes 1", Align::Right),
        ("Claimed", Align::Right),
        ("Median estimate", Align::Right),
    ]);
    let equal = calibration.equal;
    table.row([
        "the same".to_owned(),
        "both".to_owned(),
        equal.comparisons.to_string(),
        share(equal.excluded, equal.comparisons),
    ]);
    for row in &calibration.slowed {
        let Slowed { finish, percent, comparisons, excluded, claimed, median_estimate } = row;
        table.row([
            format!("{percent} % more"),
            finish.to_string(),
            comparisons.to_string(),
            share(*excluded, *comparisons),
            share(*claimed, *comparisons),
            units::ratio(*median_estimate),
        ]);
    }
    let Calibration { launches, confidence, seconds, seed, host, .. } = calibration;
    format!(
        "{}, {}: {launches} launches, intervals at {:.0} %, seed {seed}, {seconds:.0} s; half of the \
         intervals of equal pairs are within ±{:.2} %.\n\n{table}",
        host.name,
        host.cpu,
        confidence * 100.0,
        equal.median_half_width * 100.0
    )
}

/// What moved code did to times.
#[must_use]
pub fn layout(calibration: &Calibration) -> String {
    let mut table = Table::new(&[
        ("Functions", Align::Left),
        ("Backend", Align::Left),
        ("Finish", Align::Left),
        ("BatchSize", Align::Right),
        ("Spread", Align::Right),
        ("Range", Align::Left),
        ("Outside the floor", Align::Right),
    ]);
    for row in &calibration.layout {
        let low = row.ratios.iter().copied().fold(f64::INFINITY, f64::min);
        let high = row.ratios.iter().copied().fold(0.0, f64::max);
        table.row([
            alignment(row).to_owned(),
            row.backend.clone(),
            row.workload.finish.to_string(),
            row.workload.batch_size.to_string(),
            format!("{:.2} %", row.spread * 100.0),
            format!("{low:.3} to {high:.3}"),
            format!("{} of {}", row.outside, row.ratios.len()),
        ]);
    }
    format!("{}\n\n{table}", layout_in_words(calibration))
}

/// The same in a sentence; nothing where that trial was not possible.
#[must_use]
pub fn layout_in_words(calibration: &Calibration) -> String {
    let Some(first) = calibration.layout.first() else { return String::new() };
    let spread = |aligned: bool| {
        let median = calibration.median_spread(|row| row.aligned == aligned);
        median.map_or("-".to_owned(), |spread| format!("{:.2} %", spread * 100.0))
    };
    format!(
        "Workers with their code moved by {} different amounts, over the worker that was not moved. \
         The median spread (standard deviation) is {} with functions aligned to 64 bytes, as \
         everything here is measured, and {} as compilers place them by themselves: by so much a \
         user's own build is faster or slower by luck.",
        first.ratios.len(),
        spread(true),
        spread(false)
    )
}

fn alignment(row: &Layout) -> &'static str {
    if row.aligned { "aligned" } else { "as compiled" }
}

fn share(part: usize, all: usize) -> String {
    format!("{part} ({:.1} %)", 100.0 * part as f64 / all.max(1) as f64)
}
