//! Noise floors that exclude 1: where the instrument preferred one of two equal workers.

use std::collections::HashSet;

use write_backend::Workload;

use crate::schema::Results;

/// How rare a number of floors that exclude 1 must be, if nothing but chance were at work, to say
/// that something else is: one run in a thousand.
pub const RARE: f64 = 0.001;

/// The noise floors of a run.
#[derive(Debug, Clone, PartialEq)]
pub struct Floors {
    /// How many workloads have one.
    pub all: usize,
    /// The workloads whose floor excludes 1.
    pub excluding: Vec<Workload>,
    /// The part of equal pairs whose interval excludes 1 by chance: 1 - confidence.
    pub rate: f64,
}

impl Floors {
    /// Those of `results`.
    #[must_use]
    pub fn of(results: &Results) -> Self {
        let mut seen = HashSet::new();
        let mut excluding = Vec::new();
        for case in &results.cases {
            let Some(floor) = case.noise_floor else { continue };
            if seen.insert(case.workload) && !floor.contains(1.0) {
                excluding.push(case.workload);
            }
        }
        Self { all: seen.len(), excluding, rate: 1.0 - results.options.confidence }
    }

    /// How many are expected to exclude 1 by chance.
    #[must_use]
    pub fn expected(&self) -> f64 {
        self.all as f64 * self.rate
    }

    /// How likely at least so many are by chance: the floors of different workloads have no launch
    /// in common, so their number is binomial.
    #[must_use]
    pub fn likelihood(&self) -> f64 {
        // The rate is that of a confidence, which lies between 0 and 1.
        statistics::at_least(self.all, self.excluding.len(), self.rate).unwrap_or(1.0)
    }

    /// Whether chance explains their number: more are as rare as [`RARE`].
    #[must_use]
    pub fn are_chance(&self) -> bool {
        self.likelihood() >= RARE
    }

    /// `2 of 24 workloads (1.2 expected by chance): abort-n1-..., ...`.
    #[must_use]
    pub fn words(&self) -> String {
        let names: Vec<String> = self.excluding.iter().map(ToString::to_string).collect();
        format!(
            "{} of {} workloads ({:.1} expected by chance): {}",
            self.excluding.len(),
            self.all,
            self.expected(),
            names.join(", ")
        )
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::schema::CaseRecord;
    use crate::testing::fixtures;
    use statistics::Interval;

    /// Results with `all` floors of which `excluding` exclude 1, each in two cases.
    fn results(all: usize, excluding: usize) -> Results {
        let mut results = fixtures::results();
        let workload = results.cases[0].workload;
        let floor = |index: usize| match index < excluding {
            true if index.is_multiple_of(2) => Interval { low: 1.001, high: 1.02 },
            true => Interval { low: 0.97, high: 0.999 },
            false => Interval { low: 1.0, high: 1.01 },
        };
        let case = |index: usize, backend: &str| CaseRecord {
            noise_floor: Some(floor(index)),
            ..CaseRecord::ok(backend, Workload { batch_size: index + 1, ..workload })
        };
        let both = |index: usize| [case(index, "raw-ffi"), case(index, "owned-buffer")];
        results.cases = (0..all).flat_map(both).collect();
        results
    }

    #[test]
    fn chance_explains_five_of_twenty_four_and_no_sixth() {
        for (excluding, are_chance) in [(0, true), (2, true), (5, true), (6, false), (24, false)] {
            let floors = Floors::of(&results(24, excluding));
            assert_eq!((floors.all, floors.excluding.len()), (24, excluding));
            assert_eq!(floors.are_chance(), are_chance, "{excluding}: {}", floors.likelihood());
        }
        assert!(Floors::of(&results(0, 0)).are_chance());
    }

    #[test]
    fn the_workloads_are_named() {
        let words = Floors::of(&results(24, 1)).words();
        assert_eq!(
            words,
            "1 of 24 workloads (1.2 expected by chance): commit-n1-v64-k16-random-sync"
        );
    }
}
