//! All cases of a run in one table for programs: one row each, numbers as they were measured. The
//! columns are the same for every run of a bench.

use write_backend::Workload;

use crate::section::Section;
use crate::table::{Align, Cell, Table};
use records::schema::{CaseRecord, Comparison, Counts, Results, Status};

/// What names a case.
const NAMES: [&str; 10] = [
    "backend",
    "workload",
    "finish",
    "sync",
    "key_order",
    "key_size",
    "batch_size",
    "value_size",
    "status",
    "reason",
];
/// What was timed.
const TIMED: [&str; 15] = [
    "mean_ns",
    "error_ns",
    "std_dev_ns",
    "median_ns",
    "launches",
    "overhead",
    "overhead_low",
    "overhead_high",
    "overhead_verdict",
    "relative",
    "relative_low",
    "relative_high",
    "relative_verdict",
    "noise_floor_low",
    "noise_floor_high",
];
/// What was counted.
const COUNTED: [&str; 12] = [
    "instructions_per_transaction",
    "instructions_per_put",
    "instructions_spread",
    "instructions_binding",
    "instructions_lmdb",
    "instructions_libc_memory",
    "instructions_libc_bytes",
    "instructions_libc_other",
    "instructions_other",
    "rust_allocations_per_transaction",
    "rust_bytes_per_transaction",
    "c_allocations_per_transaction",
];

/// The table of `results`: what the bench that made them measures.
#[must_use]
pub fn cases(results: &Results) -> Section {
    let counted = results.producer == "counts";
    let measured = if counted { &COUNTED[..] } else { &TIMED[..] };
    let calls = if counted { kinds(results) } else { Vec::new() };
    let calls_keys: Vec<String> = calls.iter().map(|kind| format!("system_calls_{kind}")).collect();
    let names = NAMES.iter().chain(measured).copied().chain(calls_keys.iter().map(String::as_str));
    let columns: Vec<(&str, Align)> = names.map(|name| (name, Align::Left)).collect();
    let mut table = Table::new(&columns);
    for case in &results.cases {
        let mut row = named(case);
        row.extend(if counted { counts(case, &calls) } else { timed(case) });
        table.row(row);
    }
    Section::new("Cases", "", table)
}

fn named(case: &CaseRecord) -> Vec<Cell> {
    let Workload { finish, sync, key_order, key_size, batch_size, value_size, .. } = case.workload;
    let status = if case.status == Status::Ok { "ok" } else { "failed" };
    let size = |size: usize| Cell::number(size.to_string(), size as f64);
    vec![
        case.backend.clone().into(),
        case.workload.to_string().into(),
        finish.to_string().into(),
        sync.to_string().into(),
        key_order.to_string().into(),
        size(key_size),
        size(batch_size),
        size(value_size),
        status.into(),
        case.reason.clone().unwrap_or_default().into(),
    ]
}

fn cell(value: Option<f64>) -> Cell {
    value.map_or_else(Cell::absent, |value| Cell::number(value.to_string(), value))
}

fn timed(case: &CaseRecord) -> Vec<Cell> {
    let time = case.time.as_ref();
    let ratio = |ratio: &Option<Comparison>| {
        let of = |value: fn(&Comparison) -> f64| cell(ratio.as_ref().map(value));
        let verdict = ratio.as_ref().map(|it| it.verdict.to_string().into());
        [of(|it| it.estimate), of(|it| it.low), of(|it| it.high), verdict.unwrap_or_default()]
    };
    let mut cells = vec![
        cell(time.map(|time| time.mean_ns)),
        cell(time.and_then(|time| time.error_ns)),
        cell(time.and_then(|time| time.std_dev_ns)),
        cell(time.map(|time| time.median_ns)),
        cell(time.map(|time| time.launches_ns.len() as f64)),
    ];
    cells.extend(ratio(&case.overhead));
    cells.extend(ratio(&case.relative));
    cells.extend([case.noise_floor.map(|it| it.low), case.noise_floor.map(|it| it.high)].map(cell));
    cells
}

fn counts(case: &CaseRecord, calls: &[&str]) -> Vec<Cell> {
    let none = Counts::default();
    let counts = case.counts.as_ref().unwrap_or(&none);
    let split = counts.instructions;
    let made = counts.system_calls_per_transaction.as_ref();
    let numbers = [
        counts.instructions_per_transaction,
        counts.instructions_per_put,
        counts.instructions_spread,
        split.map(|it| it.binding),
        split.map(|it| it.lmdb),
        split.map(|it| it.libc_memory),
        split.map(|it| it.libc_bytes),
        split.map(|it| it.libc_other),
        split.map(|it| it.other),
        counts.rust_allocations_per_transaction,
        counts.rust_bytes_per_transaction,
        counts.c_allocations_per_transaction,
    ];
    let calls = calls.iter().map(|kind| made.map(|made| made.get(*kind).copied().unwrap_or(0.0)));
    numbers.into_iter().chain(calls).map(cell).collect()
}

/// The kinds of system calls of a run, each once, in the order of their names.
fn kinds(results: &Results) -> Vec<&str> {
    let counts = results.cases.iter().filter_map(|case| case.counts.as_ref());
    let calls = counts.filter_map(|counts| counts.system_calls_per_transaction.as_ref());
    let mut kinds: Vec<&str> = calls.flat_map(|it| it.keys().map(String::as_str)).collect();
    kinds.sort_unstable();
    kinds.dedup();
    kinds
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::formats::format::Format;
    use crate::formats::listing::Listing;
    use records::testing::fixtures;

    /// The fields of the row of `case` by their names.
    fn csv(results: &Results) -> String {
        let listing = Listing { sections: vec![cases(results)], ..Listing::new("t", Vec::new()) };
        Format::Csv.render(&listing, 80)
    }

    #[test]
    fn every_number_is_there_unrounded_and_what_is_not_is_empty() {
        let mut results = fixtures::results();
        let text = csv(&results);
        let lines: Vec<&str> = text.lines().collect();
        assert_eq!(lines.len(), 1 + results.cases.len());
        let name = "owned-buffer,commit-n10-v64-k16-random-sync,commit,sync,random,16,10,64,ok,,";
        let times = "2613,636.6192487685545,1.4142135623730951,2613,2,1.3,1.25,1.35,slower,1,0.99,1.015,no difference found,\
                     0.995,1.004";
        assert_eq!(lines[2], format!("{name}{times}"));
        assert!(lines[3].contains(",failed,put: map full,,,,,"), "{}", lines[3]);
        results.producer = "counts".to_owned();
        let text = csv(&results);
        let lines: Vec<&str> = text.lines().collect();
        assert!(
            lines[0].ends_with(
                "c_allocations_per_transaction,system_calls_fdatasync,system_calls_pwrite"
            )
        );
        let counts = "14000,1400,0.5,1000,12000,400,500,75.5,24.5,20,800,2,1,1.5";
        assert_eq!(lines[2], format!("{name}{counts}"));
    }
}
