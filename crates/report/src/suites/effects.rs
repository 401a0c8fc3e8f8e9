//! How much another value of an axis saves or costs: each backend against itself with the usual value.

use statistics::{Difference, RatioEstimate, Verdict, verdicts};
use write_backend::{AXES, Axis, Workload};

use super::SuiteView;
use crate::groups::{Group, WorkloadTable};
use crate::table::{Cell, Column, Field, Section};
use crate::units;

/// What one backend gains or loses by another value.
#[derive(Debug, Clone)]
pub struct Effect<'run> {
    /// Its id.
    pub backend: &'run str,
    /// With the other value.
    pub workload: Workload,
    /// Time over that with the usual value, and what may be said of it.
    pub time: Option<(RatioEstimate, Verdict)>,
    /// The same of instructions per put.
    pub instructions: Option<f64>,
}

/// All effects, judged together. A run whose launches all have one link order may claim nothing.
#[must_use]
pub fn effects<'run>(view: &SuiteView<'run>) -> Vec<Effect<'run>> {
    let mut found = Vec::new();
    for workload in view.any().workloads() {
        let Some(usual) = usual(view, workload) else { continue };
        for backend in view.any().backends() {
            let id = backend.id.as_str();
            let results = view.times.as_ref().map(|it| it.results);
            let time = results.and_then(|it| it.effect(id, workload, &usual));
            let counted = [workload, &usual].map(|it| view.instructions(id, it));
            let instructions = counted[0].and_then(|it| Some(it / counted[1]?));
            if time.is_some() || instructions.is_some() {
                let may_claim = backend.one_link_order.is_none();
                found.push((id, *workload, time, instructions, may_claim));
            }
        }
    }
    let is_judged = |it: &&(_, _, Option<RatioEstimate>, _, bool)| it.2.is_some() && it.4;
    let family: Vec<Difference> = found
        .iter()
        .filter(is_judged)
        .filter_map(|it| Some(Difference { estimate: it.2?, floor: None }))
        .collect();
    let confidence = view.any().results.options.confidence;
    let mut judged = verdicts(&family, confidence).unwrap_or_default().into_iter();
    let effect = |(backend, workload, time, instructions, may_claim)| {
        let time: Option<RatioEstimate> = time;
        let time = time.map(|it| {
            let verdict = if may_claim { judged.next() } else { None };
            (it, verdict.unwrap_or(Verdict::Withheld))
        });
        Effect { backend, workload, time, instructions }
    };
    found.into_iter().map(effect).collect()
}

/// The workload that `workload` is compared with; `None` where it is that itself, or was not measured.
fn usual(view: &SuiteView<'_>, workload: &Workload) -> Option<Workload> {
    let mut usual = *workload;
    compared(view).for_each(|axis| axis.set(&mut usual, axis.defaults[0]));
    Some(usual).filter(|it| it != workload && view.any().workloads().contains(it))
}

fn compared(view: &SuiteView<'_>) -> impl Iterator<Item = &'static Axis> {
    let keys = &view.suite.compares;
    AXES.iter().filter(move |axis| keys.iter().any(|key| key == axis.key))
}

/// In which values of the compared axes `workload` differs from the usual ones: `cursor`.
#[must_use]
pub fn label(view: &SuiteView<'_>, workload: &Workload) -> String {
    let other = compared(view).filter(|axis| axis.get(workload) != axis.defaults[0]);
    other.map(|axis| crate::groups::words(axis, workload)).collect::<Vec<_>>().join(", ")
}

/// The workloads in groups that differ in the compared axes alone.
#[must_use]
pub fn groups(view: &SuiteView<'_>) -> Vec<Group> {
    let over: Vec<&str> = view.suite.compares.iter().map(String::as_str).collect();
    view.any().groups_over(&over)
}

/// A table of times and one of instructions; a column for each backend.
#[must_use]
pub fn sections(view: &SuiteView<'_>) -> Vec<Section> {
    let effects = effects(view);
    let names: Vec<&str> = compared(view).map(|axis| axis.name).collect();
    let names = units::listed(&names);
    let time =
        |it: &Effect<'_>| it.time.as_ref().map(|(estimate, verdict)| time(estimate, *verdict));
    let instructions =
        |it: &Effect<'_>| it.instructions.map(|it| Cell::number(units::ratio(it), it));
    let about = format!(
        "Over the usual {names} of the same backend, everything else equal: 0.600 takes 40 % less."
    );
    [
        (
            "Time saved or lost",
            format!(
                "{about} Both were measured side by side. In brackets the {} interval; `=`: no difference \
                 was found.",
                units::percent(view.any().results.options.confidence)
            ),
            table(view, &effects, &time),
        ),
        ("Instructions saved or added", about, table(view, &effects, &instructions)),
    ]
    .into_iter()
    .filter_map(|(title, about, table)| Some(Section::new(title, about, table?)))
    .collect()
}

fn time(RatioEstimate { estimate, low, high, .. }: &RatioEstimate, verdict: Verdict) -> Cell {
    let mark = if verdict == Verdict::NoDifferenceFound { "= " } else { "" };
    let text = format!("{mark}{} ({})", units::ratio(*estimate), units::interval(*low, *high));
    Cell::fields(text, [Field::Number(*estimate)])
}

/// One row per workload, with what `cell` says of each backend; `None` where it says nothing of any.
fn table(
    view: &SuiteView<'_>,
    effects: &[Effect<'_>],
    cell: &dyn Fn(&Effect<'_>) -> Option<Cell>,
) -> Option<crate::table::Table> {
    let shown: Vec<&Effect<'_>> = effects.iter().filter(|it| cell(it).is_some()).collect();
    let mut workloads: Vec<Workload> = shown.iter().map(|it| it.workload).collect();
    workloads.dedup();
    let backends = view.any().backends().iter().map(|it| it.id.as_str());
    let backends: Vec<&str> =
        backends.filter(|id| shown.iter().any(|it| it.backend == *id)).collect();
    let columns = backends.iter().map(|id| Column::right(*id));
    // The compared axes have a column whatever else differs.
    let said: Vec<&str> = view.suite.compares.iter().map(String::as_str).collect();
    let name =
        [Column::left(units::listed(&compared(view).map(|it| it.heading).collect::<Vec<_>>()))];
    let mut table = WorkloadTable::new(&workloads, &said, name, columns);
    for workload in &workloads {
        let of = |id: &&str| shown.iter().find(|it| it.backend == *id && it.workload == *workload);
        let cells =
            backends.iter().map(|id| of(id).and_then(|it| cell(it)).unwrap_or_else(Cell::absent));
        table.row([label(view, workload)], workload, cells);
    }
    (!workloads.is_empty()).then_some(table.table)
}
