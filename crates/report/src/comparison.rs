//! The tables of a comparison: overhead, engine effect, what a user sees, and the summary.

use std::collections::BTreeSet;

use write_backend::{Finish, Workload};

use crate::REFERENCE;
use crate::axes::axes;
use crate::engine;
use crate::section::Section;
use crate::table::{Align, Table};
use crate::units;
use records::schema::{CaseRecord, Ratio, Results};
use statistics::{GeometricMean, Interval, Verdict};

/// What the overhead tables show, in one line.
pub const OVERHEAD: &str = "Binding overhead: time over that of raw FFI on the same LMDB. 1.03 \
     means that the binding takes 3 % longer than the C calls it stands for.";
/// What the relative table shows, in one line.
pub const RELATIVE: &str = "What a user sees: time over that of raw-ffi, binding and engine \
     together.";

/// All tables of a comparison: [`sections`] as Markdown.
#[must_use]
pub fn tables(results: &Results, luck: Option<f64>) -> String {
    sections(results, luck).iter().map(markdown).collect()
}

/// The same of a published run: the engine effect with equal flags stands beside that as shipped.
#[must_use]
pub fn tables_of_published(
    results: &Results,
    equal_flags: Option<&Results>,
    luck: Option<f64>,
) -> String {
    let engines = engine::side_by_side(results, equal_flags);
    engines.iter().chain(&binding_sections(results, luck)).map(markdown).collect()
}

/// All tables of a comparison, the summary last: what a person reads first is what a terminal shows
/// last. `luck` is the spread that code layout alone gives to a user's own build, as a part of 1.
#[must_use]
pub fn sections(results: &Results, luck: Option<f64>) -> Vec<Section> {
    let mut all = engine::sections(results);
    all.extend(binding_sections(results, luck));
    all
}

fn binding_sections(results: &Results, luck: Option<f64>) -> Vec<Section> {
    let cases = &results.cases;
    let binds = |case: &&CaseRecord| is_binding(results, case);
    // Where the control is raw-ffi itself, this would repeat the overhead.
    let seen = cases.iter().filter(binds).filter(|case| case.relative != case.overhead);
    let bindings = cases.iter().filter(binds);
    let overhead = format!("{OVERHEAD}{}", luck.map_or(String::new(), luck_note));
    let all = [
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

/// An interval of ratios: `0.993–1.012`.
pub(crate) fn interval(low: f64, high: f64) -> String {
    format!("{low:.3}–{high:.3}")
}

/// One row per case that has the ratio; `None` where none has.
fn ratios<'a>(
    cases: impl Iterator<Item = &'a CaseRecord>,
    name: &str,
    ratio: impl Fn(&CaseRecord) -> &Option<Ratio>,
) -> Option<Table> {
    let rows: Vec<(&CaseRecord, Ratio)> =
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

/// One row per backend with an overhead and finish, over all its workloads; `None` where none has.
fn summary(results: &Results) -> Option<Section> {
    let columns = [
        ("Backend", Align::Left),
        ("Finish", Align::Left),
        ("Overhead", Align::Right),
        ("Interval", Align::Left),
        ("Range", Align::Left),
        ("No diff.", Align::Right),
    ];
    let mut table = Table::new(&columns).identified_by(2);
    for row in overheads(results) {
        let Overheads { backend, finish, mean, no_difference, .. } = row;
        table.row([
            backend.to_owned(),
            finish.to_string(),
            units::ratio(mean.mean),
            mean.interval.map_or("-".to_owned(), |it| interval(it.low, it.high)),
            interval(mean.min, mean.max),
            format!("{no_difference} of {}", mean.workloads),
        ]);
    }
    (!table.is_empty()).then(|| Section::new("Summary", summary_note(results), table))
}

/// The overhead of one backend with one finish, over all workloads.
#[derive(Debug, Clone, PartialEq)]
pub struct Overheads<'run> {
    /// The backend.
    pub backend: &'run str,
    /// How its transactions end.
    pub finish: Finish,
    /// The mean over workloads, with lowest and highest.
    pub mean: GeometricMean,
    /// In how many of them no difference was found.
    pub no_difference: usize,
    /// Where the binding was found to be faster than the C calls it stands for.
    pub faster: Vec<Workload>,
}

/// The overheads of all backends that have one, in the order of the backends.
#[must_use]
pub fn overheads(results: &Results) -> Vec<Overheads<'_>> {
    let finishes: BTreeSet<_> = results.cases.iter().map(|case| case.workload.finish).collect();
    let pairs = results
        .backends
        .iter()
        .flat_map(|backend| finishes.iter().map(move |finish| (backend.id.as_str(), *finish)));
    let found = pairs.filter_map(|(backend, finish)| {
        let of = |case: &&CaseRecord| case.backend == backend && case.workload.finish == finish;
        let cases = results.cases.iter().filter(of);
        let ratios: Vec<(Workload, &Ratio)> =
            cases.filter_map(|case| Some((case.workload, case.overhead.as_ref()?))).collect();
        let estimates: Vec<f64> = ratios.iter().map(|(_, ratio)| ratio.estimate).collect();
        let mean = GeometricMean::of(&estimates, results.options.confidence).ok()?;
        let with = |verdict| ratios.iter().filter(move |(_, ratio)| ratio.verdict == verdict);
        let no_difference = with(Verdict::NoDifferenceFound).count();
        let faster = with(Verdict::Faster).map(|(workload, _)| *workload).collect();
        Some(Overheads { backend, finish, mean, no_difference, faster })
    });
    found.collect()
}

fn summary_note(results: &Results) -> String {
    let faster: Vec<String> = overheads(results)
        .iter()
        .filter(|row| !row.faster.is_empty())
        .map(|row| {
            let workloads: Vec<String> = row.faster.iter().map(Workload::to_string).collect();
            format!("{} in {}", row.backend, workloads.join(", "))
        })
        .collect();
    let others = if faster.is_empty() {
        "In all others the binding was slower.".to_owned()
    } else {
        format!("In the others the binding was slower, but for: {}.", faster.join("; "))
    };
    format!(
        "Overhead is the geometric mean over workloads, Interval its {} interval with the workload \
         as the unit, Range its lowest and highest workload. \"No diff.\" counts the workloads in \
         which no difference was found. {others} Verdicts keep the share of false claims among all \
         claims of this run below {} (Benjamini and Hochberg) and respect the noise floor, so an \
         interval may exclude 1 without a claim.",
        percent(results.options.confidence),
        percent(1.0 - results.options.confidence)
    )
}

/// A part of 1 as a percentage, with no more decimals than it has.
pub(crate) fn percent(part: f64) -> String {
    let text = format!("{:.2}", part * 100.0);
    format!("{} %", text.trim_end_matches('0').trim_end_matches('.'))
}
