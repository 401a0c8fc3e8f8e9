//! The engine's effect: raw FFI on another LMDB over raw FFI on the reference's, as the crates ship
//! their LMDB and, beside it, with all of them compiled with equal flags; and the page of a run that has
//! it.

use write_backend::Workload;

use crate::groups::{AVERAGED, UNNAMED, WorkloadTable};
use crate::header;
use crate::table::{Column, Section, Table, markdown};
use crate::units::{self, ABSENT};
use crate::view::{Role, RunView, View};
use records::schema::{BackendRecord, Ratio, Split};
use statistics::Verdict;

/// The name of the page.
pub const PAGE: &str = "engines.md";

/// A part of the instructions of a transaction.
type Part = fn(&Split) -> f64;

/// What each part of an engine's instructions is.
const PARTS: [(&str, Part); 5] = [
    ("LMDB", |it| it.lmdb),
    ("Allocator", |it| it.libc_memory),
    ("Bytes", |it| it.libc_bytes),
    ("C library", |it| it.libc_other),
    ("Caller", |it| it.binding + it.other),
];

/// The page of a run with more than one engine.
#[must_use]
pub fn page(run: &RunView<'_>) -> Option<String> {
    let counted = run.counts.as_ref().map(instructions).filter(|it| !it.table.is_empty());
    let equal = run.compare.as_ref().and(run.equal_flags.as_ref());
    let timed = run.timed().map(|view| sections(view, equal)).unwrap_or_default();
    let sections: Vec<Section> = counted.into_iter().chain(timed).collect();
    let title = "# LMDB against LMDB\n\nMade from the files beside this one by `cargo run -p harness -- report`; not to be \
         edited. Raw FFI on the LMDB of each binding: versions and compiler flags, and no binding. How: \
         [METHOD.md](../../../METHOD.md).\n\n";
    let header = run.run.results().map(header::header).unwrap_or_default();
    (!sections.is_empty()).then(|| format!("{title}{header}\n{}", markdown(&sections)))
}

/// Instructions of each engine per put, by the code that executes them; means over value sizes.
fn instructions(view: &View<'_>) -> Section {
    let mut headings = vec!["Instr/put", "Over the first"];
    headings.extend(PARTS.map(|(heading, _)| heading));
    let groups = view.groups_over(&[AVERAGED[1]]);
    let workloads: Vec<Workload> = groups.iter().map(|it| it.like).collect();
    let numbers = headings.into_iter().map(Column::right);
    let mut table = WorkloadTable::new(&workloads, &[AVERAGED[1]], [Column::left("LMDB")], numbers);
    for group in &groups {
        let mean = |backend: &BackendRecord, part: &dyn Fn(&Split) -> f64| {
            let cases = view.cases_of(&backend.id, &group.workloads);
            let parts = cases.filter_map(|case| {
                let split = case.counts.as_ref()?.instructions.as_ref()?;
                Some(part(split) / case.workload.batch_size as f64)
            });
            let parts: Vec<f64> = parts.collect();
            (!parts.is_empty()).then(|| parts.iter().sum::<f64>() / parts.len() as f64)
        };
        let sum = |backend| mean(backend, &|it| PARTS.iter().map(|(_, part)| part(it)).sum());
        let engines = || view.with_role(Role::Reference).chain(view.with_role(Role::Control));
        let first = engines().find_map(sum);
        for engine in engines().filter(|_| engines().count() > 1) {
            let over = sum(engine).zip(first).map(|(sum, first)| 100.0 * (sum / first - 1.0));
            let texts = [units::or_absent(sum(engine), units::tenths)]
                .into_iter()
                .chain([units::or_absent(over, |it| format!("{it:+.1} %"))])
                .chain(PARTS.map(|(_, part)| units::or_absent(mean(engine, &part), units::tenths)));
            table.row([name(engine)], &group.like, texts);
        }
    }
    let about = "Per put, begin and finish shared among them, means over value sizes; as shipped. Bytes: copying and \
         comparing in the C library. Caller: the loop around the calls.";
    Section::new("Instructions", about, table.table)
}

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
