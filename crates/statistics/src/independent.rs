//! How many times as long something takes in one run as in another, from launches that are not
//! paired: nothing ties launch 3 of one run to launch 3 of the other.

use std::f64::consts::FRAC_1_SQRT_2;

use super::checks::{error_rate, is_positive, positive};
use super::rank::Null;
use super::ratio::{bounded, on_grid};
use super::{Interval, MOST_BLOCKS, RatioEstimate, StatsError};

/// Compares launches of one run (`numerator`) with launches of another.
///
/// # Method
/// In logarithms a factor between the two is a shift. The estimate is Hodges and Lehmann's: the
/// median of the differences of all pairs, one launch of each run, as a ratio. The interval holds
/// the factors that Mann and Whitney's rank-sum test does not reject, cut from the same sorted
/// differences; its null distribution is exact up to 40 launches on each side. Sources: H. B. Mann,
/// D. R. Whitney, *Annals of Mathematical Statistics* 18 (1947) 50-60; J. L. Hodges, E. L. Lehmann,
/// "Estimates of location based on rank tests", the same 34 (1963) 598-611; M. Hollander, D. A.
/// Wolfe, *Nonparametric Statistical Methods*, chapter 4. Equal launches count for both sides, so
/// that ties err to the safe side.
///
/// # What it means, and its limits
/// - It assumes that launches of both runs scatter alike but for the factor, whatever the shape.
///   Where they do not, coverage suffers: simulated with 30 launches each and one run scattering
///   twice as much, 95 % became 93 %; with 20 of the calmer run against 60 of the other, 96 %, and
///   the other way round, 89 %.
/// - **It speaks of two runs, not of two versions.** Launches of a run share what the machine did
///   during it: a run made while a neighbour was busy is slower as a whole, and no number of launches
///   shows that. A ratio of two backends of the *same* run is free of it, see [`ratio_of_ratios`].
/// - [`RatioEstimate::launches`] is that of the run that has fewer.
///
/// # Errors
/// Those of [`RatioEstimate::from_log_ratios`], [`StatsError::InvalidValue`] for a time that is not
/// finite and above zero; [`StatsError::TooFewBlocks`]
/// names the launches that both runs must have (95 % needs 4).
///
/// ```
/// let before = [100.0, 101.0, 99.0, 100.5, 100.0, 102.0];
/// let after = [103.0, 104.0, 102.5, 103.2, 105.0];
/// let ratio = statistics::between_runs(&after, &before, 0.95)?;
/// assert!(ratio.low > 1.01 && ratio.high < 1.06 && ratio.p_value < 0.01);
/// # Ok::<(), statistics::StatsError>(())
/// ```
pub fn between_runs(
    numerator: &[f64],
    denominator: &[f64],
    confidence: f64,
) -> Result<RatioEstimate, StatsError> {
    error_rate(confidence)?;
    positive(numerator)?;
    positive(denominator)?;
    let longer = numerator.len().max(denominator.len());
    if longer > MOST_BLOCKS {
        return Err(StatsError::TooManyBlocks { got: longer, most: MOST_BLOCKS });
    }
    let launches = numerator.len().min(denominator.len());
    // the distribution is the same whichever is first: so are its last digits then
    let test = Null::rank_sum(launches, longer);
    compare(&test, numerator, denominator, confidence)
}

/// [`between_runs`] of launches that were checked, with the distribution for as many.
fn compare(
    test: &Null,
    numerator: &[f64],
    denominator: &[f64],
    confidence: f64,
) -> Result<RatioEstimate, StatsError> {
    let error_rate = error_rate(confidence)?;
    let launches = numerator.len().min(denominator.len());
    let Some(critical) = test.critical(error_rate) else {
        let needed = launches_needed(error_rate);
        return Err(StatsError::TooFewBlocks { got: launches, needed, confidence });
    };
    let differences = differences(numerator, denominator);
    RatioEstimate::cut(test, critical, &differences, 1.0, confidence, launches)
}

/// Compares a ratio of one run (`numerator`) with the same ratio of another: a binding's overhead
/// before and after. Both are taken with their intervals, which must have this `confidence`.
///
/// # Method
/// The interval of the quotient is recovered from the two: in logarithms, the distance from the
/// estimate to its lower bound is the root of the sum of the squares of the numerator's distance to
/// its lower and the denominator's distance to its upper bound, and the other way round (G. Y. Zou,
/// A. Donner, "Construction of confidence limits about effect measures: a general approach",
/// *Statistics in Medicine* 27 (2008) 1693-1702). Intervals that are wider on one side stay so. To
/// ask instead whether the two overlap would be too strict: bounds that just touch differ by 1.4
/// times what chance allows at that confidence. The p-value is that of the confidence at which the
/// interval, scaled as a normal distribution's, reaches 1.
///
/// # Errors
/// [`StatsError::InvalidConfidence`] outside (0, 1), [`StatsError::InvalidEstimate`] with index 0
/// or 1 for an estimate that is not within finite bounds above zero, [`StatsError::OutOfRange`] when
/// a bound does not fit an `f64`.
///
/// ```
/// use statistics::{Interval, ratio_of_ratios};
///
/// let before = (1.03, Interval { low: 1.02, high: 1.04 });
/// let after = (1.05, Interval { low: 1.04, high: 1.06 });
/// let change = ratio_of_ratios(after, before, 0.95)?;
/// assert!(change.low > 1.005 && change.high < 1.034);
/// # Ok::<(), statistics::StatsError>(())
/// ```
pub fn ratio_of_ratios(
    numerator: (f64, Interval),
    denominator: (f64, Interval),
    confidence: f64,
) -> Result<RatioEstimate, StatsError> {
    let error_rate = error_rate(confidence)?;
    for (index, (estimate, interval)) in [numerator, denominator].into_iter().enumerate() {
        let are_ratios = [estimate, interval.low, interval.high].into_iter().all(is_positive);
        if !are_ratios || !interval.contains(estimate) {
            return Err(StatsError::InvalidEstimate { index });
        }
    }
    let reach = |(estimate, interval): (f64, Interval)| {
        [estimate.ln() - interval.low.ln(), interval.high.ln() - estimate.ln()]
    };
    let ([below, above], [under, over]) = (reach(numerator), reach(denominator));
    let center = numerator.0.ln() - denominator.0.ln();
    let (low, high) = (below.hypot(over), above.hypot(under));
    // towards 1, which is 0 in logarithms
    let towards_one = if center > 0.0 { low } else { high };
    let p_value = if center == 0.0 {
        1.0
    } else {
        libm::erfc(center.abs() / towards_one * normal_reach(error_rate) * FRAC_1_SQRT_2)
    };
    Ok(RatioEstimate {
        estimate: bounded(center.exp())?,
        low: bounded((center - low).exp())?,
        high: bounded((center + high).exp())?,
        confidence,
        p_value,
        launches: 0,
    })
}

/// How many standard deviations a normal interval with this error rate, which is above 0 and below 1,
/// reaches to either side; found by bisection.
///
/// ```
/// assert!((statistics::normal_reach(0.05) - 1.96).abs() < 0.001);
/// ```
#[must_use]
pub fn normal_reach(error_rate: f64) -> f64 {
    // erfc(40 / sqrt 2) is below the smallest float
    let (mut low, mut high) = (0.0, 40.0);
    loop {
        let middle = f64::midpoint(low, high);
        if middle <= low || middle >= high {
            return middle;
        }
        if libm::erfc(middle * FRAC_1_SQRT_2) > error_rate { low = middle } else { high = middle }
    }
}

/// Differences of the logarithms of all pairs, sorted, in whole steps.
fn differences(numerator: &[f64], denominator: &[f64]) -> Vec<i64> {
    let logs = |values: &[f64]| values.iter().map(|value| on_grid(value.ln())).collect::<Vec<_>>();
    let (tops, bottoms) = (logs(numerator), logs(denominator));
    let pairs = tops.iter().flat_map(|top| bottoms.iter().map(move |bottom| top - bottom));
    let mut differences: Vec<i64> = pairs.collect();
    differences.sort_unstable();
    differences
}

/// The fewest launches on both sides with which the rarest order of all is that rare.
fn launches_needed(error_rate: f64) -> usize {
    let mut needed = 1;
    while Null::rank_sum(needed, needed).critical(error_rate).is_none() {
        needed += 1;
    }
    needed
}

#[cfg(test)]
mod tests;
