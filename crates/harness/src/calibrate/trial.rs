//! Twins of one backend: equal ones, to see whether differences are claimed that are not there, and
//! slowed ones, to see whether those that are there are found. Pure.

use std::sync::Arc;

use write_backend::{Finish, Workload};

use crate::backends::Backend;
use crate::compare::analysis::estimate;
use crate::compare::plan::{Group, Role};
use crate::compare::scheduler::Series;
use records::calibration::{Equal, Slowed};
use statistics::{
    Difference, Interval, RatioEstimate, Verdict, median, median_half_width, verdicts,
};

/// Pairs of equal twins in a group.
const PAIRS: usize = 3;
/// The slowdowns in the groups of a workload, in percent. Three pairs and three slowed twins make
/// a block of nine, as large as that of a comparison of all backends: a block's size decides how far
/// apart the samples of a round lie, and so how much noise a ratio has. With the default matrix of 24
/// workloads there are 432 pairs: of so many at 95 %, chance alone lets more than 7 % exclude 1 in
/// three trials of a hundred, of 216 in eight.
const GROUPS: [[u64; 3]; 6] = [[1, 2, 5], [1, 2, 10], [1, 2, 5], [1, 2, 10], [1, 2, 5], [1, 2, 10]];
/// All slowdowns.
const SLOWDOWNS: [u64; 4] = [1, 2, 5, 10];

/// The groups of the trial.
#[must_use]
pub fn groups(workloads: &[Workload], reference: &Arc<Backend>) -> Vec<Group> {
    let group = |workload: Workload, slowdowns: [u64; 3]| {
        let mut roles = vec![Role::Backend];
        roles.extend((1..2 * PAIRS).map(|_| Role::Twin));
        roles.extend(slowdowns.map(|percent| Role::Slowed(100 + percent)));
        Group::new(workload, roles.into_iter().map(|role| (Arc::clone(reference), role)))
    };
    let of = |workload: &Workload| GROUPS.map(|slowdowns| group(*workload, slowdowns));
    workloads.iter().flat_map(of).collect()
}

/// The intervals of equal pairs: `[series][pair]`.
fn equal_estimates(series: &[Series], confidence: f64) -> Vec<Vec<RatioEstimate>> {
    let pairs = |series: &Series| {
        (0..PAIRS).filter_map(|pair| estimate(series, 2 * pair + 1, 2 * pair, confidence)).collect()
    };
    series.iter().map(pairs).collect()
}

/// What the equal pairs say; `None` when nothing was measured.
#[must_use]
pub fn equal(series: &[Series], confidence: f64) -> Option<Equal> {
    let estimates: Vec<RatioEstimate> =
        equal_estimates(series, confidence).into_iter().flatten().collect();
    let excluded = estimates.iter().filter(|it| !it.interval().contains(1.0)).count();
    Some(Equal {
        comparisons: estimates.len(),
        excluded,
        median_half_width: median_half_width(&estimates)?,
    })
}

/// What the slowed twins say, by finish and slowdown.
///
/// A claim depends on what else is in a report: here the twins of one slowdown stand among all equal
/// pairs of all workloads, and the first equal pair of their group is their noise floor.
#[must_use]
pub fn slowed(series: &[Series], confidence: f64) -> Vec<Slowed> {
    let equals = equal_estimates(series, confidence);
    let mut found = Vec::new();
    for percent in SLOWDOWNS {
        let slowed: Vec<(Finish, Difference)> = series
            .iter()
            .zip(&equals)
            .filter_map(|(series, equals)| {
                let role = Role::Slowed(100 + percent);
                let entry = series.group.entries.iter().position(|entry| entry.role == role)?;
                let floor = equals.first().map(RatioEstimate::interval);
                let estimate = estimate(series, entry, 0, confidence)?;
                Some((series.group.workload.finish, Difference { estimate, floor }))
            })
            .collect();
        let verdicts = verdicts_among(&slowed, &equals, confidence);
        for finish in Finish::ALL {
            let of_finish: Vec<(&RatioEstimate, Verdict)> = slowed
                .iter()
                .zip(&verdicts)
                .filter(|((it, _), _)| *it == finish)
                .map(|((_, comparison), verdict)| (&comparison.estimate, *verdict))
                .collect();
            let estimates = of_finish.iter().map(|(it, _)| it.estimate).collect();
            let Some(median_estimate) = median(estimates) else { continue };
            found.push(Slowed {
                finish,
                percent,
                comparisons: of_finish.len(),
                excluded: of_finish.iter().filter(|(it, _)| it.low > 1.0).count(),
                claimed: of_finish.iter().filter(|(_, it)| *it == Verdict::Slower).count(),
                median_estimate,
            });
        }
    }
    found
}

/// The verdicts on `slowed` in a report that holds all equal pairs, too.
fn verdicts_among(
    slowed: &[(Finish, Difference)],
    equals: &[Vec<RatioEstimate>],
    confidence: f64,
) -> Vec<Verdict> {
    let mut family: Vec<Difference> = slowed.iter().map(|(_, comparison)| *comparison).collect();
    for equals in equals {
        let floor: Option<Interval> = equals.first().map(RatioEstimate::interval);
        // The first pair is the floor and no comparison of a report.
        family.extend(equals.iter().skip(1).map(|it| Difference { estimate: *it, floor }));
    }
    let mut judged = verdicts(&family, confidence)
        .unwrap_or_else(|_| vec![Verdict::NoDifferenceFound; family.len()]);
    judged.truncate(slowed.len());
    judged
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::backends::testing;
    use crate::random::Random;

    /// Launches around 1000 ns; slowed ones longer by their slowdown, one of a pair off by 3 %.
    fn series() -> Vec<Series> {
        let workload: Workload = "commit-n1-v4-k4-sequential-nosync".parse().unwrap();
        let mut random = Random::new(11);
        let mut draw = |factor: f64| {
            (0..30).map(|_| Some(vec![factor * (1000.0 + random.below(20) as f64)])).collect()
        };
        let mut series = |(place, group): (usize, Group)| {
            let launches: Vec<_> = group
                .entries
                .iter()
                .enumerate()
                .map(|(index, entry)| match entry.role {
                    Role::Slowed(percent) => draw(percent as f64 / 100.0),
                    _ if (place, index) == (1, 3) => draw(1.03),
                    _ => draw(1.0),
                })
                .collect();
            Series { launches, transactions: 100, failures: vec![None; group.entries.len()], group }
        };
        let reference = testing::find("raw-ffi");
        groups(&[workload], &reference).into_iter().enumerate().map(&mut series).collect()
    }

    #[test]
    fn every_slowdown_has_its_verdict() {
        assert!(GROUPS.as_flattened().iter().all(|percent| SLOWDOWNS.contains(percent)));
    }

    #[test]
    fn a_pair_that_differs_is_counted() {
        let equal = equal(&series(), 0.95).unwrap();
        assert_eq!(equal.comparisons, GROUPS.len() * PAIRS);
        // The one that differs, and perhaps one of the others by chance.
        assert!((1..=2).contains(&equal.excluded), "{equal:?}");
        assert!(equal.median_half_width < 0.005);
    }

    #[test]
    fn slowdowns_larger_than_the_noise_are_found() {
        let slowed = slowed(&series(), 0.95);
        assert_eq!(slowed.len(), SLOWDOWNS.len());
        for found in slowed {
            let twins = GROUPS.as_flattened().iter().filter(|it| **it == found.percent).count();
            assert_eq!(found.comparisons, twins, "{found:?}");
            assert_eq!((found.excluded, found.claimed), (twins, twins), "{found:?}");
            let expected = 1.0 + found.percent as f64 / 100.0;
            assert!((found.median_estimate - expected).abs() < 0.003, "{found:?}");
        }
    }
}
