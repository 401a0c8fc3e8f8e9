//! Comparison of a run with a stored one: the gate for a new version of a binding, an engine or a
//! compiler. Pure.

use std::collections::BTreeSet;
use std::fmt;

use crate::units::count;
use crate::view::View;
use records::builds::{self, BuildDifference, Part};
use records::schema::{BackendRecord, Counts, Results};

/// What a comparison found.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Changes {
    /// What differs in how the two were made, one sentence each.
    pub made_differently: Vec<String>,
    /// Whether instructions in LMDB and the C library were compared: not where these or Valgrind
    /// were other ones, because then they differ for reasons that are not the binding's.
    pub whole: bool,
    /// How many cases are in both.
    pub cases: usize,
    /// What changed by more than the tolerance.
    pub changes: Vec<Change>,
}

/// What is said where instructions in C were not compared.
pub(crate) const NOT_WHOLE: &str = " Instructions in LMDB and the C library were not compared, because \
     the C compiler, the C library or valgrind differs. The binding's own instructions, allocations and \
     system calls were.";

/// A number that changed.
#[derive(Debug, Clone, PartialEq)]
pub struct Change {
    /// The case: `WORKLOAD/BACKEND`.
    pub case: String,
    /// What was counted.
    pub what: String,
    /// The stored number; `None` if there is none.
    pub before: Option<f64>,
    /// The number of this run; `None` if it could not be counted.
    pub now: Option<f64>,
}

impl fmt::Display for Change {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let number = |value: Option<f64>| value.map_or("not counted".to_owned(), count);
        let Self { case, what, before, now } = self;
        write!(f, "{case}: {what}: {} -> {}", number(*before), number(*now))?;
        match (before, now) {
            (Some(before), Some(now)) if *before != 0.0 => {
                write!(f, " ({:+.2} %)", (now / before - 1.0) * 100.0)
            }
            _ => Ok(()),
        }
    }
}

/// Compares `now` with `stored`. A number changed if it differs by more than `tolerance`, a share of
/// the stored one.
///
/// # Errors
/// When the two have no case in common, or were compiled for different targets.
pub fn compare(stored: &Results, now: &Results, tolerance: f64) -> Result<Changes, String> {
    let [target, new_target] = [stored, now].map(|results| &results.host.target);
    if target != new_target {
        return Err(format!("the stored file is of target {target}, this program of {new_target}"));
    }
    let (made_differently, whole) = differences(stored, now);
    let mut found = Changes { made_differently, whole, ..Changes::default() };
    let (before_view, now_view) = (View::new(stored), View::new(now));
    for before in before_view.cases() {
        let after = now_view.case(&before.backend, &before.workload);
        let (Some(old), Some(new)) = (&before.counts, after) else { continue };
        found.cases += 1;
        let none = Counts::default();
        let new = new.counts.as_ref().unwrap_or(&none);
        // The loop in C is compiled by the C compiler.
        let own =
            whole || !before_view.backend(&before.backend).is_some_and(BackendRecord::is_loop_in_c);
        for (what, before_value, now_value) in pairs(old, new, whole, own) {
            if changed(before_value, now_value, tolerance) {
                found.changes.push(Change {
                    case: format!("{}/{}", before.workload, before.backend),
                    what,
                    before: before_value,
                    now: now_value,
                });
            }
        }
    }
    if found.cases == 0 {
        return Err("the stored file has none of the cases that were counted".to_owned());
    }
    Ok(found)
}

/// What the two runs have of each number: of instructions all if `whole`, the binding's if `own`.
fn pairs(
    old: &Counts,
    new: &Counts,
    whole: bool,
    own: bool,
) -> Vec<(String, Option<f64>, Option<f64>)> {
    let mut pairs = Vec::new();
    let mut pair = |what: &str, value: &dyn Fn(&Counts) -> Option<f64>| {
        pairs.push((what.to_owned(), value(old), value(new)));
    };
    if whole {
        pair("instructions per transaction", &|it| it.instructions_per_transaction);
    }
    if own {
        pair("binding's instructions per transaction", &|it| it.instructions.map(|it| it.binding));
    }
    pair("Rust allocations per transaction", &|it| it.rust_allocations_per_transaction);
    pair("Rust bytes per transaction", &|it| it.rust_bytes_per_transaction);
    pair("C allocations per transaction", &|it| it.c_allocations_per_transaction);
    let kinds = |counts: &Counts| -> BTreeSet<String> {
        counts.system_calls_per_transaction.iter().flat_map(|calls| calls.keys().cloned()).collect()
    };
    for kind in kinds(old).union(&kinds(new)) {
        pair(&format!("system calls {kind} per transaction"), &|it| {
            let calls = it.system_calls_per_transaction.as_ref()?;
            Some(calls.get(kind).copied().unwrap_or(0.0))
        });
    }
    pairs
}

/// A number that was written and read again may be off by its last binary digit: this share is more
/// than that and less than any count.
const READING: f64 = 1e-12;

/// What was never counted cannot change; what was and no longer is, did.
fn changed(before: Option<f64>, now: Option<f64>, tolerance: f64) -> bool {
    match (before, now) {
        (None, _) => false,
        (Some(_), None) => true,
        (Some(before), Some(now)) => (now - before).abs() > tolerance.max(READING) * before.abs(),
    }
}

/// What differs in how the two were made, and whether LMDB and the C library are the same.
fn differences(stored: &Results, now: &Results) -> (Vec<String>, bool) {
    let [stored, now] = [stored, now].map(builds::of_results);
    let mut found = builds::differences(&stored, &now);
    found.retain(|it| !matches!(it.part, Part::Processor | Part::Alignment));
    let is_in_c = |it: &BuildDifference| match it.part {
        Part::CFlags | Part::Engine => true,
        // It counts no instructions.
        Part::Counters => it.what != "strace",
        _ => false,
    };
    let whole = !found.iter().any(is_in_c);
    let sentence = |it: BuildDifference| format!("{}: stored with {}, now {}", it.what, it.a, it.b);
    (found.into_iter().map(sentence).collect(), whole)
}

impl fmt::Display for Changes {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if !self.made_differently.is_empty() {
            writeln!(f, "The stored file was made differently:")?;
            for difference in &self.made_differently {
                writeln!(f, "- {difference}")?;
            }
        }
        if !self.whole {
            writeln!(f, "{}", NOT_WHOLE.trim_start())?;
        }
        for change in &self.changes {
            writeln!(f, "- {change}")?;
        }
        Ok(())
    }
}

#[cfg(test)]
#[path = "check/tests.rs"]
mod tests;
