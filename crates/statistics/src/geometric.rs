//! One ratio for all workloads together.

use serde::{Deserialize, Serialize};

use super::checks::{error_rate, positive, real};
use super::ratio::bounded;
use super::{Interval, StatsError, student_t};

/// The geometric mean of one ratio per workload.
///
/// Ratios are averaged geometrically because only then does it not matter which backend is below
/// the fraction bar (P. J. Fleming, J. J. Wallace, "How not to lie with statistics: the correct way
/// to summarize benchmark results", *Communications of the ACM* 29 (1986) 218-221).
///
/// # Caution
/// - **The interval is not about measurement noise.** Its unit is the workload: it says how far the
///   mean would move if other workloads *of the same kind* had been drawn at random instead of
///   these. A benchmark's workloads are chosen, not drawn, and form a grid, so take it as a measure
///   of how much the ratio depends on the workload, not as a proof. Whether a difference is real is
///   answered per workload, by [`verdicts`](super::verdicts).
/// - Every workload has the same weight, however long it takes and however rarely it occurs in
///   practice. The mean predicts no run time; Fleming and Wallace allow it as a summary of
///   normalised results and of nothing else.
/// - A mean near 1 can hide a backend that is much faster here and much slower there: always show
///   `min` and `max` with it.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
pub struct GeometricMean {
    /// Geometric mean of the ratios.
    pub mean: f64,
    /// Interval of the mean by Student's t on the logarithms. None for a single workload.
    pub interval: Option<Interval>,
    /// Nominal confidence of the interval, as asked for.
    pub confidence: f64,
    /// Smallest ratio.
    pub min: f64,
    /// Largest ratio.
    pub max: f64,
    /// Number of workloads.
    pub workloads: usize,
}

impl GeometricMean {
    /// Summarises `ratios`: one per workload, in any order.
    ///
    /// # Errors
    /// [`StatsError::Empty`] without ratios, [`StatsError::InvalidValue`] for one that is not
    /// finite and above zero, [`StatsError::InvalidConfidence`] outside (0, 1),
    /// [`StatsError::OutOfRange`] when a bound does not fit an `f64`.
    ///
    /// ```
    /// use statistics::GeometricMean;
    ///
    /// // twice as slow here, twice as fast there: no difference on the whole
    /// let both = GeometricMean::of(&[2.0, 0.5], 0.95)?;
    /// assert!((both.mean - 1.0).abs() < 1e-12);
    /// assert_eq!((both.min, both.max), (0.5, 2.0));
    /// # Ok::<(), statistics::StatsError>(())
    /// ```
    pub fn of(ratios: &[f64], confidence: f64) -> Result<Self, StatsError> {
        error_rate(confidence)?;
        positive(ratios)?;
        let workloads = ratios.len();
        let logs: Vec<f64> = ratios.iter().map(|ratio| ratio.ln()).collect();
        let center = logs.iter().sum::<f64>() / real(workloads);
        let interval = if workloads == 1 {
            None
        } else {
            let squares: f64 = logs.iter().map(|log| (log - center).powi(2)).sum();
            let standard_error = (squares / real(workloads - 1) / real(workloads)).sqrt();
            let reach = student_t(confidence, workloads - 1)? * standard_error;
            Some(Interval {
                low: bounded((center - reach).exp())?,
                high: bounded((center + reach).exp())?,
            })
        };
        let min = ratios.iter().copied().fold(f64::INFINITY, f64::min);
        let max = ratios.iter().copied().fold(0.0, f64::max);
        // rounding must not push the mean of equal ratios past them
        Ok(Self { mean: center.exp().clamp(min, max), interval, confidence, min, max, workloads })
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    fn close(a: f64, b: f64) -> bool {
        (a / b - 1.0).abs() < 1e-9
    }

    #[test]
    fn a_worked_example() {
        // logs -1, 0, 1: sd 1, standard error 1/sqrt(3), t(0.95, 2) = 4.303 as printed
        let e = std::f64::consts::E;
        let result = GeometricMean::of(&[1.0 / e, 1.0, e], 0.95).unwrap();
        let interval = result.interval.unwrap();
        assert!(close(result.mean, 1.0));
        assert!((interval.high.ln() - 4.303 / 3.0_f64.sqrt()).abs() < 0.001);
        assert!(close(interval.low * interval.high, 1.0));
    }

    #[test]
    fn one_workload_has_no_interval_and_what_is_no_ratio_is_refused() {
        let result = GeometricMean::of(&[1.3], 0.95).unwrap();
        assert!(close(result.mean, 1.3) && result.interval.is_none() && result.workloads == 1);
        for (ratios, confidence, refused) in [
            (&[][..], 0.95, StatsError::Empty),
            (&[1.0, 0.0], 0.95, StatsError::InvalidValue { index: 1, value: 0.0 }),
            (&[1.0], 1.0, StatsError::InvalidConfidence(1.0)),
            (&[1e-300, 1e300], 0.999, StatsError::OutOfRange),
        ] {
            assert_eq!(GeometricMean::of(ratios, confidence), Err(refused));
        }
    }

    proptest! {
        #[test]
        fn inverting_the_ratios_inverts_the_result(ratios in prop::collection::vec(0.1_f64..10.0, 2..40)) {
            let inverse: Vec<f64> = ratios.iter().map(|ratio| 1.0 / ratio).collect();
            let one = GeometricMean::of(&ratios, 0.95).unwrap();
            let other = GeometricMean::of(&inverse, 0.95).unwrap();
            let (here, there) = (one.interval.unwrap(), other.interval.unwrap());
            prop_assert!(close(one.mean, 1.0 / other.mean) && close(one.min, 1.0 / other.max));
            prop_assert!(close(here.low, 1.0 / there.high) && close(here.high, 1.0 / there.low));
        }
    }
}
