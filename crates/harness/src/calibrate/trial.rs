//! Twins of one backend: equal ones, to see whether differences are claimed that are not there, and
//! slowed ones, to see whether those that are there are found. Pure.

use write_backend::{Finish, Workload};

use crate::calibrate::record::{Equal, Slowed};
use crate::compare::analysis::estimate;
use crate::compare::plan::{Entry, Group, Role};
use crate::compare::scheduler::Series;
use crate::registry::BACKENDS;
use crate::stats::{
    Comparison, Interval, RatioEstimate, Summary, Verdict, median_half_width, verdicts,
};

/// Pairs of equal twins per workload: with the default matrix of 24 workloads, 216 comparisons.
const PAIRS: usize = 9;
/// The slowdowns, in percent.
const SLOWDOWNS: [u64; 4] = [1, 2, 5, 10];

/// The groups of the trial: for each workload `PAIRS` pairs of the reference and one slowed twin
/// per slowdown.
#[must_use]
pub fn groups(workloads: &[Workload]) -> Vec<Group> {
    // The first of the registry is the reference.
    let entry = |role| Entry { backend: &BACKENDS[0], role };
    let mut entries = vec![entry(Role::Backend)];
    entries.extend((1..2 * PAIRS).map(|_| entry(Role::Twin)));
    entries.extend(SLOWDOWNS.iter().map(|percent| entry(Role::Slowed(100 + percent))));
    workloads
        .iter()
        .map(|workload| Group { workload: *workload, entries: entries.clone() })
        .collect()
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
/// A claim depends on what else is in a report: here one slowed twin per workload stands among all
/// equal pairs of all workloads, and the first equal pair of its workload is its noise floor.
#[must_use]
pub fn slowed(series: &[Series], confidence: f64) -> Vec<Slowed> {
    let equals = equal_estimates(series, confidence);
    let mut found = Vec::new();
    for (place, percent) in SLOWDOWNS.into_iter().enumerate() {
        let entry = 2 * PAIRS + place;
        let slowed: Vec<(Finish, Comparison)> = series
            .iter()
            .zip(&equals)
            .filter_map(|(series, equals)| {
                let floor = equals.first().map(RatioEstimate::interval);
                let estimate = estimate(series, entry, 0, confidence)?;
                Some((series.group.workload.finish, Comparison { estimate, floor }))
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
            let estimates: Vec<f64> = of_finish.iter().map(|(it, _)| it.estimate).collect();
            let Ok(summary) = Summary::of(&estimates) else { continue };
            found.push(Slowed {
                finish,
                percent,
                comparisons: of_finish.len(),
                excluded: of_finish.iter().filter(|(it, _)| it.low > 1.0).count(),
                claimed: of_finish.iter().filter(|(_, it)| *it == Verdict::Slower).count(),
                median_estimate: summary.median,
            });
        }
    }
    found
}

/// The verdicts on `slowed` in a report that holds all equal pairs, too.
fn verdicts_among(
    slowed: &[(Finish, Comparison)],
    equals: &[Vec<RatioEstimate>],
    confidence: f64,
) -> Vec<Verdict> {
    let mut family: Vec<Comparison> = slowed.iter().map(|(_, comparison)| *comparison).collect();
    for equals in equals {
        let floor: Option<Interval> = equals.first().map(RatioEstimate::interval);
        // The first pair is the floor and no comparison of a report.
        family.extend(equals.iter().skip(1).map(|it| Comparison { estimate: *it, floor }));
    }
    let mut judged = verdicts(&family, confidence)
        .unwrap_or_else(|_| vec![Verdict::NoDifferenceFound; family.len()]);
    judged.truncate(slowed.len());
    judged
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::random::Random;

    /// Launches around 1000 ns; slowed ones longer by their slowdown, one of a pair off by 3 %.
    fn series() -> Series {
        let workload: Workload = "commit-n1-v4-k4-sequential-nosync".parse().unwrap();
        let group = groups(&[workload]).remove(0);
        let mut random = Random::new(11);
        let mut draw = |factor: f64| {
            (0..30).map(|_| Some(vec![factor * (1000.0 + random.below(20) as f64)])).collect()
        };
        let launches: Vec<_> = group
            .entries
            .iter()
            .enumerate()
            .map(|(index, entry)| match entry.role {
                Role::Slowed(percent) => draw(percent as f64 / 100.0),
                _ if index == 3 => draw(1.03),
                _ => draw(1.0),
            })
            .collect();
        Series { launches, transactions: 100, failures: vec![None; group.entries.len()], group }
    }

    #[test]
    fn a_pair_that_differs_is_counted() {
        let equal = equal(&[series()], 0.95).unwrap();
        assert_eq!(equal.comparisons, PAIRS);
        // The one that differs, and perhaps one of the others by chance.
        assert!((1..=2).contains(&equal.excluded), "{equal:?}");
        assert!(equal.median_half_width < 0.005);
    }

    #[test]
    fn slowdowns_larger_than_the_noise_are_found() {
        let slowed = slowed(&[series()], 0.95);
        assert_eq!(slowed.len(), SLOWDOWNS.len());
        for found in slowed {
            assert_eq!((found.comparisons, found.excluded, found.claimed), (1, 1, 1), "{found:?}");
            let expected = 1.0 + found.percent as f64 / 100.0;
            assert!((found.median_estimate - expected).abs() < 0.003, "{found:?}");
        }
    }
}
