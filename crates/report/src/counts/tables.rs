//! The tables of counts, made from a results file and nothing else.

use write_backend::{Finish, SyncMode, Workload};

use crate::axes::{Axis, axes};
use crate::counts::check::plain;
use crate::counts::overhead;
use crate::section::Section;
use crate::table::{Align, Table};
use records::schema::{CaseRecord, Counts, Results};

mod allocations;
mod system_calls;

/// What stands for a number that is not there.
const ABSENT: &str = "-";

/// All tables: [`sections`] as Markdown.
#[must_use]
pub fn tables(results: &Results) -> String {
    let texts = sections(results).iter().map(Section::to_string).collect::<Vec<_>>();
    // An empty line after each.
    texts.iter().flat_map(|text| [text.as_str(), "\n"]).collect()
}

/// All tables, the shortest answer last: it is what a terminal shows last.
#[must_use]
pub fn sections(results: &Results) -> Vec<Section> {
    let all = [
        ("Counts", COUNTS, counts(results)),
        ("Where instructions are spent", SPLIT, split(results)),
        ("Allocated bytes", allocations::ABOUT, allocations::table(results)),
        ("System calls of a commit", system_calls::ABOUT, system_calls::table(results)),
        ("Raw FFI against C", OVER_C, over_c(results)),
        ("A binding's own instructions", OWN, own(results)),
    ];
    let all = all.into_iter().filter(|(_, _, table)| !table.is_empty());
    all.map(|(title, about, table)| Section::new(title, about, table)).collect()
}

const COUNTS: &str = "Per transaction and per put (a transaction's instructions divided by its \
     puts). \"+Instr\" is what a backend executes beyond raw FFI on the same LMDB, per put. Rust \
     allocations and their bytes, LMDB's own allocations. Workloads that are there with nosync too \
     are left out: they differ in system calls.";
const SPLIT: &str = "Instructions per put, begin and finish shared among the puts. Binding: the \
     program's own code but LMDB, the loop included. The kernel's instructions are not seen.";
const OVER_C: &str = "Instructions of raw-ffi over those of the same loop written in C over the same \
     library: 1 means that Rust adds nothing.";
const OWN: &str = "What a binding executes beyond raw FFI on the same LMDB: a part per put and a part \
     per transaction (begin and finish), from the smallest and the largest batch; lowest and highest \
     over the other axes. \"Off\" is how far a batch between the two is from that line.";

/// The counts of a case and its record.
fn counted(results: &Results) -> impl Iterator<Item = (&CaseRecord, &Counts)> {
    results.cases.iter().filter_map(|case| Some((case, case.counts.as_ref()?)))
}

fn number(value: Option<f64>) -> String {
    value.map_or(ABSENT.to_owned(), |value| match plain(value) {
        zero if zero == "-0" => "0".to_owned(),
        text => text,
    })
}

/// With one decimal, for quotients.
fn quotient(value: Option<f64>) -> String {
    value.map_or(ABSENT.to_owned(), |value| match format!("{value:.1}") {
        zero if zero == "-0.0" => "0.0".to_owned(),
        text => text,
    })
}

/// `low to high`, or one number where both look the same.
fn range(values: &[f64]) -> String {
    let low = values.iter().copied().fold(f64::INFINITY, f64::min);
    let high = values.iter().copied().fold(f64::NEG_INFINITY, f64::max);
    let [low, high] = [low, high].map(|value| quotient(Some(value)));
    if low == high { low } else { format!("{low} to {high}") }
}

/// Columns for the backend and its workload's axes.
fn columns<'a>(axes: &[Axis], more: &[(&'a str, Align)]) -> Vec<(&'a str, Align)> {
    let mut columns = vec![("Backend", Align::Left)];
    columns.extend(axes.iter().map(|axis| (axis.name(), axis.align())));
    columns.extend(more);
    columns
}

/// The cells of these columns.
fn cells(case: &CaseRecord, axes: &[Axis]) -> Vec<String> {
    let mut cells = vec![case.backend.clone()];
    cells.extend(axes.iter().map(|axis| axis.value(&case.workload)));
    cells
}

fn counts(results: &Results) -> Table {
    let shown: Vec<(&CaseRecord, &Counts)> =
        counted(results).filter(|(case, _)| !has_twin(results, &case.workload)).collect();
    let workloads: Vec<Workload> = shown.iter().map(|(case, _)| case.workload).collect();
    let right = |name| (name, Align::Right);
    let more = ["Instr/txn", "Instr/put", "+Instr/put", "Alloc/txn", "B/txn", "C alloc"];
    let axes = axes(&workloads);
    let columns = columns(&axes, &more.map(right));
    let table = Table::new(&columns).identified_by(columns.len() - more.len());
    let mut table = table.sparing(&["C alloc", "B/txn"]);
    for (case, counts) in shown {
        let puts = case.workload.batch_size as f64;
        let beyond = overhead::beyond_control(results, case);
        let mut row = cells(case, &axes);
        let spread = counts.instructions_spread.filter(|spread| *spread > 0.0);
        let spread = spread.map_or(String::new(), |spread| format!(" ±{}", plain(spread)));
        row.extend([
            number(counts.instructions_per_transaction) + &spread,
            quotient(counts.instructions_per_put),
            quotient(beyond.map(|beyond| beyond / puts)),
            number(counts.rust_allocations_per_transaction),
            number(counts.rust_bytes_per_transaction),
            number(counts.c_allocations_per_transaction),
        ]);
        table.row(row);
    }
    table
}

/// Whether `workload` syncs and is there without syncing too.
fn has_twin(results: &Results, workload: &Workload) -> bool {
    let twin = Workload { sync: SyncMode::NoSync, ..*workload };
    twin != *workload && results.cases.iter().any(|case| case.workload == twin)
}

/// Of the largest batch alone, where the put itself weighs most, and of the value size in the middle:
/// the results file has the rest.
fn split(results: &Results) -> Table {
    let batch = counted(results).map(|(case, _)| case.workload.batch_size).max();
    let mut values: Vec<usize> = counted(results)
        .filter(|(case, _)| Some(case.workload.batch_size) == batch)
        .map(|(case, _)| case.workload.value_size)
        .collect();
    values.sort_unstable();
    values.dedup();
    let value = values.get(values.len() / 2).copied();
    let shown: Vec<(&CaseRecord, &Counts)> = counted(results)
        .filter(|(case, counts)| {
            let Workload { batch_size, value_size, .. } = case.workload;
            let is_shown = Some(batch_size) == batch && Some(value_size) == value;
            is_shown && counts.instructions.is_some() && !has_twin(results, &case.workload)
        })
        .collect();
    let workloads: Vec<Workload> = shown.iter().map(|(case, _)| case.workload).collect();
    let more = ["Binding", "LMDB", "libc alloc", "libc bytes", "libc other", "Other", "Sum"];
    let axes = axes(&workloads);
    let columns = columns(&axes, &more.map(|name| (name, Align::Right)));
    let mut table = Table::new(&columns).identified_by(columns.len() - more.len());
    for (case, counts) in shown {
        let Some(split) = counts.instructions else { continue };
        let puts = case.workload.batch_size as f64;
        let parts = [
            split.binding,
            split.lmdb,
            split.libc_memory,
            split.libc_bytes,
            split.libc_other,
            split.other,
            counts.instructions_per_transaction.unwrap_or(0.0),
        ];
        let mut row = cells(case, &axes);
        row.extend(parts.map(|part| quotient(Some(part / puts))));
        table.row(row);
    }
    table
}

/// One row per finish and batch size, over the other axes.
fn over_c(results: &Results) -> Table {
    let ratios = overhead::over_c(results);
    let mut table = Table::new(&[
        ("Finish", Align::Left),
        ("BatchSize", Align::Right),
        ("Lowest", Align::Right),
        ("Highest", Align::Right),
    ]);
    let mut rows: Vec<(Finish, usize)> =
        ratios.iter().map(|(workload, _)| (workload.finish, workload.batch_size)).collect();
    rows.sort_unstable();
    rows.dedup();
    for (finish, batch_size) in rows {
        let of = ratios
            .iter()
            .filter(|(it, _)| it.finish == finish && it.batch_size == batch_size)
            .map(|(_, ratio)| *ratio);
        let (low, high) = of
            .fold((f64::INFINITY, 0.0_f64), |(low, high), ratio| (low.min(ratio), high.max(ratio)));
        let row = [finish.to_string(), batch_size.to_string()];
        table.row(row.into_iter().chain([low, high].map(|ratio| format!("{ratio:.4}"))));
    }
    table
}

/// One row per backend and finish, over the other axes.
fn own(results: &Results) -> Table {
    let lines = overhead::lines(results);
    let mut table = Table::new(&[
        ("Backend", Align::Left),
        ("Finish", Align::Left),
        ("per put", Align::Right),
        ("per transaction", Align::Right),
        ("Off", Align::Right),
    ]);
    let mut rows: Vec<(&str, Finish)> = Vec::new();
    for line in &lines {
        let row = (line.backend.as_str(), line.workload.finish);
        if !rows.contains(&row) {
            rows.push(row);
        }
    }
    for (backend, finish) in rows {
        let of: Vec<&overhead::Line> = lines
            .iter()
            .filter(|line| line.backend == backend && line.workload.finish == finish)
            .collect();
        let values = |of_line: fn(&overhead::Line) -> f64| -> Vec<f64> {
            of.iter().map(|line| of_line(line)).collect()
        };
        let off = values(|line| line.off).into_iter().fold(0.0, f64::max);
        table.row([
            backend.to_owned(),
            finish.to_string(),
            range(&values(|line| line.per_put)),
            range(&values(|line| line.per_transaction)),
            quotient(Some(off)),
        ]);
    }
    table
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::counts::check::tests::results;

    #[test]
    fn every_table_has_its_numbers() {
        let run = results(&[
            ("c-reference", 1, 1000.0),
            ("raw-ffi", 1, 1001.0),
            ("owned-buffer", 1, 1401.0),
            ("c-reference", 10, 10_000.0),
            ("raw-ffi", 10, 10_010.0),
            ("owned-buffer", 10, 13_610.0),
        ]);
        let text = tables(&run);
        let has = |row: &str| {
            let squeezed: String = text.split([' ', '-', ':']).collect();
            assert!(squeezed.contains(row), "{row} in\n{text}");
        };
        has("|ownedbuffer|commit|10|4|13610|1361.0|360.0|0|0|1|");
        has("|rawffi|commit|10|4|0.0|1001.0|0.0|0.0|0.0|0.0|1001.0|");
        has("|rawffi|commit|1|4|2|");
        has("|commit|1|1.0010|1.0010|");
        has("|ownedbuffer|commit|355.6|44.4|0.0|");
    }

    #[test]
    fn what_is_not_there_has_no_table_and_no_number() {
        let mut run = results(&[("heed", 1, 1.0)]);
        let counts = run.cases[0].counts.as_mut().unwrap();
        *counts = Counts { rust_allocations_per_transaction: Some(0.0), ..Counts::default() };
        let text = tables(&run);
        assert!(text.contains("### Counts"), "{text}");
        for absent in ["### Where", "### System", "### Raw", "### A binding's"] {
            assert!(!text.contains(absent), "{absent} in {text}");
        }
        run.cases[0].counts = None;
        assert_eq!(tables(&run), "");
    }

    #[test]
    fn numbers_are_written_as_they_are() {
        assert_eq!(number(Some(3994.0 + 1.0 / 3.0)), "3994.33");
        assert_eq!(number(Some(-0.001)), "0");
        assert_eq!(number(None), "-");
        assert_eq!(quotient(Some(-0.01)), "0.0");
        assert_eq!(range(&[25.0, 25.04]), "25.0");
        assert_eq!(range(&[25.0, 25.2]), "25.0 to 25.2");
    }
}
