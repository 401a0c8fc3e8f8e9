//! Two bounds around a ratio.

use serde::{Deserialize, Serialize};

/// A closed interval of ratios.
///
/// Ratios live on a logarithmic scale: 0.5 and 2 are equally far from 1. Widths and bands are
/// computed there.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
pub struct Interval {
    /// Lower bound, above zero.
    pub low: f64,
    /// Upper bound, not below `low`.
    pub high: f64,
}

impl Interval {
    /// Whether `ratio` lies inside, bounds included.
    #[must_use]
    pub fn contains(&self, ratio: f64) -> bool {
        self.low <= ratio && ratio <= self.high
    }

    /// Relative half-width, `sqrt(high / low) - 1`: 0.01 reads "give or take 1 %".
    ///
    /// ```
    /// let interval = statistics::Interval { low: 1.0 / 1.01, high: 1.01 };
    /// assert!((interval.half_width() - 0.01).abs() < 1e-12);
    /// ```
    #[must_use]
    pub fn half_width(&self) -> f64 {
        // two roots instead of one of the quotient, which could overflow
        self.high.sqrt() / self.low.sqrt() - 1.0
    }

    /// The smallest interval around this one that is symmetric about 1 (in logarithms).
    ///
    /// Which of two A/A twins came out slower is chance. The band that their interval stands for
    /// therefore reaches as far to the other side.
    #[must_use]
    pub fn symmetric_about_one(&self) -> Self {
        let reach = self.low.ln().abs().max(self.high.ln().abs()).exp();
        Self { low: (1.0 / reach).min(self.low), high: reach.max(self.high) }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_symmetric_band_reaches_the_further_bound_on_both_sides() {
        for (low, high) in [(1.01, 1.04), (1.0 / 1.04, 1.0 / 1.01)] {
            let band = Interval { low, high }.symmetric_about_one();
            assert!((band.high - 1.04).abs() < 1e-12 && (band.low * 1.04 - 1.0).abs() < 1e-12);
            assert!(band.contains(low) && band.contains(high), "rounding must not cut it off");
        }
        assert!(Interval { low: 1e-300, high: 1e300 }.half_width().is_finite());
    }
}
