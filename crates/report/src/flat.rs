//! All cases of a run in one table for programs: one row each, numbers as they were measured. The
//! columns are the same for every run of a bench.

use std::collections::BTreeSet;

use write_backend::AXES;

use crate::table::{Cell, Column, Section, Table};
use crate::view::View;
use records::schema::CaseRecord;

/// A column's key, and what stands in it.
type Field = (String, Cell);

/// The table of a run: what the bench that made it measures.
#[must_use]
pub fn cases(view: &View<'_>) -> Section {
    let is_counted = view.results.producer == "counts";
    let calls = |case: &'_ CaseRecord| case.counts.clone()?.system_calls_per_transaction;
    let kinds: BTreeSet<String> =
        view.cases().filter_map(calls).flat_map(std::collections::BTreeMap::into_keys).collect();
    let rows = view.cases().map(|case| {
        let mut fields = named(case);
        fields.extend(if is_counted { counted(case, &kinds) } else { timed(case) });
        fields
    });
    let rows: Vec<Vec<Field>> = rows.collect();
    let keys = rows.first().into_iter().flatten().map(|(key, _)| Column::left(key.as_str()));
    let mut table = Table::new(keys);
    for row in rows {
        table.row(row.into_iter().map(|(_, cell)| cell));
    }
    Section::new("Cases", "", table)
}

/// What names a case.
fn named(case: &CaseRecord) -> Vec<Field> {
    let text = |key: &str, text: String| (key.to_owned(), text.into());
    let mut fields =
        vec![text("backend", case.backend.clone()), text("workload", case.workload.to_string())];
    fields.extend(AXES.iter().map(|axis| (axis.key.to_owned(), axis.get(&case.workload).into())));
    fields.push(text("status", case.status.to_string()));
    fields.push(text("reason", case.reason.clone().unwrap_or_default()));
    fields
}

fn number(key: impl Into<String>, value: Option<f64>) -> Field {
    (key.into(), Cell::optional(value, |value| value.to_string()))
}

/// What was timed.
fn timed(case: &CaseRecord) -> Vec<Field> {
    let time = case.time.as_ref();
    let mut fields = vec![
        number("mean_ns", time.map(|time| time.mean_ns)),
        number("error_ns", time.and_then(|time| time.error_ns)),
        number("std_dev_ns", time.and_then(|time| time.std_dev_ns)),
        number("median_ns", time.map(|time| time.median_ns)),
        number("launches", time.map(|time| time.launches_ns.len() as f64)),
    ];
    for (key, ratio) in [("overhead", &case.overhead), ("relative", &case.relative)] {
        let ratio = ratio.as_ref();
        fields.push(number(key, ratio.map(|ratio| ratio.estimate)));
        fields.push(number(format!("{key}_low"), ratio.map(|ratio| ratio.low)));
        fields.push(number(format!("{key}_high"), ratio.map(|ratio| ratio.high)));
        fields.push(number(format!("{key}_luck"), ratio.and_then(|ratio| ratio.luck)));
        let verdict = ratio.map_or_else(Cell::absent, |ratio| ratio.verdict.to_string().into());
        fields.push((format!("{key}_verdict"), verdict));
    }
    fields.push(number("noise_floor_low", case.noise_floor.map(|floor| floor.low)));
    fields.push(number("noise_floor_high", case.noise_floor.map(|floor| floor.high)));
    fields
}

/// What was counted; `kinds` are those of all system calls in the run.
fn counted(case: &CaseRecord, kinds: &BTreeSet<String>) -> Vec<Field> {
    let counts = case.counts.clone().unwrap_or_default();
    let split = counts.instructions;
    let mut fields = vec![
        number("instructions_per_transaction", counts.instructions_per_transaction),
        number("instructions_per_put", counts.instructions_per_put),
        number("instructions_spread", counts.instructions_spread),
        number("instructions_binding", split.map(|split| split.binding)),
        number("instructions_lmdb", split.map(|split| split.lmdb)),
        number("instructions_libc_memory", split.map(|split| split.libc_memory)),
        number("instructions_libc_bytes", split.map(|split| split.libc_bytes)),
        number("instructions_libc_other", split.map(|split| split.libc_other)),
        number("instructions_other", split.map(|split| split.other)),
        number("rust_allocations_per_transaction", counts.rust_allocations_per_transaction),
        number("rust_bytes_per_transaction", counts.rust_bytes_per_transaction),
        number("c_allocations_per_transaction", counts.c_allocations_per_transaction),
    ];
    for kind in kinds {
        let calls = counts.system_calls_per_transaction.as_ref();
        let calls = calls.map(|calls| calls.get(kind).copied().unwrap_or(0.0));
        fields.push(number(format!("system_calls_{kind}"), calls));
    }
    fields
}
