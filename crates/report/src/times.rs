//! The table of times, in the form of the benchmark this project grew from: one row per backend,
//! batch size and value size.

use std::collections::{BTreeSet, HashMap};

use write_backend::Workload;

use crate::REFERENCE;
use crate::best;
use crate::counted::Counted;
use crate::counts::check::plain;
use crate::section::Section;
use crate::table::{Align, Table};
use crate::units;
use records::schema::{CaseRecord, Status};

/// What is marked, in one line.
const MARKED: &str = "`*` before a mean, in bold: the fastest of its workload. Its interval over \
     raw-ffi lies wholly below those of all others (null apart), and chance does not explain its \
     difference from raw-ffi; where there is none, which is fastest was not found out.";

/// One table of times per finish and sync mode, each under a heading: [`sections`] as Markdown.
#[must_use]
pub fn tables(cases: &[CaseRecord]) -> String {
    markdown(&sections(cases))
}

/// [`sections_with_counts`] as Markdown.
#[must_use]
pub fn tables_with_counts(cases: &[CaseRecord], counted: &Counted<'_>) -> String {
    markdown(&sections_with_counts(cases, counted))
}

fn markdown(sections: &[Section]) -> String {
    sections.iter().map(Section::to_string).collect::<Vec<_>>().join("\n")
}

/// One table of times per finish and sync mode.
///
/// `Error` is half of the 99.9 % interval of the mean over launches, `Ratio` the time over
/// that of `raw-ffi` on the same workload, as [`Comparison`](records::schema::Comparison) has it. A failed case has its reason instead of a time. A column for the
/// keys is there where they differ.
#[must_use]
pub fn sections(cases: &[CaseRecord]) -> Vec<Section> {
    of_groups(cases, None)
}

/// The same with what was counted: `Alloc`, bytes that Rust code allocates, and `Instr`, instructions,
/// both per transaction.
#[must_use]
pub fn sections_with_counts(cases: &[CaseRecord], counted: &Counted<'_>) -> Vec<Section> {
    of_groups(cases, Some(counted))
}

fn of_groups(cases: &[CaseRecord], counted: Option<&Counted<'_>>) -> Vec<Section> {
    let mut groups: Vec<(String, Vec<&CaseRecord>)> = Vec::new();
    for case in cases {
        let Workload { finish, sync, .. } = case.workload;
        let heading = format!("Time per transaction: {finish}, {sync}");
        match groups.iter_mut().find(|(known, _)| *known == heading) {
            Some((_, members)) => members.push(case),
            None => groups.push((heading, vec![case])),
        }
    }
    let best = best::of_workloads(&cases.iter().collect::<Vec<_>>());
    let sections =
        groups.into_iter().map(|(title, members)| section(title, &members, &best, counted));
    let mut sections: Vec<Section> = sections.collect();
    if let (false, Some(last)) = (best.is_empty(), sections.last_mut()) {
        last.notes.push(MARKED.to_owned());
    }
    sections
}

fn section(
    title: String,
    cases: &[&CaseRecord],
    best: &HashMap<Workload, &str>,
    counted: Option<&Counted<'_>>,
) -> Section {
    let all_keys: BTreeSet<String> = cases.iter().map(|case| keys(&case.workload)).collect();
    let keys_differ = all_keys.len() > 1;
    let mut columns =
        vec![("Backend", Align::Left), ("BatchSize", Align::Right), ("WriteSize", Align::Right)];
    if keys_differ {
        columns.push(("Keys", Align::Left));
    }
    let identifying = columns.len();
    columns.extend(["Mean", "Error", "StdDev", "Median", "Ratio"].map(|it| (it, Align::Right)));
    if counted.is_some() {
        columns.extend(["Alloc", "Instr"].map(|it| (it, Align::Right)));
    }
    let mut table = Table::new(&columns).identified_by(identifying).sparing(&["StdDev", "Median"]);
    let mut notes = Vec::new();
    for case in cases {
        let workload = case.workload;
        let mut cells = vec![
            case.backend.clone(),
            workload.batch_size.to_string(),
            workload.value_size.to_string(),
        ];
        if keys_differ {
            cells.push(keys(&workload));
        }
        if let (Some(time), Status::Ok) = (&case.time, case.status) {
            let like = |value: Option<f64>| {
                value.map_or("-".to_owned(), |value| units::time_like(value, time.mean_ns))
            };
            let mean = units::time(time.mean_ns);
            let is_best = best.get(&workload) == Some(&case.backend.as_str());
            cells.extend([
                if is_best { format!("* **{mean}**") } else { mean },
                like(time.error_ns),
                like(time.std_dev_ns),
                like(Some(time.median_ns)),
                ratio(case, cases).map_or("-".to_owned(), |ratio| format!("{ratio:.2}")),
            ]);
        } else {
            cells.push(case.status.to_string());
            cells.extend(std::iter::repeat_n(String::new(), 4));
            let reason = case.reason.as_deref().unwrap_or("no reason was recorded");
            notes.push(format!("{}: {workload}/{}: {reason}", case.status, case.backend));
        }
        cells.extend(counted.map(|counted| counts(case, counted)).into_iter().flatten());
        table.row(cells);
    }
    let about = match (keys_differ, all_keys.first()) {
        (false, Some(keys)) => format!("Keys: {keys}."),
        _ => String::new(),
    };
    notes.extend(counted.and_then(|counted| counted.absent(cases)));
    Section { notes, ..Section::new(title, about, table) }
}

/// The cells of what was counted.
fn counts(case: &CaseRecord, counted: &Counted<'_>) -> [String; 2] {
    let counts = counted.of(case);
    let bytes = counts.and_then(|it| it.rust_bytes_per_transaction);
    let instructions = counts.and_then(|it| it.instructions_per_transaction);
    let absent = || "-".to_owned();
    [
        bytes.map_or_else(absent, |it| format!("{} B", plain(it))),
        instructions.map_or_else(absent, |it| format!("{it:.0}")),
    ]
}

/// The time over that of `raw-ffi`: the estimate that has an interval in a table of its own, or, in a
/// run that has no such estimates, the quotient of the means.
fn ratio(case: &CaseRecord, cases: &[&CaseRecord]) -> Option<f64> {
    if cases.iter().any(|case| case.relative.is_some()) {
        let own = (case.backend == REFERENCE).then_some(1.0);
        return own.or_else(|| Some(case.relative.as_ref()?.estimate));
    }
    let is_base = |it: &&&CaseRecord| it.backend == REFERENCE && it.workload == case.workload;
    let base = cases.iter().find(is_base)?.time.as_ref()?.mean_ns;
    Some(case.time.as_ref()?.mean_ns / base)
}

/// Order and size of the keys in one word or two.
fn keys(workload: &Workload) -> String {
    format!("{}, {} B", workload.key_order, workload.key_size)
}
