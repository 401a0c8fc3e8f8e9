//! What the way before spans costs there, and what it costs here.

use std::fmt::Write as _;

use write_backend::Finish;

use crate::REFERENCE;
use crate::comparison::{interval, percent};
use crate::seed::workloads::{AFTER, BEFORE, is_like_the_seed};
use crate::table::{Align, Table};
use crate::units;
use records::schema::{CaseRecord, Results};
use records::seed::Seed;
use statistics::GeometricMean;

/// The two ways here that are compared with raw FFI.
const STYLES: [&str; 2] = ["pre-span", "owned-buffer"];
/// The confidence of the intervals where no run says another.
const CONFIDENCE: f64 = 0.95;

/// A ratio over the value sizes of one batch size.
struct Row {
    name: String,
    batch_size: usize,
    ratios: Vec<f64>,
}

/// The tables, what they show, and the ranges in words.
pub(super) fn section(seed: &Seed, compare: Option<&Results>) -> String {
    let confidence = compare.map_or(CONFIDENCE, |compare| compare.options.confidence);
    let there = ratios_there(seed);
    let mut text = format!(
        "Per batch size the geometric mean over value sizes, its {} interval with the value size as the unit, and the \
         lowest and highest. There: the two tables of one machine, mean over mean; that {AFTER} has spans is what the \
         other branch's name says. Here: over raw FFI on the same \
         LMDB, the ratio that the run's own page has.\n",
        percent(confidence)
    );
    let mut words = Vec::new();
    for (finish, beside) in [(Finish::Abort, &there[..]), (Finish::Commit, &[])] {
        let here = compare.map(|compare| ratios_here(seed, compare, finish)).unwrap_or_default();
        let mut table = Table::new(&[
            ("Ratio", Align::Left),
            ("BatchSize", Align::Right),
            ("Mean", Align::Right),
            ("Interval", Align::Left),
            ("Range", Align::Left),
        ]);
        for row in beside.iter().chain(&here) {
            let Ok(mean) = GeometricMean::of(&row.ratios, confidence) else { continue };
            table.row([
                row.name.clone(),
                row.batch_size.to_string(),
                units::ratio(mean.mean),
                mean.interval.map_or("-".to_owned(), |it| interval(it.low, it.high)),
                interval(mean.min, mean.max),
            ]);
        }
        if !table.is_empty() {
            let _ = write!(text, "\n{finish}:\n\n{table}");
        }
        words.extend(longer(beside).map(|range| format!("There the old way took {range} longer")));
        let same = here.iter().filter(|row| row.name.starts_with(BEFORE)).collect::<Vec<_>>();
        let here =
            longer(same).map(|range| format!("here, with {finish}, {range} longer than raw FFI"));
        words.extend(here);
    }
    if !words.is_empty() {
        let _ = write!(text, "\n{}.\n", words.join("; "));
    }
    text
}

/// By how much a transaction takes longer, over all ratios: `20 % to 35 %`.
fn longer<'row>(rows: impl IntoIterator<Item = &'row Row>) -> Option<String> {
    let ratios: Vec<f64> = rows.into_iter().flat_map(|row| row.ratios.clone()).collect();
    let lowest = ratios.iter().copied().reduce(f64::min)?;
    let highest = ratios.iter().copied().reduce(f64::max)?;
    let percent = |ratio: f64| format!("{:.0} %", (ratio - 1.0) * 100.0);
    Some(format!("{} to {}", percent(lowest), percent(highest)))
}

fn batch_sizes(seed: &Seed) -> Vec<usize> {
    let rows = seed.tables.iter().flat_map(|table| &table.rows);
    let mut sizes: Vec<usize> = rows.map(|row| row.batch_size).collect();
    sizes.sort_unstable();
    sizes.dedup();
    sizes
}

/// The pre-span branch over the one with spans.
fn ratios_there(seed: &Seed) -> Vec<Row> {
    let (Some(before), Some(after)) = (seed.branch(BEFORE), seed.branch(AFTER)) else {
        return Vec::new();
    };
    let rows = batch_sizes(seed).into_iter().map(|batch_size| Row {
        name: "there: pre-span / span".to_owned(),
        batch_size,
        ratios: before
            .rows
            .iter()
            .filter(|row| row.batch_size == batch_size)
            .filter_map(|row| {
                Some(row.mean_us / after.row(row.batch_size, row.write_size)?.mean_us)
            })
            .collect(),
    });
    rows.collect()
}

fn ratios_here(seed: &Seed, compare: &Results, finish: Finish) -> Vec<Row> {
    let mut rows = Vec::new();
    for style in STYLES {
        for batch_size in batch_sizes(seed) {
            let of = |case: &&CaseRecord| {
                case.backend == style
                    && case.workload.batch_size == batch_size
                    && is_like_the_seed(&case.workload, finish)
            };
            let cases = compare.cases.iter().filter(of);
            let ratios = cases.filter_map(|case| Some(case.relative.as_ref()?.estimate)).collect();
            rows.push(Row { name: format!("{style} / {REFERENCE}"), batch_size, ratios });
        }
    }
    rows
}

#[cfg(test)]
mod tests {
    use super::*;
    use records::seed::stored;

    #[test]
    fn the_ratio_there_is_of_the_same_cases() {
        let rows = ratios_there(&stored());
        let sizes: Vec<usize> = rows.iter().map(|row| row.batch_size).collect();
        assert_eq!(sizes, [1, 10, 100]);
        assert!((rows[0].ratios[0] - 1.745 / 1.154).abs() < 1e-9);
        assert!(rows.iter().all(|row| row.ratios.len() == 4));
    }
}
