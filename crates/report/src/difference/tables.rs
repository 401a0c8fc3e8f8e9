//! The tables of pairs that were judged.

use write_backend::Workload;

use super::Pair;
use crate::axes::{Axis, axes};
use crate::comparison::interval;
use crate::section::Section;
use crate::table::{Align, Cell, Table};
use crate::units;
use statistics::{GeometricMean, Verdict};

/// What is compared, and the words for it.
pub(super) struct Quantity {
    title: &'static str,
    about: &'static str,
    /// What stands under A and under B: headings, and keys for programs.
    headings: [&'static str; 2],
    keys: [&'static str; 2],
    text: fn(f64) -> String,
    /// What a ratio below and above 1 means.
    below: &'static str,
    above: &'static str,
}

pub(super) const TIMES: Quantity = Quantity {
    title: "Times",
    about: "Median time per transaction in A and in B. \"B / A\" is estimated from the launches of \
            both, which nothing pairs (Hodges and Lehmann; interval of the rank-sum test): below 1 B \
            is faster. Verdicts keep the share of false claims among those about times below 1 - \
            confidence and respect the noise floors of both runs. What slowed the machine during one \
            of the runs is part of the difference and no interval shows it.",
    headings: ["Median A", "Median B"],
    keys: ["median_a_ns", "median_b_ns"],
    text: units::time,
    below: "faster",
    above: "slower",
};

pub(super) const OVERHEADS: Quantity = Quantity {
    title: "Overheads",
    about: "Time over that of raw FFI on the same LMDB, in A and in B, and how much it changed. What \
            slows a machine as a whole cancels in an overhead, so that it can be compared between \
            runs, and with care between machines.",
    headings: ["A", "B"],
    keys: ["overhead_a", "overhead_b"],
    text: units::ratio,
    below: "lower",
    above: "higher",
};

/// One table for each end of transactions, in the order of the pairs.
pub(super) fn sections(
    quantity: &Quantity,
    pairs: &[Pair<'_>],
    verdicts: &[Option<Verdict>],
) -> Vec<Section> {
    let mut groups: Vec<(String, Vec<Judged<'_>>)> = Vec::new();
    for judged in pairs.iter().zip(verdicts.iter().copied()) {
        let Workload { finish, sync, .. } = judged.0.a.workload;
        let title = format!("{}: {finish}, {sync}", quantity.title);
        match groups.iter_mut().find(|(known, _)| *known == title) {
            Some((_, members)) => members.push(judged),
            None => groups.push((title, vec![judged])),
        }
    }
    let section = |(index, (title, members)): (usize, (String, Vec<Judged<'_>>))| {
        // Said once, not above every table.
        let about = if index == 0 { quantity.about } else { "" };
        Section::new(title, about, table(quantity, &members))
    };
    groups.into_iter().enumerate().map(section).collect()
}

type Judged<'a> = (&'a Pair<'a>, Option<Verdict>);

fn table(quantity: &Quantity, pairs: &[Judged<'_>]) -> Table {
    let workloads: Vec<Workload> = pairs.iter().map(|(pair, _)| pair.a.workload).collect();
    let mut axes = axes(&workloads);
    axes.retain(|axis| *axis != Axis::Finish);
    let [a, b] = quantity.headings;
    let [key_a, key_b] = quantity.keys;
    let mut columns =
        vec![("Backend", "backend", Align::Left), ("Workload", "workload", Align::Left)];
    columns.extend(axes.iter().map(|axis| (axis.name(), axis.key(), axis.align())));
    let identifying = columns.len();
    columns.extend([
        (a, key_a, Align::Right),
        (b, key_b, Align::Right),
        ("B / A", "ratio", Align::Right),
        ("Interval", "interval", Align::Left),
        ("Low", "low", Align::Right),
        ("High", "high", Align::Right),
        ("Verdict", "verdict", Align::Left),
    ]);
    let headings: Vec<(&str, Align)> = columns.iter().map(|it| (it.0, it.2)).collect();
    let keys: Vec<&str> = columns.iter().map(|it| it.1).collect();
    let mut table = Table::new(&headings)
        .keyed(&keys)
        .hiding(&["workload", "low", "high"])
        .identified_by(identifying)
        .sparing(&[a, b]);
    for (pair, verdict) in pairs {
        table.row(row(quantity, pair, *verdict, &axes));
    }
    table
}

fn row(quantity: &Quantity, pair: &Pair<'_>, verdict: Option<Verdict>, axes: &[Axis]) -> Vec<Cell> {
    let workload = &pair.a.workload;
    let mut cells: Vec<Cell> = vec![pair.a.backend.clone().into(), workload.to_string().into()];
    cells.extend(axes.iter().map(|axis| axis.value(workload).into()));
    cells.extend(pair.values.map(|value| Cell::number((quantity.text)(value), value)));
    let number = |value: f64| Cell::number(units::ratio(value), value);
    match (&pair.ratio, verdict) {
        (Ok(ratio), Some(verdict)) => cells.extend([
            number(ratio.estimate),
            interval(ratio.low, ratio.high).into(),
            number(ratio.low),
            number(ratio.high),
            match verdict {
                Verdict::Faster => quantity.below.into(),
                Verdict::Slower => quantity.above.into(),
                Verdict::NoDifferenceFound => verdict.to_string().into(),
            },
        ]),
        (ratio, _) => {
            let reason = ratio.as_ref().err().cloned().unwrap_or_default();
            cells.push(number(pair.values[1] / pair.values[0]));
            cells.extend([Cell::absent(), Cell::absent(), Cell::absent(), reason.into()]);
        }
    }
    cells
}

/// One row per backend, over its workloads.
pub(super) fn summary(pairs: &[Pair<'_>], verdicts: &[Option<Verdict>]) -> Table {
    let columns = [
        ("Backend", Align::Left),
        ("B / A", Align::Right),
        ("Range", Align::Left),
        ("Faster", Align::Right),
        ("Slower", Align::Right),
        ("No diff.", Align::Right),
    ];
    let keys = ["backend", "ratio", "range", "faster", "slower", "no_difference_found"];
    let mut table = Table::new(&columns).keyed(&keys);
    let mut backends: Vec<&str> = Vec::new();
    for pair in pairs {
        if !backends.contains(&pair.a.backend.as_str()) {
            backends.push(&pair.a.backend);
        }
    }
    for backend in backends {
        let mine: Vec<(&Pair<'_>, &Option<Verdict>)> =
            pairs.iter().zip(verdicts).filter(|(pair, _)| pair.a.backend == backend).collect();
        let ratios: Vec<f64> =
            mine.iter().filter_map(|(pair, _)| Some(pair.ratio.as_ref().ok()?.estimate)).collect();
        // Any confidence: the interval is not shown.
        let Ok(mean) = GeometricMean::of(&ratios, 0.5) else { continue };
        let count = |verdict: Verdict| {
            let count = mine.iter().filter(|(_, it)| **it == Some(verdict)).count();
            Cell::number(count.to_string(), count as f64)
        };
        table.row([
            backend.into(),
            Cell::number(units::ratio(mean.mean), mean.mean),
            interval(mean.min, mean.max).into(),
            count(Verdict::Faster),
            count(Verdict::Slower),
            count(Verdict::NoDifferenceFound),
        ]);
    }
    table
}
