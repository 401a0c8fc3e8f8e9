//! The tables of a comparison: engine effect, what a user sees, overhead, noise floor, and the summary.

use write_backend::Workload;

use crate::engine;
use crate::groups::{UNNAMED, WorkloadTable};
use crate::table::{Column, Section, Table};
use crate::view::{Role, View};
use crate::{summary, units};
use records::schema::{CaseRecord, Ratio};

/// How to read the column.
const LUCK: &str = " Estimate and interval are of the mean over link orders. Luck is the spread (standard \
     deviation) over them, of all value sizes together: a single build, yours too, may be off by twice as \
     much.";

/// All tables of a comparison, the summary last: what a person reads first is what a terminal shows
/// last. `equal` is the same run with all engines compiled with equal flags.
#[must_use]
pub fn sections(view: &View<'_>, equal: Option<&View<'_>>) -> Vec<Section> {
    let mut sections = engine::sections(view, equal);
    let has_luck =
        view.cases().any(|case| case.overhead.as_ref().is_some_and(|it| it.luck.is_some()));
    let overhead = format!(
        "Time over that of raw FFI on the same LMDB. 1.03 means that the binding takes 3 % longer than \
         the C calls it stands for.{}",
        if has_luck { LUCK } else { "" }
    );
    let relative = format!(
        "What a user sees: time over that of {}, binding and engine together.",
        view.reference()
    ) + &uncontrolled(view);
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
    sections.extend(summary::section(view));
    sections
}

/// Who gets no overhead, and why; empty where all get one.
fn uncontrolled(view: &View<'_>) -> String {
    let reasons = view.with_role(Role::Uncontrolled).map(|backend| {
        let engine = backend.engine_version.as_deref().unwrap_or_default();
        format!(
            " {} gets no overhead: no backend of this run is raw FFI on its LMDB {engine}.",
            backend.id
        )
    });
    reasons.collect()
}

/// One row per case of a binding that has the ratio.
fn ratios<'a>(
    view: &'a View<'_>,
    heading: &str,
    ratio: impl Fn(&'a CaseRecord) -> Option<&'a Ratio>,
) -> Table {
    let is_binding = |case: &&CaseRecord| {
        let role = view.backend(&case.backend).map(|it| view.role(it));
        matches!(role, Some(Role::Binding | Role::Uncontrolled))
    };
    let rows: Vec<(&CaseRecord, &Ratio)> =
        view.cases().filter(is_binding).filter_map(|case| Some((case, ratio(case)?))).collect();
    let workloads: Vec<Workload> = rows.iter().map(|(case, _)| case.workload).collect();
    let interval = format!("{} interval", units::percent(view.results.options.confidence));
    let has_luck = rows.iter().any(|(_, ratio)| ratio.luck.is_some());
    let luck = has_luck.then(|| Column::right("Luck"));
    let ratio = [Column::right(heading), Column::left(interval)];
    let numbers = ratio.into_iter().chain(luck).chain([Column::left("Verdict")]);
    let mut table = WorkloadTable::new(&workloads, &[], [Column::left("Backend")], numbers);
    for (case, ratio) in rows {
        let luck = has_luck.then(|| units::or_absent(ratio.luck, units::luck));
        let found = [units::ratio(ratio.estimate), units::interval(ratio.low, ratio.high)];
        let cells = found.into_iter().chain(luck).chain([ratio.verdict.to_string()]);
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
