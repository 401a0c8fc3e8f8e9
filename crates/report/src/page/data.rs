//! What of the published runs is in the page: everything except the launches, as texts.

use std::collections::{BTreeMap, HashMap};

use serde::Serialize;
use write_backend::{AXES, Value, Values, Workload};

use super::columns::{COLUMNS, Chart, Column, GROUPS, Measured, charts, verdicts};
use crate::groups::{VALUE_SIZE, columns};
use crate::header;
use crate::times::state;
use crate::units::{self, TIMES};
use crate::view::{RunView, View, of_reference};
use records::schema::{BackendRecord, CaseRecord};

/// Everything; `selection.js` reads it.
#[derive(Debug, Serialize)]
pub struct Data {
    axes: Vec<Axis>,
    columns: &'static [Column],
    groups: [(&'static str, &'static str); GROUPS.len()],
    charts: Vec<Chart>,
    verdicts: [(String, &'static str, &'static str); 4],
    /// What a unit after a number multiplies it with.
    units: BTreeMap<&'static str, f64>,
    /// The values of the axes, in their order.
    workloads: Vec<Vec<Value>>,
    /// The run that is shown at first: the newest of the reference machine.
    first: Option<String>,
    runs: Vec<Run>,
}

/// An axis of the workloads.
#[derive(Debug, Serialize)]
struct Axis {
    id: &'static str,
    name: &'static str,
    meaning: String,
    number: bool,
    /// Whether its column is shown even where there is one value alone.
    always: bool,
    /// The only value that is chosen at first where it is there, or else that in the middle.
    only: Option<usize>,
}

/// One results file, with the counts that were made with the same flags.
#[derive(Debug, Serialize)]
struct Run {
    id: String,
    title: String,
    /// The directory of its documents.
    place: String,
    host: String,
    facts: Vec<String>,
    warnings: Vec<String>,
    /// Id, control, crates and versions.
    backends: Vec<(String, Option<String>, String)>,
    rows: Vec<Row>,
}

/// Backend and workload by their places, why there are no numbers, and a text for each column.
#[derive(Debug, Serialize)]
struct Row(usize, usize, Option<String>, Vec<String>);

impl Data {
    /// The data of `runs`.
    #[must_use]
    pub fn new(runs: &[RunView<'_>]) -> Self {
        let mut workloads = Places::default();
        let mut found = Vec::new();
        for view in runs {
            let files = [
                ("as shipped", "shipped", view.compare.as_ref()),
                ("equal flags", "equal", view.equal_flags.as_ref()),
            ];
            for (engines, short, compare) in files {
                let Some(compare) = compare else { continue };
                let cflags = |view: &View<'_>| view.results.options.cflags.clone();
                let counts =
                    view.counts.as_ref().filter(|counts| cflags(counts) == cflags(compare));
                found.push(Run {
                    id: format!("{}/{short}", view.place()),
                    title: format!("{}, {engines}", view.name()),
                    place: view.place(),
                    host: view.run.host.clone(),
                    facts: facts(compare),
                    warnings: header::warnings(compare.results),
                    backends: backends(compare, counts).into_iter().map(about).collect(),
                    rows: rows(compare, counts, &mut workloads),
                });
            }
        }
        let shown = of_reference(runs, RunView::timed).map(|(view, _)| view.place());
        let is_first = |run: &&Run| shown.as_ref().is_none_or(|place| run.place == *place);
        let first = found.iter().find(is_first).map(|run| run.id.clone());
        let values = |it: &Workload| AXES.iter().map(|axis| axis.get(it)).collect();
        Self {
            axes: AXES.iter().map(axis).collect(),
            columns: &COLUMNS,
            groups: GROUPS,
            charts: charts(),
            verdicts: verdicts(),
            units: TIMES.iter().map(|(scale, unit)| (*unit, *scale)).collect(),
            workloads: workloads.all.iter().map(values).collect(),
            first,
            runs: found,
        }
    }
}

fn axis(axis: &write_backend::Axis) -> Axis {
    let unit = axis.unit.map_or(String::new(), |unit| format!(" ({unit})"));
    Axis {
        id: axis.key,
        name: axis.heading,
        meaning: format!("{}{unit}", axis.meaning),
        number: matches!(axis.values, Values::Numbers { .. }),
        always: columns(&[], &[]).iter().any(|it| it.key == axis.key),
        only: (axis.key == "value_size").then_some(VALUE_SIZE),
    }
}

/// Workloads in the order in which they were first met, each once.
#[derive(Debug, Default)]
struct Places {
    all: Vec<Workload>,
    places: HashMap<Workload, usize>,
}

impl Places {
    fn place(&mut self, workload: Workload) -> usize {
        *self.places.entry(workload).or_insert_with(|| {
            self.all.push(workload);
            self.all.len() - 1
        })
    }
}

/// The header's lines without marks, which stand in no Markdown here.
fn facts(view: &View<'_>) -> Vec<String> {
    let confidence = units::percent(view.results.options.confidence);
    let lines = header::lines(view.results).into_iter();
    lines.map(|line| line.replace('`', "")).chain([format!("Intervals at {confidence}")]).collect()
}

/// The backends of both files; those that were counted alone stand last.
fn backends<'run>(compare: &View<'run>, counts: Option<&View<'run>>) -> Vec<&'run BackendRecord> {
    let counted = counts.into_iter().flat_map(View::backends);
    let counted = counted.filter(|backend| compare.backend(&backend.id).is_none());
    compare.backends().iter().chain(counted).copied().collect()
}

fn about(backend: &BackendRecord) -> (String, Option<String>, String) {
    (backend.id.clone(), backend.control.clone(), header::in_one_line(backend))
}

/// A row for each case that was timed, counted, or both, workload by workload.
fn rows(compare: &View<'_>, counts: Option<&View<'_>>, places: &mut Places) -> Vec<Row> {
    let counted = counts.map_or(&[][..], |counts| counts.workloads()).iter();
    let counted = counted.filter(|workload| !compare.workloads().contains(workload));
    let workloads = compare.workloads().iter().chain(counted);
    let backends = backends(compare, counts);
    let mut rows = Vec::new();
    for workload in workloads {
        for (place, backend) in backends.iter().enumerate() {
            let timed = compare.case(&backend.id, workload);
            let counted = counts.and_then(|counts| counts.case(&backend.id, workload));
            let Some(case) = timed.or(counted) else { continue };
            let state = state(case).map(|(word, reason)| format!("{word}: {reason}"));
            let measured = measured(timed, counted, workload);
            let cell = |column: &Column| (column.cell)(&measured).unwrap_or_default();
            let cells = COLUMNS.iter().map(cell).collect();
            rows.push(Row(place, places.place(*workload), state, cells));
        }
    }
    rows
}

fn measured<'run>(
    timed: Option<&'run CaseRecord>,
    counted: Option<&'run CaseRecord>,
    workload: &Workload,
) -> Measured<'run> {
    let counts = counted.and_then(|case| case.counts.as_ref());
    Measured { puts: workload.batch_size as f64, timed, counts }
}
