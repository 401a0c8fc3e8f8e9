//! What of the published runs is in the page: everything except the launches, as texts.

use std::collections::BTreeMap;

use serde::Serialize;
use write_backend::{AXES, Value, Values, Workload};

use crate::answer::words;
use crate::groups::{VALUE_SIZE, columns};
use crate::header;
use crate::times::state;
use crate::units::{self, TIMES, time_like};
use crate::view::{RunView, View, of_reference};
use records::schema::{BackendRecord, CaseRecord, Counts, Ratio, Split, Time};

/// How many columns `words.json` has.
pub(super) const COLUMNS: usize = 23;

/// Everything but words; `selection.js` reads it.
#[derive(Debug, Serialize)]
pub(super) struct Data {
    axes: Vec<Axis>,
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
    /// Its answer in sentences.
    answer: Vec<String>,
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
    pub(super) fn new(runs: &[RunView<'_>]) -> Self {
        let mut workloads = Vec::new();
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
                    answer: words::verdicts(compare),
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
            units: TIMES.iter().map(|(scale, unit)| (*unit, *scale)).collect(),
            workloads: workloads.iter().map(values).collect(),
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
fn rows(compare: &View<'_>, counts: Option<&View<'_>>, all: &mut Vec<Workload>) -> Vec<Row> {
    let counted = counts.map_or(&[][..], |counts| counts.workloads()).iter();
    let counted = counted.filter(|workload| !compare.workloads().contains(workload));
    let workloads = compare.workloads().iter().chain(counted);
    let backends = backends(compare, counts);
    let mut rows = Vec::new();
    for workload in workloads {
        let index = all.iter().position(|it| it == workload).unwrap_or(all.len());
        if index == all.len() {
            all.push(*workload);
        }
        for (place, backend) in backends.iter().enumerate() {
            let timed = compare.case(&backend.id, workload);
            let counted = counts.and_then(|counts| counts.case(&backend.id, workload));
            let Some(case) = timed.or(counted) else { continue };
            let state = state(case).map(|(word, reason)| format!("{word}: {reason}"));
            let counts = counted.and_then(|case| case.counts.as_ref());
            let cells = cells(workload.batch_size as f64, timed, counts);
            let cells = cells.map(Option::unwrap_or_default).into();
            rows.push(Row(place, index, state, cells));
        }
    }
    rows
}

/// The texts of a case with as many `puts`, in the order of the columns in `words.json`.
fn cells(
    puts: f64,
    timed: Option<&CaseRecord>,
    counts: Option<&Counts>,
) -> [Option<String>; COLUMNS] {
    let time = timed.and_then(|case| case.time.as_ref());
    let like = |value: fn(&Time) -> Option<f64>| {
        time.and_then(|time| Some(time_like(value(time)?, time.mean_ns)))
    };
    let ratio = |ratio: Option<&Ratio>| {
        let ratio = ratio?;
        let interval = units::interval(ratio.low, ratio.high);
        Some([units::ratio(ratio.estimate), interval, ratio.verdict.to_string()])
    };
    let parts = |found: Option<[String; 3]>| match found {
        Some(found) => found.map(Some),
        None => [None, None, None],
    };
    let overhead = timed.and_then(|case| ratio(case.overhead.as_ref()));
    let relative = timed.and_then(|case| ratio(case.relative.as_ref()));
    let [overhead, overhead_interval, overhead_verdict] = parts(overhead);
    let overhead_luck = timed.and_then(|case| Some(units::luck(case.overhead.as_ref()?.luck?)));
    let [relative, relative_interval, relative_verdict] = parts(relative);
    let floor = timed.and_then(|case| case.noise_floor).map(|floor| floor.symmetric_about_one());
    let split = |part: fn(&Split) -> f64| {
        let split = counts.and_then(|counts| counts.instructions.as_ref());
        split.map(|split| units::tenths(part(split) / puts))
    };
    let count = |value: fn(&Counts) -> Option<f64>| counts.and_then(value).map(units::count);
    let instructions = counts.and_then(|counts| counts.instructions_per_transaction);
    [
        like(|time| Some(time.mean_ns)),
        like(|time| time.error_ns),
        like(|time| time.std_dev_ns),
        like(|time| Some(time.median_ns)),
        time.map(|time| units::time(time.mean_ns / puts)),
        time.and_then(|time| per_put_interval(time, puts)),
        overhead,
        overhead_interval,
        overhead_luck,
        overhead_verdict,
        floor.map(|floor| units::interval(floor.low, floor.high)),
        relative,
        relative_interval,
        relative_verdict,
        instructions.map(|instructions| units::tenths(instructions / puts)),
        split(|split| split.binding),
        split(|split| split.libc_memory),
        split(|split| split.libc_bytes + split.libc_other + split.other),
        split(|split| split.lmdb),
        count(|counts| counts.rust_allocations_per_transaction),
        count(|counts| counts.rust_bytes_per_transaction),
        count(|counts| counts.c_allocations_per_transaction),
        count(|counts| Some(counts.system_calls_per_transaction.as_ref()?.values().sum())),
    ]
}

fn per_put_interval(time: &Time, puts: f64) -> Option<String> {
    let (mean, error) = (time.mean_ns / puts, time.error_ns? / puts);
    let low = time_like((mean - error).max(0.0), mean);
    let number = low.split(' ').next().unwrap_or(&low);
    Some(format!("{number}–{}", time_like(mean + error, mean)))
}
