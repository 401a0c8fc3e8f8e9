//! The tables of a calibration.

use std::time::Duration;

use write_backend::Workload;

use crate::groups::WorkloadTable;
use crate::table::{Column, Table};
use crate::units::{counted, duration, or_absent, percent, range, ratio};
use records::calibration::{Calibration, Layout, Slowed};

/// All tables of a calibration as Markdown.
#[must_use]
pub fn tables(calibration: &Calibration) -> String {
    let twins = twins(calibration);
    match layout_in_words(calibration) {
        words if words.is_empty() => twins,
        words => format!("{twins}\n{words}\n\n{}", layout(&calibration.layout)),
    }
}

/// What equal and slowed twins showed.
#[must_use]
pub fn twins(calibration: &Calibration) -> String {
    let numbers = ["Pairs", "Interval excludes 1", "Claimed", "Median estimate"].map(Column::right);
    let mut table =
        Table::new(["Twin does", "Finish"].map(Column::left).into_iter().chain(numbers));
    let equal = calibration.equal;
    table.row([
        "the same".to_owned(),
        "both".to_owned(),
        equal.comparisons.to_string(),
        share(equal.excluded, equal.comparisons),
    ]);
    for row in &calibration.slowed {
        let Slowed { finish, percent, comparisons, excluded, claimed, median_estimate } = *row;
        table.row([
            format!("{percent} % more"),
            finish.to_string(),
            comparisons.to_string(),
            share(excluded, comparisons),
            share(claimed, comparisons),
            ratio(median_estimate),
        ]);
    }
    let Calibration { launches, confidence, seconds, seed, host, .. } = calibration;
    format!(
        "{}, {}: {}, intervals at {}, seed {seed}, {}. Half of the intervals of equal pairs are within \
         ±{:.2} %.\n\n{table}",
        host.name,
        host.cpu,
        counted(*launches, "launch", "launches"),
        percent(*confidence),
        duration(Duration::from_secs_f64(seconds.max(0.0))),
        equal.median_half_width * 100.0
    )
}

/// What moved code did to times.
fn layout(rows: &[Layout]) -> Table {
    let workloads: Vec<Workload> = rows.iter().map(|row| row.workload).collect();
    let numbers =
        [Column::right("Spread"), Column::left("Range"), Column::right("Outside the floor")];
    let names = ["Functions", "Backend"].map(Column::left);
    let mut table = WorkloadTable::new(&workloads, &[], names, numbers);
    for row in rows {
        let functions = if row.aligned { "aligned" } else { "as compiled" };
        let cells = [
            format!("{:.2} %", row.spread * 100.0),
            range(row.ratios.iter().copied(), ratio).unwrap_or_default(),
            format!("{} of {}", row.outside, row.ratios.len()),
        ];
        table.row([functions, &row.backend], &row.workload, cells);
    }
    table.table
}

/// The same in a sentence; nothing where that trial was not possible.
#[must_use]
pub fn layout_in_words(calibration: &Calibration) -> String {
    let Some(first) = calibration.layout.first() else { return String::new() };
    let spread = |aligned: bool| {
        let median = calibration.median_spread(|row| row.aligned == aligned);
        or_absent(median, |spread| format!("{:.2} %", spread * 100.0))
    };
    format!(
        "Workers with their code moved by {} different amounts, over the worker that was not moved. \
         The median spread (standard deviation) is {} with functions aligned to 64 bytes, as \
         everything here is measured, and {} as compilers place them by themselves. A user's own build \
         is faster or slower by as much, by chance.",
        first.ratios.len(),
        spread(true),
        spread(false)
    )
}

fn share(part: usize, all: usize) -> String {
    format!("{part} ({:.1} %)", 100.0 * part as f64 / all.max(1) as f64)
}
