//! Which backend is the fastest of a workload, where the intervals say so.

use std::collections::HashMap;

use write_backend::Workload;

use crate::REFERENCE;
use records::schema::{CaseRecord, Status};
use statistics::{Interval, Verdict};

/// The fastest backend of each workload that has one.
///
/// It is told apart from all others, not only lower: its interval of `relative` lies wholly below
/// theirs, and between it and `raw-ffi` the verdict is a claim. `raw-ffi` itself is at 1, by
/// definition. A backend without LMDB takes no part. Where a rival has no interval, nothing is said.
#[must_use]
pub fn of_workloads<'run>(cases: &[&'run CaseRecord]) -> HashMap<Workload, &'run str> {
    let mut by_workload: HashMap<Workload, Vec<&CaseRecord>> = HashMap::new();
    for case in cases.iter().filter(|case| takes_part(case)) {
        by_workload.entry(case.workload).or_default().push(case);
    }
    let best = by_workload.iter().filter_map(|(workload, rivals)| Some((*workload, best(rivals)?)));
    best.collect()
}

fn takes_part(case: &CaseRecord) -> bool {
    case.status == Status::Ok && case.time.is_some() && interval(case).is_some()
}

fn best<'run>(rivals: &[&'run CaseRecord]) -> Option<&'run str> {
    // Alone, nobody is the best of anything.
    let [_, _, ..] = rivals else { return None };
    let others = |case: &CaseRecord| {
        let id = case.backend.clone();
        rivals.iter().filter(move |it| it.backend != id)
    };
    let wins = |case: &&&CaseRecord| others(case).all(|other| is_below(case, other));
    rivals.iter().find(wins).map(|case| case.backend.as_str())
}

/// Whether `one` was found to be faster than `other`.
fn is_below(one: &CaseRecord, other: &CaseRecord) -> bool {
    let (Some(low), Some(high)) = (interval(one), interval(other)) else { return false };
    let claimed = |case: &CaseRecord, verdict| {
        case.relative.as_ref().is_some_and(|relative| relative.verdict == verdict)
    };
    let is_claimed = (one.backend != REFERENCE || claimed(other, Verdict::Slower))
        && (other.backend != REFERENCE || claimed(one, Verdict::Faster));
    is_claimed && low.high < high.low
}

/// The interval of the time over that of `raw-ffi`.
fn interval(case: &CaseRecord) -> Option<Interval> {
    match &case.relative {
        Some(relative) => Some(Interval { low: relative.low, high: relative.high }),
        None if case.backend == REFERENCE => Some(Interval { low: 1.0, high: 1.0 }),
        None => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use records::schema::{Ratio, Time};

    fn case(backend: &str, relative: Option<(f64, f64, Verdict)>) -> CaseRecord {
        let workload = "commit-n10-v64-k4-sequential-nosync".parse().unwrap();
        let relative = relative.map(|(low, high, verdict)| Ratio {
            against: REFERENCE.to_owned(),
            estimate: f64::midpoint(low, high),
            low,
            high,
            confidence: 0.95,
            verdict,
        });
        let time = Time::new(vec![1.0, 2.0], 1);
        CaseRecord { time, relative, ..CaseRecord::ok(backend, workload) }
    }

    fn best_of(cases: &[CaseRecord]) -> Option<String> {
        let found = of_workloads(&cases.iter().collect::<Vec<_>>());
        found.into_values().next().map(str::to_owned)
    }

    #[test]
    fn the_fastest_is_told_apart_from_all_others() {
        let reference = case("raw-ffi", None);
        let fast = case("heed", Some((0.90, 0.92, Verdict::Faster)));
        let near = case("lmdb-rkv", Some((0.91, 0.94, Verdict::Faster)));
        let slow = case("pre-span", Some((1.2, 1.3, Verdict::Slower)));
        let both = [reference.clone(), fast.clone(), slow.clone()];
        assert_eq!(best_of(&both).as_deref(), Some("heed"));
        assert_eq!(best_of(&[reference.clone(), fast, near]), None, "these two overlap");
        assert_eq!(best_of(&[reference.clone(), slow]).as_deref(), Some("raw-ffi"));
        assert_eq!(best_of(&[reference]), None, "there is no other");
    }

    #[test]
    fn an_interval_without_a_claim_marks_nobody() {
        let reference = case("raw-ffi", None);
        let unclaimed = case("heed", Some((0.97, 0.99, Verdict::NoDifferenceFound)));
        assert_eq!(best_of(&[reference.clone(), unclaimed]), None);
        let slower = case("heed", Some((1.01, 1.03, Verdict::NoDifferenceFound)));
        assert_eq!(best_of(&[reference, slower]), None);
    }

    #[test]
    fn what_stores_nothing_or_failed_is_no_rival() {
        let reference = case("raw-ffi", None);
        let null = case("null", None);
        let slow = case("pre-span", Some((1.2, 1.3, Verdict::Slower)));
        assert_eq!(best_of(&[reference.clone(), null, slow]).as_deref(), Some("raw-ffi"));
        let failed = CaseRecord::failed("heed", reference.workload, "why".to_owned());
        assert_eq!(best_of(&[reference, failed]), None);
    }
}
