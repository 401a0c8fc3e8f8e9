//! The launches of one case, in one line of a table.

use serde::{Deserialize, Serialize};

use super::checks::{in_range, positive, real};
use super::{StatsError, median, student_t};

/// Confidence behind [`Summary::error`].
const ERROR_CONFIDENCE: f64 = 0.999;

/// What the launches of one case say about its time, in the unit of the launches (ns per
/// transaction).
///
/// The columns have the names and the meaning they have in `BenchmarkDotNet` (class `Statistics`,
/// and the legend below its tables: "Error: Half of 99.9% confidence interval", "`StdDev`: standard
/// deviation of all measurements"), with launches as the measurements. To compare two backends use
/// [`RatioEstimate`](super::RatioEstimate): it pairs launches by block, these columns cannot.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
pub struct Summary {
    /// Arithmetic mean.
    pub mean: f64,
    /// Half of the 99.9 % confidence interval of the mean by Student's t. None for a single launch,
    /// which says nothing about its own error.
    pub error: Option<f64>,
    /// Sample standard deviation (divisor `count - 1`). None for a single launch.
    pub std_dev: Option<f64>,
    /// Middle launch, or the mean of the two middle ones.
    pub median: f64,
    /// Number of launches.
    pub count: usize,
}

impl Summary {
    /// Summarises `launches`: one value per launch, in any order.
    ///
    /// # Errors
    /// [`StatsError::Empty`] without launches, [`StatsError::InvalidValue`] for one that is not
    /// finite and above zero, [`StatsError::OutOfRange`] when a square does not fit an `f64`.
    ///
    /// ```
    /// use statistics::Summary;
    ///
    /// let summary = Summary::of(&[810.0, 812.0, 811.0, 815.0])?;
    /// assert!((summary.mean - 812.0).abs() < 1e-9);
    /// assert!((summary.median - 811.5).abs() < 1e-9);
    /// assert_eq!(Summary::of(&[810.0])?.error, None);
    /// # Ok::<(), statistics::StatsError>(())
    /// ```
    pub fn of(launches: &[f64]) -> Result<Self, StatsError> {
        positive(launches)?;
        let count = launches.len();
        let (mean, squares) = moments(launches);
        let std_dev = match count {
            1 => None,
            _ => Some(in_range((squares / real(count - 1)).sqrt())?),
        };
        let error = match std_dev {
            None => None,
            Some(std_dev) => {
                let t = student_t(ERROR_CONFIDENCE, count - 1)?;
                Some(in_range(t * std_dev / real(count).sqrt())?)
            }
        };
        let median = median(launches.to_vec()).ok_or(StatsError::Empty)?;
        Ok(Self { mean: in_range(mean)?, error, std_dev, median, count })
    }
}

/// Mean and sum of squared distances from it, in one stable pass (B. P. Welford, "Note on a method
/// for calculating corrected sums of squares and products", *Technometrics* 4 (1962) 419-420).
fn moments(values: &[f64]) -> (f64, f64) {
    let mut mean = 0.0;
    let mut squares = 0.0;
    for (index, &value) in values.iter().enumerate() {
        let before = value - mean;
        mean += before / real(index + 1);
        squares += before * (value - mean);
    }
    (mean, squares)
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    fn close(a: f64, b: f64) -> bool {
        (a - b).abs() <= 1e-9 * a.abs().max(b.abs())
    }

    #[test]
    fn a_worked_example() {
        // mean 5, squares 9+1+1+1+0+0+4+16 = 32, sd sqrt(32/7), t(0.999, 7) = 5.408 as printed
        let summary = Summary::of(&[2.0, 4.0, 4.0, 4.0, 5.0, 5.0, 7.0, 9.0]).unwrap();
        let std_dev = (32.0_f64 / 7.0).sqrt();
        assert!(close(summary.mean, 5.0) && close(summary.median, 4.5));
        assert!(close(summary.std_dev.unwrap(), std_dev));
        assert!((summary.error.unwrap() - 5.408 * std_dev / 8.0_f64.sqrt()).abs() < 0.001);
        assert_eq!(summary.count, 8);
    }

    #[test]
    fn one_launch_has_no_error_and_what_is_no_time_is_refused() {
        let summary = Summary::of(&[7.0]).unwrap();
        assert_eq!((summary.error, summary.std_dev, summary.count), (None, None, 1));
        assert_eq!(Summary::of(&[]), Err(StatsError::Empty));
        assert_eq!(Summary::of(&[f64::MAX, 1.0]), Err(StatsError::OutOfRange));
        for value in [f64::NAN, f64::INFINITY, -1.0, 0.0] {
            let refused = Summary::of(&[1.0, value]).unwrap_err();
            assert!(matches!(refused, StatsError::InvalidValue { index: 1, .. }), "{value}");
        }
    }

    proptest! {
        #[test]
        fn scales_with_its_unit(values in prop::collection::vec(1.0_f64..1e9, 2..50), factor in 0.001_f64..1000.0) {
            let one = Summary::of(&values).unwrap();
            let other = Summary::of(&values.iter().map(|value| value * factor).collect::<Vec<_>>()).unwrap();
            prop_assert!(close(one.mean * factor, other.mean));
            prop_assert!(close(one.median * factor, other.median));
            // absolute to the mean: equal values have a deviation of nothing but rounding
            let gap = one.std_dev.unwrap() * factor - other.std_dev.unwrap();
            prop_assert!(gap.abs() <= 1e-9 * other.mean);
        }
    }
}
