//! Which backend is the fastest of a workload, where the intervals say so.

use write_backend::Workload;

use crate::view::{Role, View};
use records::schema::{CaseRecord, Status};
use statistics::{Interval, Verdict};

/// The fastest backend of a workload.
///
/// It is told apart from all others, not only lower: its interval of `relative` is below theirs, and
/// between it and the reference the verdict is a claim. The reference itself is at 1, by definition. A
/// backend without LMDB takes no part. Where a rival has no interval, nothing is said.
#[must_use]
pub fn of_workload<'run>(view: &View<'run>, workload: &Workload) -> Option<&'run str> {
    let takes_part = |case: &&CaseRecord| case.status == Status::Ok && case.time.is_some();
    let rivals: Vec<Rival<'_>> = view
        .cases_on(&[*workload])
        .filter(takes_part)
        .filter_map(|case| Rival::new(view, case))
        .collect();
    // Alone, nobody is the fastest of anything.
    let [_, _, ..] = rivals.as_slice() else { return None };
    let is_fastest = |one: &&Rival<'_>| {
        rivals.iter().all(|other| other.backend == one.backend || one.is_below(other))
    };
    rivals.iter().find(is_fastest).map(|rival| rival.backend)
}

/// A case with the interval of its time over that of the reference.
struct Rival<'run> {
    backend: &'run str,
    interval: Interval,
    /// `None` for the reference.
    verdict: Option<Verdict>,
}

impl<'run> Rival<'run> {
    fn new(view: &View<'run>, case: &'run CaseRecord) -> Option<Self> {
        let backend = case.backend.as_str();
        let is_reference = view.backend(backend).map(|it| view.role(it)) == Some(Role::Reference);
        Some(match &case.relative {
            Some(ratio) => {
                let interval = Interval { low: ratio.low, high: ratio.high };
                Self { backend, interval, verdict: Some(ratio.verdict) }
            }
            None if is_reference => {
                Self { backend, interval: Interval { low: 1.0, high: 1.0 }, verdict: None }
            }
            None => return None,
        })
    }

    /// Whether it was found to be faster than `other`.
    fn is_below(&self, other: &Self) -> bool {
        let is_claimed = match (self.verdict, other.verdict) {
            (None, verdict) => verdict == Some(Verdict::Slower),
            (verdict, None) => verdict == Some(Verdict::Faster),
            (Some(_), Some(_)) => true,
        };
        is_claimed && self.interval.high < other.interval.low
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use records::schema::Results;
    use records::testing::{Run, workload};

    const NAME: &str = "commit-n10-v64-k4-sequential-nosync";

    fn run(backends: &[(&str, f64)]) -> Results {
        let run = Run::compare().workloads(&[NAME]).backend("raw-ffi", None, 1.0);
        let add = |run: Run, (id, factor): &(&str, f64)| run.backend(id, None, *factor);
        backends.iter().fold(run, add).build()
    }

    fn fastest(results: &Results) -> Option<String> {
        of_workload(&View::new(results), &workload(NAME)).map(str::to_owned)
    }

    #[test]
    fn the_fastest_is_told_apart_from_all_others() {
        assert_eq!(fastest(&run(&[("fast", 0.9), ("slow", 1.2)])).as_deref(), Some("fast"));
        let mut overlapping = run(&[("fast", 0.9), ("near", 0.9)]);
        overlapping.cases[2].relative = overlapping.cases[1].relative.clone();
        assert_eq!(fastest(&overlapping), None);
        assert_eq!(fastest(&run(&[("slow", 1.2)])).as_deref(), Some("raw-ffi"));
        assert_eq!(fastest(&run(&[])), None, "there is no other");
    }

    #[test]
    fn an_interval_without_a_claim_marks_nobody() {
        for factor in [0.9, 1.2] {
            let mut results = run(&[("other", factor)]);
            let relative = results.cases[1].relative.as_mut().unwrap();
            relative.verdict = Verdict::NoDifferenceFound;
            assert_eq!(fastest(&results), None);
        }
    }

    #[test]
    fn what_stores_nothing_or_failed_is_no_rival() {
        let mut results = run(&[("null", 0.01), ("slow", 1.2)]);
        results.cases[1].relative = None;
        assert_eq!(fastest(&results).as_deref(), Some("raw-ffi"));
        results.cases[2] = CaseRecord::failed("slow", workload(NAME), "why".to_owned());
        assert_eq!(fastest(&results), None);
    }
}
