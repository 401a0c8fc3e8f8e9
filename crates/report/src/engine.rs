//! The engine's effect: raw FFI on another LMDB over raw FFI on the reference's, as the crates ship
//! their LMDB and, beside it, with all of them compiled with equal flags.

use write_backend::Workload;

use crate::groups::{UNNAMED, WorkloadTable};
use crate::table::{Column, Section, Table};
use crate::units::{self, ABSENT};
use crate::view::{Role, View};
use records::schema::{BackendRecord, Ratio};
use statistics::Verdict;

/// How a run with equal flags is made.
const COMMAND: &str = "`CFLAGS=\"-O3 -DNDEBUG\" cargo bench -p harness --bench compare -- --out \
     results/latest/compare-equal-flags.json`";

/// A section for each engine except the reference's, with a column for each run; the first says what
/// they are about.
#[must_use]
pub fn sections(view: &View<'_>, equal: Option<&View<'_>>) -> Vec<Section> {
    let cflags = |view: &View<'_>| view.results.options.cflags.clone();
    let mut runs = vec![(if cflags(view).is_some() { "With CFLAGS" } else { "As shipped" }, view)];
    runs.extend(equal.map(|equal| ("Equal flags", equal)));
    let mut about = format!(
        "{}{}",
        about(view),
        match equal.map(cflags) {
            Some(flags) => format!(
                " Equal flags: all engines compiled with `{}`, in a run of its own; what remains there is \
             the version.",
                flags.as_deref().unwrap_or("unknown")
            ),
            None if cflags(view).is_none() => format!(
                " This run has no part with equal flags, which would show how much of it is the flags: \
             {COMMAND} makes one."
            ),
            None => String::new(),
        }
    );
    let mut sections = Vec::new();
    for backend in view.with_role(Role::Control) {
        let table = table(backend, &runs);
        if !table.is_empty() {
            let title = format!("Engine effect: LMDB {}", name(backend));
            // Said once.
            sections.push(Section::new(title, std::mem::take(&mut about), table));
        }
    }
    sections
}

/// The version of an engine, and the crate that it is from.
#[must_use]
pub fn name(backend: &BackendRecord) -> String {
    let version = backend.engine_version.as_deref().unwrap_or("unknown");
    format!("{version} of {}", backend.engine_crate.as_deref().unwrap_or(&backend.id))
}

fn about(view: &View<'_>) -> String {
    let reference = view.backend(view.reference()).and_then(|it| it.engine_crate.as_deref());
    format!(
        "Raw FFI on a binding's LMDB over raw FFI on that of {}. It is the C library's version and \
         compiler flags, not the binding. In parentheses: no-difference-found, in \
         brackets: withheld.",
        reference.unwrap_or(view.reference())
    )
}

/// One row per workload of the first run.
fn table(backend: &BackendRecord, runs: &[(&str, &View<'_>)]) -> Table {
    let effect =
        |view: &View<'_>, workload: &Workload| view.case(&backend.id, workload)?.relative.clone();
    let [(_, first), ..] = runs else { return Table::new([]) };
    let workloads: Vec<Workload> =
        first.workloads().iter().filter(|it| effect(first, it).is_some()).copied().collect();
    let numbers = runs.iter().map(|(head, _)| Column::right(*head));
    let mut table = WorkloadTable::new(&workloads, &[], [], numbers);
    for workload in &workloads {
        let cells = runs.iter().map(|(_, view)| cell(effect(view, workload).as_ref()));
        table.row(UNNAMED, workload, cells);
    }
    table.table
}

/// A ratio with its interval; in parentheses where no difference was found.
fn cell(effect: Option<&Ratio>) -> String {
    let Some(&Ratio { estimate, low, high, verdict, .. }) = effect else {
        return ABSENT.to_owned();
    };
    let text = format!("{} {}", units::ratio(estimate), units::interval(low, high));
    match verdict {
        Verdict::NoDifferenceFound => format!("({text})"),
        Verdict::Withheld => format!("[{text}]"),
        // In line with those in parentheses.
        Verdict::Faster | Verdict::Slower => format!("{text} "),
    }
}
