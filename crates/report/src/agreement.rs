//! Whether several runs agree as often as their intervals promise.

use std::collections::BTreeSet;

use crate::table::{Column, Listing, Section, Table};
use crate::units;
use records::trials::{Agreement, Repeated};
use statistics::{median, normal_reach};

/// A pair of runs agrees when the second estimate is no further from the middle of the first interval than
/// so many of its half-widths: two honest 95 % intervals do so in 96 to 97 of 100 pairs.
const REACH: f64 = 1.5;

/// What the runs say of one ratio.
struct Spread {
    /// The variance between runs.
    between: f64,
    /// The variance that the intervals claim, as the mean over runs.
    claimed: f64,
}

/// The table, with how to read it.
#[must_use]
pub fn section(found: &Agreement) -> Section {
    let headings = ["Ratios", "Between runs", "Claimed", "Variance ratio", "Pairs that agree"];
    let names = ["Finish", "BatchSize"].map(Column::left);
    let mut table = Table::new(names.into_iter().chain(headings.map(Column::right)));
    let finishes: BTreeSet<&str> = found.ratios.iter().map(finish).collect();
    let batches: BTreeSet<usize> = found.ratios.iter().map(|it| it.workload.batch_size).collect();
    for name in finishes {
        let mut row = |batch: Option<usize>| {
            let is_meant = |it: &&Repeated| {
                finish(it) == name && batch.is_none_or(|batch| it.workload.batch_size == batch)
            };
            let mine: Vec<&Repeated> = found.ratios.iter().filter(is_meant).collect();
            let batch = batch.map_or("all".to_owned(), |batch| batch.to_string());
            if !mine.is_empty() {
                table.row([vec![name.to_owned(), batch], cells(&mine, found.confidence)].concat());
            }
        };
        for batch in batches.iter().map(|batch| Some(*batch)).chain([None]) {
            row(batch);
        }
    }
    let seeds: Vec<String> = found.seeds.iter().map(u64::to_string).collect();
    let about = format!(
        "{} of the same sources with different seeds ({}), on {}. Between runs: the standard deviation of a \
         ratio over runs; Claimed: the standard error behind its intervals; both are medians. Variance \
         ratio: the mean of both squared, one over the other; 1 where the intervals are honest. A pair of \
         runs agrees on a ratio when the second's estimate lies within {REACH} times the first's interval.",
        units::counted(found.seeds.len(), "run", "runs"),
        seeds.join(", "),
        found.host.cpu
    );
    Section::new("Agreement of runs", about, table)
}

/// The same for a command.
#[must_use]
pub fn listing(found: &Agreement) -> Listing {
    let title = format!("{}: runs that were repeated", found.host.name);
    Listing { title, lines: Vec::new(), sections: vec![section(found)] }
}

fn finish(ratio: &Repeated) -> &'static str {
    ratio.workload.finish.name()
}

fn cells(ratios: &[&Repeated], confidence: f64) -> Vec<String> {
    let errors = normal_reach(1.0 - confidence);
    let spreads: Vec<Spread> = ratios.iter().map(|it| Spread::of(it, errors)).collect();
    let of = |value: fn(&Spread) -> f64| spreads.iter().map(value).collect::<Vec<f64>>();
    let percent = |variances: Vec<f64>| {
        let middle = median(variances.into_iter().map(f64::sqrt).collect());
        units::or_absent(middle, |it| format!("{:.2} %", 100.0 * it))
    };
    let ratio = of(|it| it.between / it.claimed).iter().sum::<f64>() / spreads.len() as f64;
    let agree: Vec<bool> = ratios.iter().flat_map(|it| pairs(it)).collect();
    let share = agree.iter().filter(|it| **it).count() as f64 / agree.len().max(1) as f64;
    vec![
        ratios.len().to_string(),
        percent(of(|it| it.between)),
        percent(of(|it| it.claimed)),
        format!("{ratio:.2}"),
        format!("{:.1} %", 100.0 * share),
    ]
}

impl Spread {
    fn of(ratio: &Repeated, errors: f64) -> Self {
        let count = ratio.runs.len() as f64;
        let logs: Vec<f64> = ratio.runs.iter().map(|[estimate, ..]| estimate.ln()).collect();
        let mean = logs.iter().sum::<f64>() / count;
        let squares: f64 = logs.iter().map(|log| (log - mean).powi(2)).sum();
        let error = |[_, low, high]: &[f64; 3]| ((high / low).ln() / 2.0 / errors).powi(2);
        let claimed = ratio.runs.iter().map(error).sum::<f64>() / count;
        Self { between: squares / (count - 1.0), claimed }
    }
}

/// For each two runs, in both orders, whether they agree.
fn pairs(ratio: &Repeated) -> Vec<bool> {
    let agree = |[_, low, high]: &[f64; 3], [estimate, ..]: &[f64; 3]| {
        (estimate - f64::midpoint(*low, *high)).abs() <= REACH * (high - low) / 2.0
    };
    let runs = ratio.runs.iter().enumerate();
    let with = |(place, first): (usize, &[f64; 3])| -> Vec<bool> {
        let others = ratio.runs.iter().enumerate().filter(|(other, _)| *other != place);
        others.map(|(_, second)| agree(first, second)).collect()
    };
    runs.flat_map(with).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use records::testing::{host, workload};

    #[test]
    fn a_variance_twice_as_large_as_claimed_is_seen() {
        // Standard deviation 0.02 between runs; each claims a standard error of 0.01 * sqrt(2).
        let run = |log: f64| {
            let reach = 1.96 * 0.01 * 2.0_f64.sqrt();
            [log, log - reach, log + reach].map(f64::exp)
        };
        let repeated = Repeated {
            backend: "heed".to_owned(),
            against: "raw-ffi".to_owned(),
            workload: workload("abort-n10-v4-k4-sequential-nosync"),
            runs: vec![run(0.1), run(0.12), run(0.14)],
        };
        let (started_unix, seeds) = (0, vec![1, 2, 3]);
        let (schema, confidence, ratios) = (1, 0.95, vec![repeated]);
        let found = Agreement { schema, started_unix, host: host(), confidence, seeds, ratios };
        let text = section(&found).table.to_string();
        // The outer two are 0.04 apart, and 1.5 times the interval reaches 0.0416.
        let row = "| abort  | 10        |      1 |       2.00 % |  1.41 % |           2.00 |          100.0 % |";
        assert!(text.contains(row), "{text}");
    }
}
