//! What each binding costs, in sentences made from the data. A sentence that the data does not
//! support is not made.

use std::collections::BTreeSet;
use std::fmt::Write as _;

use write_backend::Finish;

use crate::REFERENCE;
use crate::comparison::{Overheads, overheads};
use records::schema::{BackendRecord, CaseRecord, Results};
use statistics::Verdict;

/// What the first lines say.
const ABOUT: &str = "What a binding adds to the time of a transaction, over raw FFI on the same LMDB: the geometric mean \
over workloads, the lowest and the highest of them, and in how many a difference was found. `owned-buffer` and `pre-span` \
are no bindings but two ways to hand over buffers.";

/// One line for each thing that can be said.
#[must_use]
pub fn summary(
    compare: &Results,
    equal_flags: Option<&Results>,
    counts: Option<&Results>,
    luck: Option<f64>,
) -> String {
    let rows = overheads(compare);
    let ids: BTreeSet<&str> = rows.iter().map(|row| row.backend).collect();
    if ids.is_empty() {
        return String::new();
    }
    let mut text = format!("{ABOUT}\n\n");
    // Writing to a string cannot fail.
    for backend in compare.backends.iter().filter(|it| ids.contains(it.id.as_str())) {
        let of: Vec<&Overheads<'_>> = rows.iter().filter(|row| row.backend == backend.id).collect();
        let _ = writeln!(text, "- {}", overhead(backend, &of));
    }
    for backend in compare.backends.iter().filter(|it| is_engine(it)) {
        text += &engine(backend, compare, equal_flags)
            .map_or(String::new(), |line| format!("- {line}\n"));
    }
    if let Some(line) = counts.and_then(allocations) {
        let _ = writeln!(text, "- {line}");
    }
    if let Some(luck) = luck {
        let _ = writeln!(
            text,
            "- In a build of your own the place of code in memory alone changes a time by {:.1} % (standard deviation; \
             the median of the workloads tried, see METHOD.md): an overhead of that size decides nothing for you.",
            luck * 100.0
        );
    }
    text
}

/// Raw FFI on another engine than the reference's.
fn is_engine(backend: &BackendRecord) -> bool {
    backend.control.is_none() && backend.engine_version.is_some() && backend.id != REFERENCE
}

/// What a ratio adds or takes away: `+1.6 %`.
fn change(ratio: f64) -> String {
    format!("{:+.1} %", (ratio - 1.0) * 100.0)
}

fn overhead(backend: &BackendRecord, rows: &[&Overheads<'_>]) -> String {
    let one = |row: &&Overheads<'_>| {
        let (mean, found) = (&row.mean, row.mean.workloads - row.no_difference);
        format!(
            "{} {} ({} to {}; found in {found} of {} workloads)",
            row.finish,
            change(mean.mean),
            change(mean.min),
            change(mean.max),
            mean.workloads
        )
    };
    // What is kept comes first.
    let parts: Vec<String> = rows.iter().rev().map(one).collect();
    format!("**{}**: {}.", backend.id, parts.join("; "))
}

/// What the engine does to commits: as shipped, and where it was measured with equal flags.
fn engine(backend: &BackendRecord, shipped: &Results, equal: Option<&Results>) -> Option<String> {
    let mut text = format!(
        "The LMDB of **{}** ({}), over that of lmdb-sys, both through raw FFI: commit {}",
        backend.engine_crate.as_deref()?,
        backend.engine_version.as_deref()?,
        commits(backend, shipped)?
    );
    let flags = equal.and_then(|equal| equal.options.cflags.as_deref());
    if let (Some(flags), Some(found)) = (flags, equal.and_then(|it| commits(backend, it))) {
        // Writing to a string cannot fail.
        let _ = write!(text, "; with all engines compiled with `{flags}`, {found}");
    }
    text += ". It is what you get with the binding, and no part of the overheads above.";
    Some(text)
}

/// Lowest and highest ratio of commits on this engine, and the verdicts.
fn commits(backend: &BackendRecord, run: &Results) -> Option<String> {
    let is_it =
        |case: &&CaseRecord| case.backend == backend.id && case.workload.finish == Finish::Commit;
    let cases = run.cases.iter().filter(is_it);
    let ratios: Vec<_> = cases.filter_map(|case| case.relative.as_ref()).collect();
    let lowest = ratios.iter().map(|it| it.estimate).reduce(f64::min)?;
    let highest = ratios.iter().map(|it| it.estimate).reduce(f64::max)?;
    let with = |verdict| ratios.iter().filter(|it| it.verdict == verdict).count();
    Some(format!(
        "{} to {}, faster in {} and slower in {} of {} workloads",
        change(lowest),
        change(highest),
        with(Verdict::Faster),
        with(Verdict::Slower),
        ratios.len()
    ))
}

/// Who allocates in Rust, and who does not.
fn allocations(counts: &Results) -> Option<String> {
    let mut without = Vec::new();
    let mut with = Vec::new();
    let backends =
        counts.backends.iter().filter(|it| it.engine_version.is_some() && !it.id.contains('@'));
    for backend in backends {
        let cases = counts.cases.iter().filter(|case| case.backend == backend.id);
        let bytes: Vec<f64> =
            cases.filter_map(|case| case.counts.as_ref()?.rust_bytes_per_transaction).collect();
        match bytes.iter().copied().reduce(f64::max) {
            Some(most) if most > 0.0 => with.push(format!("`{}`", backend.id)),
            Some(_) => without.push(format!("`{}`", backend.id)),
            None => {}
        }
    }
    match (without.as_slice(), with.as_slice()) {
        ([], []) => None,
        (_, []) => {
            Some(format!("{} allocate nothing in Rust while they write.", without.join(", ")))
        }
        ([], _) => Some(format!("{} allocate in Rust while they write.", with.join(", "))),
        _ => Some(format!(
            "{} allocate nothing in Rust while they write; {} do.",
            without.join(", "),
            with.join(", ")
        )),
    }
}

#[cfg(test)]
mod tests {
    // The snapshot tool writes them so.
    #![allow(clippy::needless_raw_string_hashes)]

    use expect_test::expect;

    use super::*;
    use crate::snapshots::results;

    #[test]
    fn a_run_in_words() {
        expect![[r#"
            What a binding adds to the time of a transaction, over raw FFI on the same LMDB: the geometric mean over workloads, the lowest and the highest of them, and in how many a difference was found. `owned-buffer` and `pre-span` are no bindings but two ways to hand over buffers.

            - **heed**: commit +3.0 % (+3.0 % to +3.0 %; found in 1 of 1 workloads).
            - The LMDB of **lmdb-master-sys** (0.9.70), over that of lmdb-sys, both through raw FFI: commit -10.0 % to -10.0 %, faster in 1 and slower in 0 of 1 workloads. It is what you get with the binding, and no part of the overheads above.
            - In a build of your own the place of code in memory alone changes a time by 1.0 % (standard deviation; the median of the workloads tried, see METHOD.md): an overhead of that size decides nothing for you.
        "#]].assert_eq(&summary(&results(), None, None, Some(0.01)));
    }

    #[test]
    fn equal_flags_are_named_where_they_were_measured() {
        let mut equal = results();
        equal.options.cflags = Some("-O3".to_owned());
        equal.cases[1].relative.as_mut().unwrap().estimate = 1.002;
        let text = summary(&results(), Some(&equal), None, None);
        assert!(text.contains("commit -10.0 % to -10.0 %, faster in 1"), "{text}");
        assert!(
            text.contains("; with all engines compiled with `-O3`, +0.2 % to +0.2 %"),
            "{text}"
        );
    }

    #[test]
    fn what_was_not_measured_is_not_mentioned() {
        let mut results = results();
        results.cases.clear();
        assert_eq!(summary(&results, None, None, None), "");
        assert_eq!(allocations(&results), None);
    }

    #[test]
    fn who_allocates_is_told_apart() {
        let mut counts = results();
        for (case, bytes) in counts.cases.iter_mut().zip([0.0, 0.0, 8.0]) {
            case.counts = Some(records::schema::Counts {
                rust_bytes_per_transaction: Some(bytes),
                ..Default::default()
            });
        }
        let line = allocations(&counts).unwrap();
        assert_eq!(line, "`raw-ffi` allocate nothing in Rust while they write; `heed` do.");
    }
}
