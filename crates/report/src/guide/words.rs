//! What each binding costs, in sentences made from the data. A sentence that the data does not
//! support is not made.

use std::fmt::Write as _;

use write_backend::{Finish, Workload};

use crate::engine::name;
use crate::groups::{AVERAGED, Group, columns, words};
use crate::summary::{Overheads, overheads, undecided};
use crate::table::bullets;
use crate::units::{self, change, listed};
use crate::view::{Role, View};
use records::schema::BackendRecord;
use statistics::Verdict;

/// What the first lines say.
const ABOUT: &str = "What a binding adds to the time of a transaction, over raw FFI on the same LMDB: the geometric mean \
over workloads, the lowest and the highest of them, and in how many a difference was found.";

/// One line for each thing that can be said.
#[must_use]
pub fn summary(
    compare: &View<'_>,
    equal_flags: Option<&View<'_>>,
    counts: Option<&View<'_>>,
) -> String {
    let rows = overheads(compare);
    if rows.is_empty() {
        return String::new();
    }
    let groups = compare.groups_over(&AVERAGED);
    let mut lines: Vec<String> = Vec::new();
    for backend in compare.with_role(Role::Binding) {
        let mine: Vec<&Overheads<'_>> =
            rows.iter().filter(|row| row.backend == backend.id).collect();
        if !mine.is_empty() {
            lines.push(overhead(backend, &mine, &groups));
        }
    }
    lines
        .extend(compare.with_role(Role::Control).filter_map(|it| engine(it, compare, equal_flags)));
    lines.extend(counts.and_then(allocations));
    lines.extend(undecided(&rows));
    format!("{ABOUT}{}\n\n{}", variants(compare), bullets(&lines))
}

/// Which backends are no bindings of their own.
fn variants(view: &View<'_>) -> String {
    let bindings = view.with_role(Role::Binding).filter(|backend| view.is_variant(backend));
    let ids: Vec<String> = bindings.map(|backend| format!("`{}`", backend.id)).collect();
    if ids.is_empty() {
        return String::new();
    }
    format!(" Not a binding, but another way to call the crate of its control: {}.", listed(&ids))
}

fn overhead(backend: &BackendRecord, rows: &[&Overheads<'_>], groups: &[Group]) -> String {
    let one = |row: &&Overheads<'_>| {
        let workloads = units::counted(row.verdicts.len(), "workload", "workloads");
        let verdicts = match row.count(Verdict::Withheld) {
            0 => format!("found in {} of {workloads}", row.found()),
            _ => "in one build".to_owned(),
        };
        let off_by =
            row.off_by().map(|it| format!("; your build may be off by {}", units::luck(it)));
        format!(
            "{} {} ({} to {}; {verdicts}{})",
            title(&row.group, groups),
            change(row.mean),
            change(row.range.0),
            change(row.range.1),
            off_by.unwrap_or_default()
        )
    };
    // What is kept comes first.
    let parts: Vec<String> = rows.iter().rev().map(one).collect();
    format!("**{}**: {}.", backend.id, parts.join("; "))
}

/// How the transactions of a group end, and in what else it differs from the other groups.
fn title(group: &Group, groups: &[Group]) -> String {
    let likes: Vec<Workload> = groups.iter().map(|group| group.like).collect();
    let axes = columns(&likes, &AVERAGED);
    axes.iter().map(|axis| words(axis, &group.like)).collect::<Vec<_>>().join(", ")
}

/// What the engine does to commits: as shipped, and where it was measured with equal flags.
fn engine(backend: &BackendRecord, shipped: &View<'_>, equal: Option<&View<'_>>) -> Option<String> {
    let groups = shipped.groups_over(&AVERAGED);
    let commits = groups.iter().filter(|group| group.like.finish == Finish::Commit);
    let parts: Vec<String> = commits
        .filter_map(|group| {
            let mut text =
                format!("{} {}", title(group, &groups), effect(backend, shipped, group)?);
            let flags = equal.and_then(|equal| equal.results.options.cflags.as_deref());
            let found = equal.and_then(|equal| effect(backend, equal, group));
            if let (Some(flags), Some(found)) = (flags, found) {
                let _ = write!(text, "; with all engines compiled with `{flags}`, {found}");
            }
            Some(text)
        })
        .collect();
    let reference = shipped.backend(shipped.reference()).map_or_else(String::new, name);
    (!parts.is_empty()).then(|| {
        format!(
            "LMDB **{}**, over {reference}, both through raw FFI: {}. You get it with the binding. It is not part of the \
             overheads above.",
            name(backend),
            parts.join("; ")
        )
    })
}

/// Lowest and highest ratio of a group of workloads on this engine, and the verdicts.
fn effect(backend: &BackendRecord, view: &View<'_>, group: &Group) -> Option<String> {
    let cases = view.cases_of(&backend.id, &group.workloads);
    let ratios: Vec<_> = cases.filter_map(|case| case.relative.as_ref()).collect();
    let (lowest, highest) = units::extent(ratios.iter().map(|ratio| ratio.estimate))?;
    let with = |verdict| ratios.iter().filter(|ratio| ratio.verdict == verdict).count();
    Some(format!(
        "{} to {}, faster in {} and slower in {} of {}",
        change(lowest),
        change(highest),
        with(Verdict::Faster),
        with(Verdict::Slower),
        units::counted(ratios.len(), "workload", "workloads")
    ))
}

/// Which backends allocate in Rust. Raw FFI on other engines is the same Rust code.
fn allocations(counts: &View<'_>) -> Option<String> {
    let bytes = |backend: &BackendRecord| {
        let cases = counts.cases_of(&backend.id, counts.workloads());
        let bytes = cases.filter_map(|case| case.counts.as_ref()?.rust_bytes_per_transaction);
        Some((format!("`{}`", backend.id), units::extent(bytes)?.1))
    };
    let is_meant = |role| matches!(role, Role::Reference | Role::Binding);
    let backends = counts.backends().iter().filter(|it| is_meant(counts.role(it)));
    let counted: Vec<(String, f64)> = backends.filter_map(|backend| bytes(backend)).collect();
    let with: Vec<&str> =
        counted.iter().filter(|(_, bytes)| *bytes > 0.0).map(|(id, _)| id.as_str()).collect();
    let others = if with.len() < counted.len() { " The others allocate nothing." } else { "" };
    let who = if with.is_empty() { "none".to_owned() } else { listed(&with) };
    (!counted.is_empty()).then(|| format!("Allocations in Rust on writing: {who}.{others}"))
}

#[cfg(test)]
mod tests {
    use expect_test::expect;

    use super::*;
    use records::schema::Results;
    use records::testing::Run;

    fn run() -> Results {
        let names = ["commit-n10-v4-k4-sequential-nosync", "commit-n10-v64-k4-sequential-nosync"];
        Run::whole().workloads(&names).build()
    }

    #[test]
    fn a_run_in_words() {
        let shipped = run();
        let mut equal = run();
        equal.options.cflags = Some("-O3".to_owned());
        let counts = Run::counts().backend("raw-ffi", None, 1.0);
        let counts = counts.backend("heed", Some("raw-ffi"), 1.0).build();
        let [shipped, equal, counts] = [&shipped, &equal, &counts].map(View::new);
        expect![[r#"
            What a binding adds to the time of a transaction, over raw FFI on the same LMDB: the geometric mean over workloads, the lowest and the highest of them, and in how many a difference was found.

            - **heed**: commit +4.9 % (+4.9 % to +4.9 %; found in 2 of 2 workloads; your build may be off by 1.3 %).
            - LMDB **0.9.21 of lmdb-sys**, over 0.9.21 of lmdb-sys, both through raw FFI: commit -10.0 % to -10.0 %, faster in 2 and slower in 0 of 2 workloads; with all engines compiled with `-O3`, -10.0 % to -10.0 %, faster in 2 and slower in 0 of 2 workloads. You get it with the binding. It is not part of the overheads above.
            - Allocations in Rust on writing: `heed`. The others allocate nothing.
        "#]].assert_eq(&summary(&shipped, Some(&equal), Some(&counts)));
    }

    #[test]
    fn what_was_not_measured_is_not_mentioned() {
        let mut results = run();
        results.cases.clear();
        let view = View::new(&results);
        assert_eq!(summary(&view, None, Some(&view)), "");
    }
}
