//! All cases of a run in one table for programs: one row each, numbers as they were measured. The
//! columns are the same for every run of a bench.

use std::collections::BTreeSet;

use write_backend::AXES;

use crate::table::{Cell, Column, Section, Table};
use crate::view::View;
use records::schema::{CaseRecord, Counts, Ratio};

/// A column: its key, and what stands in it.
type Field<'a, T> = (String, Box<dyn Fn(&T) -> Cell + 'a>);

/// The table of a run: what the bench that made it measures.
#[must_use]
pub fn cases(view: &View<'_>) -> Section {
    let mut fields = named();
    fields.extend(if view.results.producer == "counts" { counted(view) } else { timed() });
    let mut table = Table::new(fields.iter().map(|(key, _)| Column::left(key.as_str())));
    for case in view.cases() {
        table.row(fields.iter().map(|(_, cell)| cell(case)));
    }
    Section::new("Cases", "", table)
}

/// What names a case.
fn named<'a>() -> Vec<Field<'a, CaseRecord>> {
    let text = |key: &str, text: fn(&CaseRecord) -> String| -> Field<'a, CaseRecord> {
        (key.to_owned(), Box::new(move |case| text(case).into()))
    };
    let mut fields = vec![
        text("backend", |case| case.backend.clone()),
        text("workload", |case| case.workload.to_string()),
    ];
    for axis in &AXES {
        fields.push((axis.key.to_owned(), Box::new(|case| axis.get(&case.workload).into())));
    }
    fields.push(text("status", |case| case.status.to_string()));
    fields.push(text("reason", |case| case.reason.clone().unwrap_or_default()));
    fields
}

fn number<'a, T>(key: &str, value: impl Fn(&T) -> Option<f64> + 'a) -> Field<'a, T> {
    (key.to_owned(), Box::new(move |of| Cell::optional(value(of), |value| value.to_string())))
}

/// What was timed.
fn timed<'a>() -> Vec<Field<'a, CaseRecord>> {
    let mut fields = vec![
        number("mean_ns", |case: &CaseRecord| Some(case.time.as_ref()?.mean_ns)),
        number("error_ns", |case: &CaseRecord| case.time.as_ref()?.error_ns),
        number("std_dev_ns", |case: &CaseRecord| case.time.as_ref()?.std_dev_ns),
        number("median_ns", |case: &CaseRecord| Some(case.time.as_ref()?.median_ns)),
        number("launches", |case: &CaseRecord| Some(case.time.as_ref()?.launches_ns.len() as f64)),
    ];
    fields.extend(ratio("overhead", |case| case.overhead.as_ref()));
    fields.extend(ratio("relative", |case| case.relative.as_ref()));
    fields.push(number("noise_floor_low", |case: &CaseRecord| Some(case.noise_floor?.low)));
    fields.push(number("noise_floor_high", |case: &CaseRecord| Some(case.noise_floor?.high)));
    fields
}

fn ratio<'a>(key: &str, ratio: fn(&CaseRecord) -> Option<&Ratio>) -> [Field<'a, CaseRecord>; 5] {
    let part = |suffix: &str, part: fn(&Ratio) -> f64| {
        number(&format!("{key}{suffix}"), move |case: &CaseRecord| ratio(case).map(part))
    };
    let verdict = move |case: &CaseRecord| {
        ratio(case).map_or_else(Cell::absent, |ratio| ratio.verdict.to_string().into())
    };
    [
        part("", |ratio| ratio.estimate),
        part("_low", |ratio| ratio.low),
        part("_high", |ratio| ratio.high),
        number(&format!("{key}_luck"), move |case: &CaseRecord| ratio(case)?.luck),
        (format!("{key}_verdict"), Box::new(verdict)),
    ]
}

/// What was counted.
fn counted<'a>(view: &View<'_>) -> Vec<Field<'a, CaseRecord>> {
    let count = |key: &str, value: fn(&Counts) -> Option<f64>| {
        number(key, move |case: &CaseRecord| value(case.counts.as_ref()?))
    };
    let mut fields = vec![
        count("instructions_per_transaction", |it| it.instructions_per_transaction),
        count("instructions_per_put", |it| it.instructions_per_put),
        count("instructions_spread", |it| it.instructions_spread),
        count("instructions_binding", |it| Some(it.instructions?.binding)),
        count("instructions_lmdb", |it| Some(it.instructions?.lmdb)),
        count("instructions_libc_memory", |it| Some(it.instructions?.libc_memory)),
        count("instructions_libc_bytes", |it| Some(it.instructions?.libc_bytes)),
        count("instructions_libc_other", |it| Some(it.instructions?.libc_other)),
        count("instructions_other", |it| Some(it.instructions?.other)),
        count("rust_allocations_per_transaction", |it| it.rust_allocations_per_transaction),
        count("rust_bytes_per_transaction", |it| it.rust_bytes_per_transaction),
        count("c_allocations_per_transaction", |it| it.c_allocations_per_transaction),
    ];
    let calls =
        view.cases().filter_map(|case| case.counts.as_ref()?.system_calls_per_transaction.as_ref());
    let kinds: BTreeSet<String> = calls.flat_map(|calls| calls.keys().cloned()).collect();
    fields.extend(kinds.into_iter().map(|kind| {
        number(&format!("system_calls_{kind}"), move |case: &CaseRecord| {
            let calls = case.counts.as_ref()?.system_calls_per_transaction.as_ref()?;
            Some(calls.get(&kind).copied().unwrap_or(0.0))
        })
    }));
    fields
}
