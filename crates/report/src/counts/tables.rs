//! The tables of counts.

use std::collections::BTreeSet;

use write_backend::{SyncMode, Workload};

use crate::counts::own;
use crate::groups::{AVERAGED, Group, UNNAMED, VALUE_SIZE, WorkloadTable, groups_over, with_one};
use crate::table::{Column, Section, Table};
use crate::units::{self, count, or_absent, tenths};
use crate::view::View;
use records::schema::{CaseRecord, Counts};
use statistics::CostLine;

/// All tables, the shortest answer last: it is what a terminal shows last.
#[must_use]
pub fn sections(view: &View<'_>) -> Vec<Section> {
    let c = format!(
        "Instructions of {} over those of the same loop written in C over the same library, lowest and \
         highest over value sizes. 1 means that Rust adds nothing.",
        view.reference()
    );
    let all = [
        ("Counts", COUNTS, counts(view)),
        ("Where instructions are spent", SPLIT, split(view)),
        ("System calls of a commit", CALLS, system_calls(view)),
        ("Raw FFI against C", c.as_str(), over_c(view)),
        ("A binding's own instructions", OWN, own_instructions(view)),
    ];
    let all = all.into_iter().filter(|(_, _, table)| !table.is_empty());
    all.map(|(title, about, table)| Section::new(title, about, table)).collect()
}

const COUNTS: &str = "Per transaction and per put (a transaction's instructions divided by its \
     puts). \"+Instr\" is what a backend executes beyond raw FFI on the same LMDB, per put. \"Alloc\" \
     and \"B\" are allocations of Rust code and their bytes, \"C alloc\" those of LMDB. Workloads that \
     are there with nosync too are left out: they differ in system calls.";
const SPLIT: &str = "Instructions per put of the largest batch and of the value size in the middle, begin and finish shared among the puts. \
     Binding: the program's own code except LMDB, the loop included. The kernel's instructions are not \
     seen.";
const CALLS: &str = "Per transaction, by kind. What a sync mode promises shows here: nosync waits for \
     nothing, nometasync for the pages (fdatasync), sync for pages and meta page, which it writes \
     through a descriptor opened with O_DSYNC (pwrite_dsync). Pages that lie side by side are written \
     by one call, so parts of calls are means.";
const OWN: &str = "What a binding executes beyond raw FFI on the same LMDB: a part per put and a part \
     per transaction (begin and finish), a line of least squares over batch sizes; lowest and highest \
     over value sizes. \"Off\" is how far the farthest batch size is from that line.";

/// A case that was counted.
type Counted<'run> = (&'run CaseRecord, &'run Counts);

/// The counted cases of these workloads.
fn counted<'run>(view: &View<'run>, workloads: &[Workload]) -> Vec<Counted<'run>> {
    view.cases_on(workloads).filter_map(|case| Some((case, case.counts.as_ref()?))).collect()
}

/// The workloads that are not there without syncing too.
#[must_use]
pub fn without_twin(view: &View<'_>) -> Vec<Workload> {
    let has_twin = |workload: &Workload| {
        let twin = Workload { sync: SyncMode::NoSync, ..*workload };
        twin != *workload && view.workloads().contains(&twin)
    };
    view.workloads().iter().filter(|it| !has_twin(it)).copied().collect()
}

/// A table with columns for the backend, the axes and what was counted.
fn table(
    cases: &[Counted<'_>],
    headings: &[&str],
    cells: impl Fn(&CaseRecord, &Counts) -> Vec<String>,
) -> Table {
    let workloads: Vec<Workload> = cases.iter().map(|(case, _)| case.workload).collect();
    let numbers = headings.iter().map(|heading| Column::right(*heading));
    let mut table = WorkloadTable::new(&workloads, &[], [Column::left("Backend")], numbers);
    for (case, counts) in cases {
        table.row([case.backend.as_str()], &case.workload, cells(case, counts));
    }
    table.table
}

fn counts(view: &View<'_>) -> Table {
    let headings = ["Instr/txn", "Instr/put", "+Instr/put", "Alloc/txn", "B/txn", "C alloc"];
    table(&counted(view, &without_twin(view)), &headings, |case, counts| {
        let puts = case.workload.batch_size as f64;
        let beyond = own::beyond_control(view, case).map(|beyond| beyond / puts);
        let spread = counts.instructions_spread.filter(|spread| *spread > 0.0);
        let spread = spread.map_or(String::new(), |spread| format!(" ±{}", count(spread)));
        vec![
            or_absent(counts.instructions_per_transaction, count) + &spread,
            or_absent(counts.instructions_per_put, tenths),
            or_absent(beyond, tenths),
            or_absent(counts.rust_allocations_per_transaction, count),
            or_absent(counts.rust_bytes_per_transaction, count),
            or_absent(counts.c_allocations_per_transaction, count),
        ]
    })
}

/// Of the largest batch alone, where the put itself weighs most, and of the value size in the middle:
/// the results file has the rest.
fn split(view: &View<'_>) -> Table {
    let counted = counted(view, &without_twin(view));
    let mut cases: Vec<Counted<'_>> =
        counted.into_iter().filter(|(_, counts)| counts.instructions.is_some()).collect();
    let all: Vec<Workload> = cases.iter().map(|(case, _)| case.workload).collect();
    let largest = all.iter().map(|workload| workload.batch_size).max().unwrap_or_default();
    let shown = with_one(&with_one(&all, "batch_size", largest), "value_size", VALUE_SIZE);
    cases.retain(|(case, _)| shown.contains(&case.workload));
    let headings = ["Binding", "LMDB", "libc alloc", "libc bytes", "libc other", "Other", "Sum"];
    table(&cases, &headings, |case, counts| {
        let split = counts.instructions.unwrap_or_default();
        let parts = [
            split.binding,
            split.lmdb,
            split.libc_memory,
            split.libc_bytes,
            split.libc_other,
            split.other,
            counts.instructions_per_transaction.unwrap_or_default(),
        ];
        parts.iter().map(|part| tenths(part / case.workload.batch_size as f64)).collect()
    })
}

/// One row per backend and sync mode. Of a run that has several sync modes the workloads that have them
/// all, else every commit.
fn system_calls(view: &View<'_>) -> Table {
    let mut cases = counted(view, view.workloads());
    cases.retain(|(_, counts)| counts.system_calls_per_transaction.is_some());
    let workloads: Vec<Workload> = cases.iter().map(|(case, _)| case.workload).collect();
    let groups = groups_over(&workloads, &["sync"]);
    let has_several =
        |group: &Group| group.workloads.iter().any(|it| it.sync != group.workloads[0].sync);
    if groups.iter().any(has_several) {
        let shown: Vec<Workload> = groups
            .iter()
            .filter(|group| has_several(group))
            .flat_map(|it| it.workloads.clone())
            .collect();
        cases.retain(|(case, _)| shown.contains(&case.workload));
    }
    let calls = cases.iter().filter_map(|(_, counts)| counts.system_calls_per_transaction.as_ref());
    let kinds: BTreeSet<&str> = calls.flat_map(|calls| calls.keys().map(String::as_str)).collect();
    let kinds: Vec<&str> = kinds.into_iter().collect();
    table(&cases, &kinds, |_, counts| {
        let calls = counts.system_calls_per_transaction.as_ref();
        let of = |kind: &&str| calls.and_then(|calls| calls.get(*kind)).copied().unwrap_or(0.0);
        kinds.iter().map(|kind| count(of(kind))).collect()
    })
}

/// One row per group of workloads, over value sizes.
fn over_c(view: &View<'_>) -> Table {
    let ratios = own::over_c(view);
    let workloads: Vec<Workload> = ratios.iter().map(|(workload, _)| *workload).collect();
    let numbers = ["Lowest", "Highest"].map(Column::right);
    let mut table = WorkloadTable::new(&workloads, &["value_size"], [], numbers);
    for group in groups_over(&workloads, &["value_size"]) {
        let mine = ratios.iter().filter(|(it, _)| group.workloads.contains(it));
        let Some((low, high)) = units::extent(mine.map(|(_, ratio)| *ratio)) else { continue };
        table.row(UNNAMED, &group.like, [low, high].map(|ratio| format!("{ratio:.4}")));
    }
    table.table
}

/// One row per backend and group of workloads, over value sizes.
fn own_instructions(view: &View<'_>) -> Table {
    let lines = own::lines(view);
    let likes: Vec<Workload> = lines.iter().map(|line| line.group.like).collect();
    let numbers = ["per put", "per transaction", "Off"].map(Column::right);
    let mut table = WorkloadTable::new(&likes, &AVERAGED, [Column::left("Backend")], numbers);
    for same in lines.chunk_by(|one, other| one.backend == other.backend) {
        let likes: Vec<Workload> = same.iter().map(|own| own.group.like).collect();
        for group in groups_over(&likes, &AVERAGED) {
            let mine = || same.iter().filter(|own| group.workloads.contains(&own.group.like));
            let range = |part: fn(&CostLine) -> f64| {
                units::range(mine().map(|own| part(&own.line)), tenths).unwrap_or_default()
            };
            let off = mine().map(|own| own.line.off).fold(0.0, f64::max);
            let cells = [range(|it| it.per_put), range(|it| it.per_transaction), tenths(off)];
            table.row([same[0].backend], &group.like, cells);
        }
    }
    table.table
}
