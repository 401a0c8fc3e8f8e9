//! How many times as long one backend takes as another, block by block.

use serde::{Deserialize, Serialize};

use super::checks::{error_rate, in_range, possible_logs};
use super::rank::Null;
use super::{Interval, StatsError, median};

/// Most blocks a comparison accepts. All pairs of blocks are kept in memory: 100 MB here.
pub const MOST_BLOCKS: usize = 5_000;

/// Log ratios are rounded to this part of a natural logarithm, about 1e-12.
///
/// Far below what a clock resolves, it makes differences whole numbers: ties are then exact instead
/// of depending on the last bit of a logarithm, and swapping the two sides gives exactly the
/// opposite. The largest sum of four log ratios of `f64` values still fits 53 bits.
const GRID: f64 = 1_099_511_627_776.0; // 2^40

/// The ratio of two backends' times, with the interval and the p-value of one and the same test.
///
/// # Method
/// Of each block the log ratio of its two launches is taken. The estimate is the Hodges-Lehmann
/// estimator: the median of all Walsh averages (means of two log ratios, each also with itself), as
/// a ratio. The interval is what Wilcoxon's signed-rank test does not reject, cut from the same
/// sorted averages. Its null distribution is exact up to 200 blocks. Sources: F. Wilcoxon,
/// *Biometrics Bulletin* 1 (1945) 80-83; J. L. Hodges, E. L. Lehmann, "Estimates of location based
/// on rank tests", *Annals of Mathematical Statistics* 34 (1963) 598-611; M. Hollander, D. A.
/// Wolfe, *Nonparametric Statistical Methods*, chapter 3.
///
/// # Why this one
/// If one backend differs from the other only by a factor, their launches of a block are
/// exchangeable but for that factor, and the log ratio is symmetric about it **whatever the noise
/// of a launch looks like**: skewed, heavy-tailed, with outliers. Symmetry is all the test assumes.
/// Coverage is then at least nominal with any number of blocks, and so are the small p-values that
/// a correction for many comparisons looks at. `cargo run --release -p statistics --example coverage`
/// prints its coverage and width beside those of three other methods.
///
/// # What it means, and its limits
/// - The interval covers the pseudomedian of the ratio (the median of the average of two blocks, in
///   logarithms). That is the factor between the backends when their noise has the same shape. When
///   it has not (only one of them has outliers), the pseudomedian lies between the median and the
///   mean, and no method can say what "the" factor is.
/// - Outliers on the same side widen the interval beyond all measure from a certain number on: one
///   in 10 blocks, three in 20, five in 30, eight in 40 (at 95 %). The estimate itself stands 29 %.
/// - Blocks must be independent of each other. What slows both launches of a block by the same
///   factor cancels, however slowly it drifts; what slows one of them for many blocks does not.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
pub struct RatioEstimate {
    /// Numerator's time over denominator's: below 1 the numerator is faster.
    pub estimate: f64,
    /// Lower bound of the interval.
    pub low: f64,
    /// Upper bound of the interval.
    pub high: f64,
    /// Nominal confidence of the interval, as asked for. The real one is a little higher: ranks
    /// come in whole numbers.
    pub confidence: f64,
    /// Two-sided p-value of the hypothesis that the ratio is 1. It is at most `1 - confidence`
    /// exactly when the interval excludes 1.
    pub p_value: f64,
    /// Launches of each of the two backends: the number of blocks.
    pub launches: usize,
}

impl RatioEstimate {
    /// The ratio whose natural logarithm was `log_ratios[i]` in block `i`.
    ///
    /// Log ratios of 0 and Walsh averages of exactly 0 count for both sides: the interval is closed
    /// and errs to the safe side with ties (G. E. Noether, "Wilcoxon confidence intervals for
    /// location parameters in the discrete case", *JASA* 62 (1967) 184-188).
    ///
    /// # Errors
    /// [`StatsError::Empty`] without blocks, [`StatsError::InvalidLogRatio`] for one that no two
    /// times have, [`StatsError::InvalidConfidence`] outside (0, 1), [`StatsError::TooFewBlocks`]
    /// when no interval has that confidence (95 % needs 6, see [`blocks_needed`]),
    /// [`StatsError::TooManyBlocks`] above [`MOST_BLOCKS`], [`StatsError::OutOfRange`] when the
    /// ratio does not fit an `f64`.
    ///
    /// ```
    /// use statistics::{RatioEstimate, StatsError};
    ///
    /// let slower = [0.223, 0.222, 0.225, 0.223, 0.221, 0.224, 0.223, 0.223];
    /// let ratio = RatioEstimate::from_log_ratios(&slower, 0.95)?;
    /// assert!((ratio.estimate - 1.25).abs() < 1e-3);
    /// assert!(ratio.p_value < 0.05);
    ///
    /// let few = RatioEstimate::from_log_ratios(&slower[..4], 0.95);
    /// assert_eq!(few, Err(StatsError::TooFewBlocks { got: 4, needed: 6, confidence: 0.95 }));
    /// # Ok::<(), StatsError>(())
    /// ```
    pub fn from_log_ratios(log_ratios: &[f64], confidence: f64) -> Result<Self, StatsError> {
        let error_rate = error_rate(confidence)?;
        possible_logs(log_ratios)?;
        let launches = log_ratios.len();
        if launches > MOST_BLOCKS {
            return Err(StatsError::TooManyBlocks { got: launches, most: MOST_BLOCKS });
        }
        let test = Null::signed_rank(launches);
        let Some(critical) = test.critical(error_rate) else {
            let needed = blocks_needed(confidence)?;
            return Err(StatsError::TooFewBlocks { got: launches, needed, confidence });
        };
        Self::cut(&test, critical, &walsh_sums(log_ratios), 2.0, confidence, launches)
    }

    /// What a rank test leaves of `sorted` sums of `parts` log ratios: Hodges and Lehmann's estimate,
    /// the interval that is not rejected, and the p-value. Sums of exactly 0 count for both sides.
    pub(super) fn cut(
        test: &Null,
        critical: usize,
        sorted: &[i64],
        parts: f64,
        confidence: f64,
        launches: usize,
    ) -> Result<Self, StatsError> {
        let last = sorted.len() - 1;
        let not_above = sorted.partition_point(|&sum| sum <= 0);
        let not_below = sorted.len() - sorted.partition_point(|&sum| sum < 0);
        Ok(Self {
            // The two in the middle, which are one where their number is odd.
            estimate: to_ratio(sorted[last / 2] + sorted[sorted.len() / 2], 2.0 * parts)?,
            low: to_ratio(sorted[critical], parts)?,
            high: to_ratio(sorted[last - critical], parts)?,
            confidence,
            p_value: test.p_value(not_above.min(not_below)),
            launches,
        })
    }

    /// The bounds on their own.
    #[must_use]
    pub const fn interval(&self) -> Interval {
        Interval { low: self.low, high: self.high }
    }

    /// Relative half-width of the interval, see [`Interval::half_width`].
    #[must_use]
    pub fn half_width(&self) -> f64 {
        self.interval().half_width()
    }
}

/// Fewest blocks with which [`RatioEstimate::from_log_ratios`] can give this confidence.
///
/// With `n` blocks no result is rarer than all `n` on the same side, which has p-value `2^(1 - n)`.
/// 95 % needs 6 blocks, 99.9 % 11. One true difference among `m` comparisons can only be found by
/// [`verdicts`](super::verdicts) with the blocks needed for `1 - (1 - confidence) / m`: 13 for 168
/// comparisons at 95 %.
///
/// # Errors
/// [`StatsError::InvalidConfidence`] outside (0, 1).
///
/// ```
/// use statistics::blocks_needed;
/// assert_eq!(blocks_needed(0.95), Ok(6));
/// assert_eq!(blocks_needed(1.0 - 0.05 / 168.0), Ok(13));
/// ```
pub fn blocks_needed(confidence: f64) -> Result<usize, StatsError> {
    let error_rate = error_rate(confidence)?;
    let mut needed = 1;
    let mut rarest = 1.0;
    while rarest > error_rate {
        rarest /= 2.0;
        needed += 1;
    }
    Ok(needed)
}

#[expect(
    clippy::cast_possible_truncation,
    reason = "a log ratio of f64 values is below 1460, on the grid below 2^51"
)]
pub(super) fn on_grid(log_ratio: f64) -> i64 {
    (log_ratio * GRID).round() as i64
}

/// The ratio that belongs to a sum of `parts` log ratios.
#[expect(clippy::cast_precision_loss, reason = "sums of four log ratios stay below 2^53")]
fn to_ratio(sum: i64, parts: f64) -> Result<f64, StatsError> {
    bounded((sum as f64 / (parts * GRID)).exp())
}

/// Twice the Walsh averages of all pairs in steps of [`GRID`], sorted.
fn walsh_sums(log_ratios: &[f64]) -> Vec<i64> {
    let steps: Vec<i64> = log_ratios.iter().copied().map(on_grid).collect();
    let pairs = |index: usize| steps[index..].iter().map(move |second| (index, second));
    let mut sums: Vec<i64> =
        (0..steps.len()).flat_map(pairs).map(|(index, second)| steps[index] + second).collect();
    sums.sort_unstable();
    sums
}

/// Median relative half-width of a set of estimates, see [`Interval::half_width`]; `None` for an empty
/// set.
///
/// 0.01 means that half of the intervals are no wider than "give or take 1 %". The median, because
/// one workload that will not settle should not keep all others running.
#[must_use]
pub fn median_half_width(estimates: &[RatioEstimate]) -> Option<f64> {
    median(estimates.iter().map(RatioEstimate::half_width).collect())
}

/// Refuses a ratio that has become infinite or zero.
pub(super) fn bounded(ratio: f64) -> Result<f64, StatsError> {
    if ratio > 0.0 { in_range(ratio) } else { Err(StatsError::OutOfRange) }
}

#[cfg(test)]
mod tests;
