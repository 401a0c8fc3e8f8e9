//! Checks of input that several estimators share, the median, and the one conversion they all need.

use super::StatsError;

/// 1 - `confidence`, or an error when that is not strictly between 0 and 1.
///
/// The complement is checked, too: next to 0 a confidence is lost in rounding and would ask for a
/// test that always rejects.
pub(super) fn error_rate(confidence: f64) -> Result<f64, StatsError> {
    let rate = 1.0 - confidence;
    let inside = |value: f64| value > 0.0 && value < 1.0;
    if inside(confidence) && inside(rate) {
        Ok(rate)
    } else {
        Err(StatsError::InvalidConfidence(confidence))
    }
}

/// Refuses an empty slice and any value that is not finite and above zero.
pub(super) fn positive(values: &[f64]) -> Result<(), StatsError> {
    if values.is_empty() {
        return Err(StatsError::Empty);
    }
    let invalid = values.iter().position(|&value| !is_positive(value));
    invalid.map_or(Ok(()), |index| Err(StatsError::InvalidValue { index, value: values[index] }))
}

/// Refuses an empty slice and any value that is no logarithm of a ratio of two `f64`.
pub(super) fn possible_logs(log_ratios: &[f64]) -> Result<(), StatsError> {
    /// The logarithm of the largest `f64` over the smallest is a little less.
    const MOST: f64 = 1460.0;
    if log_ratios.is_empty() {
        return Err(StatsError::Empty);
    }
    let is_possible = |log: &f64| log.is_finite() && log.abs() <= MOST;
    match log_ratios.iter().position(|log| !is_possible(log)) {
        Some(index) => Err(StatsError::InvalidLogRatio { index, value: log_ratios[index] }),
        None => Ok(()),
    }
}

/// Whether `value` is finite and above zero.
pub(super) fn is_positive(value: f64) -> bool {
    value.is_finite() && value > 0.0
}

/// `value`, or an error when a computation has left the range of an `f64`.
pub(super) fn in_range(value: f64) -> Result<f64, StatsError> {
    if value.is_finite() { Ok(value) } else { Err(StatsError::OutOfRange) }
}

/// A count as a float.
#[expect(
    clippy::cast_precision_loss,
    reason = "counts of launches and of their pairs stay far below 2^53"
)]
pub(super) fn real(count: usize) -> f64 {
    count as f64
}

/// The middle value, or the mean of the two in the middle; `None` without values.
///
/// ```
/// use statistics::median;
/// assert_eq!(median(vec![3.0, 1.0, 2.0]), Some(2.0));
/// assert_eq!(median(vec![4.0, 1.0, 2.0, 3.0]), Some(2.5));
/// assert_eq!(median(vec![]), None);
/// ```
#[must_use]
pub fn median(mut values: Vec<f64>) -> Option<f64> {
    values.sort_unstable_by(f64::total_cmp);
    let upper = values.get(values.len() / 2)?;
    let lower = values.get(values.len().saturating_sub(1) / 2)?;
    Some(f64::midpoint(*lower, *upper))
}
