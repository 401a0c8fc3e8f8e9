//! The tables of a comparison: overhead, engine effect, what a user sees, and the summary.

use std::collections::BTreeSet;

use write_backend::Workload;

use crate::registry::REFERENCE;
use crate::report::section::Section;
use crate::report::table::{Align, Table};
use crate::report::units;
use crate::results::schema::{CaseRecord, Comparison, Results};
use crate::stats::{GeometricMean, Interval, Verdict};

/// What the overhead tables show, in one line.
pub const OVERHEAD: &str = "Binding overhead: time over that of raw FFI on the same LMDB. 1.03 \
     means that the binding takes 3 % longer than the C calls it stands for.";
/// What the engine table shows, in one line.
pub const ENGINE: &str = "Engine effect: raw FFI on a binding's LMDB over raw FFI on lmdb-sys's. It \
     is the C library's version and compiler flags, not the binding.";
/// What the relative table shows, in one line.
pub const RELATIVE: &str = "What a user sees: time over that of raw-ffi, binding and engine \
     together.";

/// All tables of a comparison: [`sections`] as Markdown.
#[must_use]
pub fn tables(results: &Results, luck: Option<f64>) -> String {
    sections(results, luck).iter().map(markdown).collect()
}

/// All tables of a comparison, the summary last: what a person reads first is what a terminal shows
/// last. `luck` is the spread that code layout alone gives to a user's own build, as a part of 1.
#[must_use]
pub fn sections(results: &Results, luck: Option<f64>) -> Vec<Section> {
    let cases = &results.cases;
    let binds = |case: &&CaseRecord| is_binding(results, case);
    let engine = cases.iter().filter(|case| !binds(case));
    // Where the control is raw-ffi itself, this would repeat the overhead.
    let seen = cases.iter().filter(binds).filter(|case| case.relative != case.overhead);
    let bindings = cases.iter().filter(binds);
    let overhead = format!("{OVERHEAD}{}", luck.map_or(String::new(), luck_note));
    let all = [
        ratios(engine, "Effect", |case| &case.relative)
            .map(|table| Section::new("Engine effect", ENGINE, table)),
        ratios(seen, "Relative", |case| &case.relative)
            .map(|table| Section::new("Binding and engine", RELATIVE, table)),
        ratios(bindings, "Overhead", |case| &case.overhead)
            .map(|table| Section::new("Binding overhead", overhead, table)),
        floors(cases).map(|table| Section::new("Noise floor", floor_note(results), table)),
        summary(results),
    ];
    all.into_iter().flatten().collect()
}

/// The summary alone.
#[must_use]
pub fn summary_section(results: &Results) -> String {
    summary(results).as_ref().map_or(String::new(), markdown)
}

/// A section and the empty line before the next.
fn markdown(section: &Section) -> String {
    format!("{section}\n")
}

/// Whether the case's backend is a binding with an overhead, and not a control or no LMDB at all.
fn is_binding(results: &Results, case: &CaseRecord) -> bool {
    results.backends.iter().any(|it| it.id == case.backend && it.control.is_some())
}

fn luck_note(luck: f64) -> String {
    format!(
        " In a build of your own, without this workspace's alignment, code layout alone moves a \
         time by {:.1} % (standard deviation, measured on the reference machine, see METHOD.md): an \
         overhead smaller than that decides nothing for you.",
        luck * 100.0
    )
}

pub(crate) fn interval(low: f64, high: f64) -> String {
    format!("{low:.3} to {high:.3}")
}

/// One row per case that has the ratio; `None` where none has.
fn ratios<'a>(
    cases: impl Iterator<Item = &'a CaseRecord>,
    name: &str,
    ratio: impl Fn(&CaseRecord) -> &Option<Comparison>,
) -> Option<Table> {
    let rows: Vec<(&CaseRecord, Comparison)> =
        cases.filter_map(|case| Some((case, ratio(case).clone()?))).collect();
    let (_, first) = rows.first()?;
    let confidence = format!("{} interval", percent(first.confidence));
    let workloads: Vec<Workload> = rows.iter().map(|(case, _)| case.workload).collect();
    // Once: it looks at every workload.
    let axes = axes(&workloads);
    let mut columns = vec![("Backend", Align::Left)];
    columns.extend(axes.iter().map(|axis| (axis.name(), axis.align())));
    let identifying = columns.len();
    columns.extend([
        (name, Align::Right),
        (confidence.as_str(), Align::Left),
        ("Verdict", Align::Left),
    ]);
    let mut table = Table::new(&columns).identified_by(identifying);
    for (case, ratio) in &rows {
        let mut cells = vec![case.backend.clone()];
        cells.extend(axes.iter().map(|axis| axis.value(&case.workload)));
        cells.extend([
            units::ratio(ratio.estimate),
            interval(ratio.low, ratio.high),
            ratio.verdict.to_string(),
        ]);
        table.row(cells);
    }
    Some(table)
}

/// One row per workload that has a noise floor; `None` where none has.
fn floors(cases: &[CaseRecord]) -> Option<Table> {
    let mut rows: Vec<(Workload, Interval)> = Vec::new();
    for case in cases {
        let known = rows.iter().any(|(workload, _)| *workload == case.workload);
        if let (Some(floor), false) = (case.noise_floor, known) {
            rows.push((case.workload, floor));
        }
    }
    if rows.is_empty() {
        return None;
    }
    let workloads: Vec<Workload> = rows.iter().map(|(workload, _)| *workload).collect();
    let axes = axes(&workloads);
    let mut columns: Vec<(&str, Align)> =
        axes.iter().map(|axis| (axis.name(), axis.align())).collect();
    columns.push(("A/A interval", Align::Left));
    let mut table = Table::new(&columns).identified_by(axes.len());
    for (workload, floor) in &rows {
        let mut cells: Vec<String> = axes.iter().map(|axis| axis.value(workload)).collect();
        cells.push(interval(floor.low, floor.high));
        table.row(cells);
    }
    Some(table)
}

fn floor_note(results: &Results) -> String {
    format!(
        "A second launch of {REFERENCE} in every block, treated as if it were another backend: its \
         ratio to the first is 1 but for noise. A difference inside this interval, made symmetric \
         about 1, is not claimed. Intervals at {}.",
        percent(results.options.confidence)
    )
}

/// One row per backend with an overhead, over all its workloads; `None` where none has.
fn summary(results: &Results) -> Option<Section> {
    let columns = [
        ("Backend", Align::Left),
        ("Finish", Align::Left),
        ("Overhead", Align::Right),
        ("Interval", Align::Left),
        ("Range", Align::Left),
        ("Slower", Align::Right),
        ("Faster", Align::Right),
        ("No diff.", Align::Right),
    ];
    let mut table = Table::new(&columns).identified_by(2).sparing(&["Range"]);
    for backend in &results.backends {
        let finishes: BTreeSet<_> = results.cases.iter().map(|case| case.workload.finish).collect();
        for finish in finishes {
            let overheads: Vec<&Comparison> = results
                .cases
                .iter()
                .filter(|case| case.backend == backend.id && case.workload.finish == finish)
                .filter_map(|case| case.overhead.as_ref())
                .collect();
            let estimates: Vec<f64> = overheads.iter().map(|ratio| ratio.estimate).collect();
            let Ok(mean) = GeometricMean::of(&estimates, results.options.confidence) else {
                continue;
            };
            let count = |verdict| overheads.iter().filter(|it| it.verdict == verdict).count();
            table.row([
                backend.id.clone(),
                finish.to_string(),
                units::ratio(mean.mean),
                mean.interval.map_or("-".to_owned(), |it| interval(it.low, it.high)),
                interval(mean.min, mean.max),
                count(Verdict::Slower).to_string(),
                count(Verdict::Faster).to_string(),
                count(Verdict::NoDifferenceFound).to_string(),
            ]);
        }
    }
    (!table.is_empty()).then(|| Section::new("Summary", summary_note(results), table))
}

fn summary_note(results: &Results) -> String {
    format!(
        "Overhead is the geometric mean over workloads, Interval its {} interval with the workload \
         as the unit, Range its lowest and highest workload. The counts are of workloads by verdict; \
         verdicts keep the share of false claims among all claims of this run below {} (Benjamini \
         and Hochberg) and respect the noise floor, so an interval may exclude 1 without a claim.",
        percent(results.options.confidence),
        percent(1.0 - results.options.confidence)
    )
}

pub(crate) fn percent(part: f64) -> String {
    let text = format!("{:.2}", part * 100.0);
    format!("{} %", text.trim_end_matches('0').trim_end_matches('.'))
}

/// The axes of a workload that a table has a column for.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Axis {
    Finish,
    Sync,
    Order,
    KeySize,
    BatchSize,
    ValueSize,
}

impl Axis {
    const ALL: [Self; 6] =
        [Self::Finish, Self::Sync, Self::Order, Self::KeySize, Self::BatchSize, Self::ValueSize];

    pub(crate) fn name(self) -> &'static str {
        match self {
            Self::Finish => "Finish",
            Self::Sync => "Sync",
            Self::Order => "Keys",
            Self::KeySize => "KeySize",
            Self::BatchSize => "BatchSize",
            Self::ValueSize => "WriteSize",
        }
    }

    /// The name that programs read: that of the field in a results file.
    pub(crate) fn key(self) -> &'static str {
        match self {
            Self::Finish => "finish",
            Self::Sync => "sync",
            Self::Order => "key_order",
            Self::KeySize => "key_size",
            Self::BatchSize => "batch_size",
            Self::ValueSize => "value_size",
        }
    }

    pub(crate) fn align(self) -> Align {
        match self {
            Self::Finish | Self::Sync | Self::Order => Align::Left,
            Self::KeySize | Self::BatchSize | Self::ValueSize => Align::Right,
        }
    }

    pub(crate) fn value(self, workload: &Workload) -> String {
        match self {
            Self::Finish => workload.finish.to_string(),
            Self::Sync => workload.sync.to_string(),
            Self::Order => workload.key_order.to_string(),
            Self::KeySize => workload.key_size.to_string(),
            Self::BatchSize => workload.batch_size.to_string(),
            Self::ValueSize => workload.value_size.to_string(),
        }
    }
}

/// Finish, batch and value size always; the others where they differ, so that a table of the default
/// matrix fits 80 columns.
pub(crate) fn axes(workloads: &[Workload]) -> Vec<Axis> {
    let differs = |axis: Axis| {
        let values: BTreeSet<String> =
            workloads.iter().map(|workload| axis.value(workload)).collect();
        values.len() > 1
    };
    let always = [Axis::Finish, Axis::BatchSize, Axis::ValueSize];
    let mut axes = Axis::ALL.to_vec();
    axes.retain(|axis| always.contains(axis) || differs(*axis));
    axes
}
