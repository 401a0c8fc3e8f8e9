//! The tables of a comparison: engine effect, what a user sees, overhead, noise floor, and the summary.

use write_backend::Workload;

use crate::engine;
use crate::groups::{AVERAGED, Group, UNNAMED, WorkloadTable, over};
use crate::table::{Cell, Column, Section, Table};
use crate::units;
use crate::view::{Role, View};
use records::schema::{CaseRecord, Ratio};
use statistics::{GeometricMean, Verdict};

/// All tables of a comparison, the summary last: what a person reads first is what a terminal shows
/// last. `equal` is the same run with all engines compiled with equal flags, `luck` the spread that code
/// layout alone gives to a user's own build, as a part of 1.
#[must_use]
pub fn sections(view: &View<'_>, equal: Option<&View<'_>>, luck: Option<f64>) -> Vec<Section> {
    let mut sections = engine::sections(view, equal);
    let overhead = format!(
        "Time over that of raw FFI on the same LMDB. 1.03 means that the binding takes 3 % longer than \
         the C calls it stands for.{}",
        luck.map_or(String::new(), |luck| format!(" {}", luck_note(luck)))
    );
    let relative = format!(
        "What a user sees: time over that of {}, binding and engine together.",
        view.reference()
    );
    // Where the control is the reference itself, the first would repeat the second.
    let seen = ratios(view, "Relative", |case| {
        case.relative.as_ref().filter(|relative| Some(*relative) != case.overhead.as_ref())
    });
    let own = ratios(view, "Overhead", |case| case.overhead.as_ref());
    let tables = [
        ("Binding and engine", relative, seen),
        ("Binding overhead", overhead, own),
        ("Noise floor", floor_note(view), floors(view)),
    ];
    let tables = tables.into_iter().filter(|(_, _, table)| !table.is_empty());
    sections.extend(tables.map(|(title, about, table)| Section::new(title, about, table)));
    sections.extend(summary(view));
    sections
}

/// What code layout does to a build of the reader's own.
#[must_use]
pub fn luck_note(luck: f64) -> String {
    format!(
        "In a build of your own, code layout alone changes a time by {:.1} % (standard deviation, \
         measured on the reference machine, see METHOD.md): an overhead smaller than that is no reason \
         to choose another binding.",
        luck * 100.0
    )
}

/// One row per case of a binding that has the ratio.
fn ratios<'a>(
    view: &'a View<'_>,
    heading: &str,
    ratio: impl Fn(&'a CaseRecord) -> Option<&'a Ratio>,
) -> Table {
    let is_binding = |case: &&CaseRecord| {
        view.backend(&case.backend).is_some_and(|it| view.role(it) == Role::Binding)
    };
    let rows: Vec<(&CaseRecord, &Ratio)> =
        view.cases().filter(is_binding).filter_map(|case| Some((case, ratio(case)?))).collect();
    let workloads: Vec<Workload> = rows.iter().map(|(case, _)| case.workload).collect();
    let interval = format!("{} interval", units::percent(view.results.options.confidence));
    let numbers = [Column::right(heading), Column::left(interval), Column::left("Verdict")];
    let mut table = WorkloadTable::new(&workloads, &[], [Column::left("Backend")], numbers);
    for (case, ratio) in rows {
        let cells = [
            units::ratio(ratio.estimate),
            units::interval(ratio.low, ratio.high),
            ratio.verdict.to_string(),
        ];
        table.row([case.backend.as_str()], &case.workload, cells);
    }
    table.table
}

/// One row per workload that has a noise floor.
fn floors(view: &View<'_>) -> Table {
    let has_floor = |workload: &&Workload| view.noise_floor(workload).is_some();
    let workloads: Vec<Workload> = view.workloads().iter().filter(has_floor).copied().collect();
    let mut table = WorkloadTable::new(&workloads, &[], [], [Column::left("A/A interval")]);
    for workload in &workloads {
        let floor = view.noise_floor(workload).map(|it| units::interval(it.low, it.high));
        table.row(UNNAMED, workload, floor);
    }
    table.table
}

fn floor_note(view: &View<'_>) -> String {
    format!(
        "The A/A twin is a second launch of {} in every block, treated as if it were another backend. \
         Its ratio to the first differs from 1 by noise alone. A difference inside this interval, made \
         symmetric about 1, is not claimed. Intervals at {}.",
        view.reference(),
        units::percent(view.results.options.confidence)
    )
}

/// One row per backend with an overhead and group of workloads; `None` where none has.
#[must_use]
pub fn summary(view: &View<'_>) -> Option<Section> {
    let overheads = overheads(view);
    let likes: Vec<Workload> = overheads.iter().map(|row| row.group.like).collect();
    let numbers = [
        Column::right("Overhead"),
        Column::left("Interval").keys(&["low", "high"]),
        Column::left("Range").keys(&["lowest", "highest"]),
        Column::right("No diff.").keys(&["no_difference_found"]),
    ];
    let mut table = WorkloadTable::new(&likes, &AVERAGED, [Column::left("Backend")], numbers);
    for Overheads { backend, group, mean, no_difference, .. } in &overheads {
        let cells = [
            Cell::number(units::ratio(mean.mean), mean.mean),
            mean.interval.map_or_else(Cell::absent, |it| Cell::interval(it.low, it.high)),
            Cell::interval(mean.min, mean.max),
            format!("{no_difference} of {}", mean.workloads).into(),
        ];
        table.row([*backend], &group.like, cells);
    }
    let note = summary_note(view, &overheads);
    (!overheads.is_empty()).then(|| Section::new("Summary", note, table.table))
}

/// The overhead of one backend, as a mean over batch size and value size.
#[derive(Debug, Clone, PartialEq)]
pub struct Overheads<'run> {
    /// The backend.
    pub backend: &'run str,
    /// The workloads, which agree in all other axes.
    pub group: Group,
    /// The mean over workloads, with lowest and highest.
    pub mean: GeometricMean,
    /// In how many of them no difference was found.
    pub no_difference: usize,
    /// Where the binding was found to be faster than the C calls it stands for.
    pub faster: Vec<Workload>,
}

/// The overheads of all backends that have one, by backend and group.
#[must_use]
pub fn overheads<'run>(view: &View<'run>) -> Vec<Overheads<'run>> {
    let groups = view.groups_over(&AVERAGED);
    let confidence = view.results.options.confidence;
    let pairs =
        view.with_role(Role::Binding).flat_map(|it| groups.iter().map(move |group| (it, group)));
    let found = pairs.filter_map(|(backend, group)| {
        let cases = view.cases_of(&backend.id, &group.workloads);
        let ratios: Vec<(Workload, &Ratio)> =
            cases.filter_map(|case| Some((case.workload, case.overhead.as_ref()?))).collect();
        let estimates: Vec<f64> = ratios.iter().map(|(_, ratio)| ratio.estimate).collect();
        let mean = GeometricMean::of(&estimates, confidence).ok()?;
        let with = |verdict| ratios.iter().filter(move |(_, ratio)| ratio.verdict == verdict);
        let no_difference = with(Verdict::NoDifferenceFound).count();
        let faster = with(Verdict::Faster).map(|(workload, _)| *workload).collect();
        Some(Overheads { backend: &backend.id, group: group.clone(), mean, no_difference, faster })
    });
    found.collect()
}

fn summary_note(view: &View<'_>, overheads: &[Overheads<'_>]) -> String {
    let over = over(view.workloads(), &AVERAGED);
    format!(
        "Overhead is the geometric mean over workloads{over}. Interval is its {} interval with the \
         workload as the unit, Range its lowest and highest workload. \"No diff.\" counts the workloads \
         in which no difference was found.{} Verdicts keep the share of false claims among all claims \
         of this run below {} (Benjamini and Hochberg) and respect the noise floor. So an interval may \
         exclude 1 without a claim.",
        units::percent(view.results.options.confidence),
        others_note(overheads),
        units::percent(1.0 - view.results.options.confidence)
    )
}

/// Which way the differences go that were found; nothing where none was.
fn others_note(overheads: &[Overheads<'_>]) -> String {
    let undecided: usize = overheads.iter().map(|row| row.no_difference).sum();
    let all: usize = overheads.iter().map(|row| row.mean.workloads).sum();
    let faster: Vec<String> = overheads
        .iter()
        .filter(|row| !row.faster.is_empty())
        .map(|row| {
            let workloads: Vec<String> = row.faster.iter().map(Workload::to_string).collect();
            format!("{} in {}", row.backend, workloads.join(", "))
        })
        .collect();
    if undecided == all {
        return String::new();
    }
    let place = if undecided == 0 { "In all of them" } else { "In the others" };
    let except = match faster.as_slice() {
        [] => String::new(),
        faster => format!(", except: {}", faster.join("; ")),
    };
    format!(" {place} the binding was slower{except}.")
}
