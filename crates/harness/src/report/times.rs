//! The table of times, in the form of the benchmark this project grew from: one row per backend,
//! batch size and value size.

use std::collections::HashMap;

use write_backend::Workload;

use crate::registry::REFERENCE;
use crate::report::section::Section;
use crate::report::table::{Align, Table};
use crate::report::units;
use crate::results::schema::{CaseRecord, Status};

/// One table of times per finish and sync mode, each under a heading: [`sections`] as Markdown.
#[must_use]
pub fn tables(cases: &[CaseRecord]) -> String {
    sections(cases).iter().map(Section::to_string).collect::<Vec<_>>().join("\n")
}

/// One table of times per finish and sync mode.
///
/// `Error` is half of the 99.9 % interval of the mean over launches, `Ratio` the mean over that of
/// `raw-ffi` on the same workload. A failed case has its reason instead of a time.
#[must_use]
pub fn sections(cases: &[CaseRecord]) -> Vec<Section> {
    let mut groups: Vec<(String, Vec<&CaseRecord>)> = Vec::new();
    for case in cases {
        let Workload { finish, sync, .. } = case.workload;
        let heading = format!("{finish}, {sync}");
        match groups.iter_mut().find(|(known, _)| *known == heading) {
            Some((_, members)) => members.push(case),
            None => groups.push((heading, vec![case])),
        }
    }
    let title = |heading: &str| format!("Time per transaction: {heading}");
    groups.iter().map(|(heading, members)| section(title(heading), members)).collect()
}

fn section(title: String, cases: &[&CaseRecord]) -> Section {
    let columns = [
        ("Backend", Align::Left),
        ("BatchSize", Align::Right),
        ("WriteSize", Align::Right),
        ("Keys", Align::Left),
        ("Mean", Align::Right),
        ("Error", Align::Right),
        ("StdDev", Align::Right),
        ("Median", Align::Right),
        ("Ratio", Align::Right),
    ];
    let mut table = Table::new(&columns).identified_by(4).sparing(&["StdDev", "Median"]);
    let reference: HashMap<Workload, f64> = cases
        .iter()
        .filter(|case| case.backend == REFERENCE)
        .filter_map(|case| Some((case.workload, case.time.as_ref()?.mean_ns)))
        .collect();
    let mut failures = Vec::new();
    for case in cases {
        let workload = case.workload;
        let mut cells = vec![
            case.backend.clone(),
            workload.batch_size.to_string(),
            workload.value_size.to_string(),
            keys(&workload),
        ];
        if let (Some(time), Status::Ok) = (&case.time, case.status) {
            let like = |value: Option<f64>| {
                value.map_or("-".to_owned(), |value| units::time_like(value, time.mean_ns))
            };
            let ratio = reference.get(&workload).map(|base| time.mean_ns / base);
            cells.extend([
                units::time(time.mean_ns),
                like(time.error_ns),
                like(time.std_dev_ns),
                like(Some(time.median_ns)),
                ratio.map_or("-".to_owned(), |ratio| format!("{ratio:.2}")),
            ]);
        } else {
            cells.push("failed".to_owned());
            let reason = case.reason.as_deref().unwrap_or("no reason was recorded");
            failures.push(format!("failed: {workload}/{}: {reason}", case.backend));
        }
        table.row(cells);
    }
    Section { notes: failures, ..Section::new(title, "", table) }
}

/// Order and size of the keys in one word or two.
fn keys(workload: &Workload) -> String {
    format!("{}, {} B", workload.key_order, workload.key_size)
}
