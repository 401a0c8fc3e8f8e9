//! The tables of a comparison: what a user sees, overhead, noise floor, and the summary.

use write_backend::Workload;

use crate::groups::{UNNAMED, WorkloadTable};
use crate::table::{Column, Section, Table};
use crate::view::{Role, View};
use crate::{summary, units};
use records::schema::{CaseRecord, Ratio};

/// How to read the column.
const LUCK: &str = " Estimate and interval are of the mean over link orders. Luck is the spread (standard \
     deviation) over them, of all value sizes together: a single build, yours too, may be off by twice as \
     much.";

/// All tables of a comparison but those of engines, the summary last: what a person reads first is what a
/// terminal shows last.
#[must_use]
pub fn sections(view: &View<'_>) -> Vec<Section> {
    let mut sections = Vec::new();
    let has_luck =
        view.cases().any(|case| case.overhead.as_ref().is_some_and(|it| it.luck.is_some()));
    let overhead = format!(
        "Time over that of raw FFI on the same LMDB. 1.03 means that the binding takes 3 % longer than \
         the C calls it stands for.{}",
        if has_luck { LUCK } else { "" }
    );
    let relative = format!(
        "What a user sees: time over that of {}, binding and engine together.",
        view.reference()
    ) + &uncontrolled(view);
    // Where the control is the reference itself, the first would repeat the second.
    let of_lmdb = [Role::Binding, Role::Uncontrolled];
    let seen = ratios(view, &of_lmdb, "Relative", |case| {
        case.relative.as_ref().filter(|relative| Some(*relative) != case.overhead.as_ref())
    });
    let [own, other] = [&of_lmdb[..], &[Role::OtherFamily]]
        .map(|roles| ratios(view, roles, "Overhead", |case| case.overhead.as_ref()));
    let no_lmdb = "Time over that of raw FFI on the same engine, which is no LMDB.";
    let tables = [
        ("Binding overhead, no LMDB", no_lmdb.to_owned(), other),
        ("Binding and engine", relative, seen),
        ("Binding overhead", overhead, own),
        ("Noise floor", floor_note(view), floors(view)),
    ];
    let tables = tables.into_iter().filter(|(_, _, table)| !table.is_empty());
    sections.extend(tables.map(|(title, about, table)| Section::new(title, about, table)));
    sections.extend(summary::section(view));
    sections
}

/// Who gets no overhead, and why; empty where all get one.
fn uncontrolled(view: &View<'_>) -> String {
    let reasons = view.with_role(Role::Uncontrolled).map(|backend| {
        let engine = backend.engine_version.as_deref().unwrap_or_default();
        format!(
            " {} gets no overhead: no backend of this run is raw FFI on its LMDB {engine}.",
            backend.id
        )
    });
    reasons.collect()
}

/// One row per case of a backend with one of `roles` that has the ratio.
fn ratios<'a>(
    view: &'a View<'_>,
    roles: &[Role],
    heading: &str,
    ratio: impl Fn(&'a CaseRecord) -> Option<&'a Ratio>,
) -> Table {
    let is_binding = |case: &&CaseRecord| {
        let role = view.backend(&case.backend).map(|it| view.role(it));
        role.is_some_and(|role| roles.contains(&role))
    };
    let rows: Vec<(&CaseRecord, &Ratio)> =
        view.cases().filter(is_binding).filter_map(|case| Some((case, ratio(case)?))).collect();
    let workloads: Vec<Workload> = rows.iter().map(|(case, _)| case.workload).collect();
    let interval = format!("{} interval", units::percent(view.results.options.confidence));
    let has_luck = rows.iter().any(|(_, ratio)| ratio.luck.is_some());
    let luck = has_luck.then(|| Column::right("Luck"));
    let ratio = [Column::right(heading), Column::left(interval)];
    let numbers = ratio.into_iter().chain(luck).chain([Column::left("Verdict")]);
    let mut table = WorkloadTable::new(&workloads, &[], [Column::left("Backend")], numbers);
    for (case, ratio) in rows {
        let luck = has_luck.then(|| units::or_absent(ratio.luck, units::luck));
        let found = [units::ratio(ratio.estimate), units::interval(ratio.low, ratio.high)];
        let cells = found.into_iter().chain(luck).chain([ratio.verdict.to_string()]);
        table.row([case.backend.as_str()], &case.workload, cells);
    }
    table.table
}

/// One row per workload that has a noise floor.
fn floors(view: &View<'_>) -> Table {
    let has_floor = |workload: &&Workload| view.noise_floor(workload).is_some();
    let workloads: Vec<Workload> = view.workloads().iter().filter(has_floor).copied().collect();
    let mut table = WorkloadTable::new(&workloads, &[], [], [Column::left("A/A interval")]);
    for workload in &workloads {
        let floor = view.noise_floor(workload).map(|it| units::interval(it.low, it.high));
        table.row(UNNAMED, workload, floor);
    }
    table.table
}

fn floor_note(view: &View<'_>) -> String {
    format!(
        "The A/A twin is a second launch of {} in every block, treated as if it were another backend. \
         Its ratio to the first differs from 1 by noise alone. A difference inside this interval, made \
         symmetric about 1, is not claimed. Intervals at {}.",
        view.reference(),
        units::percent(view.results.options.confidence)
    )
}

#[cfg(test)]
mod tests {
    use records::testing::Run;

    use super::*;

    #[test]
    fn what_is_no_lmdb_has_a_table_of_its_own_and_no_ratio_to_the_reference() {
        let run = Run::whole().backend("owned-buffer", Some("raw-ffi"), 1.2).edit(|run| {
            for backend in &mut run.backends[1..3] {
                backend.data_format = "mdbx-3".to_owned().try_into().unwrap();
            }
        });
        let run = run.build();
        let has = |title: &str, id: &str| {
            let sections = sections(&View::new(&run));
            let section = sections.iter().find(|it| it.title == title).expect("a table");
            section.table.to_string().contains(id)
        };
        for (title, lmdb) in
            [("Binding overhead, no LMDB", false), ("Binding overhead", true), ("Summary", true)]
        {
            assert_eq!((has(title, "owned-buffer"), has(title, "heed")), (lmdb, !lmdb), "{title}");
        }
        let header = crate::header::header(&run);
        assert!(header.contains("No LMDB: raw-ffi@lmdb-master-sys, heed."), "{header}");
        assert!(header.contains("MDBX 0.9.21"), "{header}");
    }
}
