//! What a binding adds to its control, workload by workload: in time with luck, and in instructions.

use write_backend::{Batch, Encoding, Workload};

use super::SuiteView;
use crate::groups::WorkloadTable;
use crate::table::{Cell, Column, Section};
use crate::units;
use crate::view::{Role, View};
use records::schema::{BackendRecord, Ratio};

/// The overhead of each binding on each workload, grouped by binding.
pub fn overheads<'run>(
    view: &View<'run>,
) -> impl Iterator<Item = (&'run BackendRecord, Vec<(Workload, &'run Ratio)>)> {
    let bindings: Vec<&BackendRecord> = view.with_role(Role::Binding).collect();
    bindings.into_iter().filter_map(|backend| {
        let cases = view.cases_of(&backend.id, view.workloads());
        let found: Vec<_> =
            cases.filter_map(|case| Some((case.workload, case.overhead.as_ref()?))).collect();
        (!found.is_empty()).then_some((backend, found))
    })
}

/// One row for each binding and workload.
#[must_use]
pub fn section(view: &SuiteView<'_>) -> Option<Section> {
    let any = view.any();
    let bindings: Vec<&BackendRecord> = any.with_role(Role::Binding).collect();
    let is_encoded = bindings.iter().any(|it| it.encoding != Encoding::Bytes);
    let rows = bindings.iter().flat_map(|backend| {
        any.cases_of(&backend.id, any.workloads()).map(move |case| (*backend, case.workload))
    });
    let rows: Vec<(&BackendRecord, Workload)> = rows.collect();
    let workloads: Vec<Workload> = rows.iter().map(|(_, workload)| *workload).collect();
    let stored = is_encoded.then(|| Column::right("Stored"));
    let numbers = [
        Column::right("Control"),
        Column::right("Overhead"),
        Column::left("Interval"),
        Column::right("Luck"),
        Column::left("Verdict"),
        Column::right("Instr./put"),
        Column::right("over control"),
    ];
    let names = [Column::left("Backend")];
    let mut table = WorkloadTable::new(&workloads, &[], names, stored.into_iter().chain(numbers));
    for (backend, workload) in rows {
        let stored = is_encoded.then(|| stored_size(view, backend, &workload));
        let cells = stored.into_iter().chain(cells(view, backend, &workload));
        table.row([backend.id.as_str()], &workload, cells);
    }
    let about = "Time and instructions over those of the control: the same bytes through raw FFI on the same \
                 LMDB. Control: its time per put. Luck is the spread (standard deviation) over link orders: \
                 a single build may be off by twice as much.";
    let stored = "Stored: the mean size in bytes of what a value has become.";
    let about = if is_encoded { format!("{about} {stored}") } else { about.to_owned() };
    Some(Section::new("Overhead", about, table.table)).filter(|_| !workloads.is_empty())
}

fn cells(view: &SuiteView<'_>, backend: &BackendRecord, workload: &Workload) -> Vec<Cell> {
    let control = backend.control.as_deref().unwrap_or_default();
    let case = |id: &str| view.times.as_ref()?.case(id, workload);
    let time = case(control).and_then(|it| it.time.as_ref());
    let per_put = time.map(|it| it.median_ns / workload.batch_size as f64);
    let overhead = case(&backend.id).and_then(|it| it.overhead.as_ref());
    let own = view.instructions(&backend.id, workload);
    let over = own.and_then(|own| Some(own - view.instructions(control, workload)?));
    vec![
        Cell::optional(per_put, units::time),
        Cell::optional(overhead.map(|it| it.estimate), units::ratio),
        overhead.map_or_else(Cell::absent, |it| Cell::interval(it.low, it.high)),
        Cell::optional(overhead.and_then(|it| it.luck), units::luck),
        overhead.map_or_else(Cell::absent, |it| it.verdict.to_string().into()),
        Cell::optional(own, units::tenths),
        Cell::optional(over, |over| format!("{over:+.1}")),
    ]
}

/// The mean size of what is stored of a value.
fn stored_size(view: &SuiteView<'_>, backend: &BackendRecord, workload: &Workload) -> Cell {
    let batch = Batch::new(workload, view.any().results.options.seed).shaped(backend.encoding);
    let sizes = batch.pairs().into_iter().map(|(_, value)| backend.encoding.stored(value).len());
    let mean = sizes.sum::<usize>() as f64 / workload.batch_size as f64;
    Cell::number(units::tenths(mean), mean)
}
