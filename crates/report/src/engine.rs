//! The engine's effect: raw FFI on a binding's LMDB over raw FFI on lmdb-sys's, as the crates ship
//! their LMDB and, beside it, with all of them compiled with equal flags.

use write_backend::Workload;

use crate::REFERENCE;
use crate::axes::axes;
use crate::comparison::interval;
use crate::section::Section;
use crate::table::{Align, Table};
use crate::units;
use records::schema::{BackendRecord, Ratio, Results};
use statistics::Verdict;

/// What the tables show, in one line.
pub const ABOUT: &str = "Raw FFI on a binding's LMDB over raw FFI on lmdb-sys's. It is \
     the C library's version and compiler flags, not the binding. In parentheses: no difference found.";

/// How a run with equal flags is made.
const COMMAND: &str = "`CFLAGS=\"-O3 -DNDEBUG\" cargo bench -p harness --bench compare -- --out \
     results/latest/compare-equal-flags.json`";

/// The engine effect of one run, a section for each engine.
#[must_use]
pub fn sections(results: &Results) -> Vec<Section> {
    let head = match &results.options.cflags {
        Some(_) => "With CFLAGS",
        None => "As shipped",
    };
    of_engines(results, ABOUT, &[(head, results)])
}

/// The engine effect of a run with engines as shipped and of one with equal flags, side by side.
#[must_use]
pub fn side_by_side(shipped: &Results, equal_flags: Option<&Results>) -> Vec<Section> {
    let Some(equal) = equal_flags else {
        let about = format!(
            "{ABOUT} This run has no part with equal flags, which would show how much of it is the \
             flags: {COMMAND} makes one."
        );
        return of_engines(shipped, &about, &[("As shipped", shipped)]);
    };
    let flags = equal.options.cflags.as_deref().unwrap_or("unknown");
    let about = format!(
        "{ABOUT} Equal flags: all engines compiled with `{flags}`, in a run of its own; what is left \
         there is the version."
    );
    of_engines(shipped, &about, &[("As shipped", shipped), ("Equal flags", equal)])
}

/// A section for each engine but the reference's, with a column for each run; the first says what it
/// is about.
fn of_engines(results: &Results, about: &str, runs: &[(&str, &Results)]) -> Vec<Section> {
    let mut sections: Vec<Section> = Vec::new();
    for backend in results.backends.iter().filter(|it| is_other_engine(it)) {
        let table = table(results, &backend.id, runs);
        if table.is_empty() {
            continue;
        }
        let name = backend.engine_crate.as_deref().unwrap_or(&backend.id);
        let version = backend.engine_version.as_deref().unwrap_or("unknown");
        let about = if sections.is_empty() { about } else { "" };
        let title = format!("Engine effect: LMDB {version} of {name}");
        sections.push(Section::new(title, about, table));
    }
    sections
}

/// Raw FFI on another engine than the reference's.
fn is_other_engine(backend: &BackendRecord) -> bool {
    backend.control.is_none() && backend.engine_version.is_some() && backend.id != REFERENCE
}

/// One row per workload of `results`.
fn table(results: &Results, backend: &str, runs: &[(&str, &Results)]) -> Table {
    let workloads: Vec<Workload> = results
        .cases
        .iter()
        .filter(|case| case.backend == backend && case.relative.is_some())
        .map(|case| case.workload)
        .collect();
    let axes = axes(&workloads);
    let mut columns: Vec<(&str, Align)> =
        axes.iter().map(|axis| (axis.name(), axis.align())).collect();
    columns.extend(runs.iter().map(|(head, _)| (*head, Align::Right)));
    let mut table = Table::new(&columns).identified_by(axes.len());
    for workload in &workloads {
        let named = axes.iter().map(|axis| axis.value(workload));
        let effects = runs.iter().map(|(_, run)| effect(run, backend, workload));
        table.row(named.chain(effects));
    }
    table
}

/// A ratio with its interval; in parentheses where no difference was found.
fn effect(run: &Results, backend: &str, workload: &Workload) -> String {
    let case = run.cases.iter().find(|it| it.backend == backend && it.workload == *workload);
    let Some(Ratio { estimate, low, high, verdict, .. }) =
        case.and_then(|case| case.relative.as_ref())
    else {
        return "-".to_owned();
    };
    let text = format!("{} {}", units::ratio(*estimate), interval(*low, *high));
    match verdict {
        Verdict::NoDifferenceFound => format!("({text})"),
        // In line with those in parentheses.
        Verdict::Faster | Verdict::Slower => format!("{text} "),
    }
}
