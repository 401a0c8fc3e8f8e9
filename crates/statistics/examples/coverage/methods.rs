//! The intervals that were candidates. All work on log ratios and return log bounds.

use statistics::{RatioEstimate, student_t};

/// Part cut off at either end by the trimmed mean.
const TRIM: f64 = 0.2;

#[derive(Clone, Copy, PartialEq)]
pub(crate) enum Method {
    /// The method of `RatioEstimate`.
    SignedRank,
    /// Median between two order statistics, by the binomial distribution.
    MedianOrder,
    /// Student's t.
    Student,
    /// Trimmed mean (J. W. Tukey, D. H. `McLaughlin`, *Sankhya* A 25 (1963) 331-352).
    Trimmed,
}

impl Method {
    pub(crate) const ALL: [Self; 4] =
        [Self::SignedRank, Self::Student, Self::Trimmed, Self::MedianOrder];

    pub(crate) const fn name(self) -> &'static str {
        match self {
            Self::SignedRank => "**Hodges-Lehmann, signed rank**",
            Self::Student => "mean, Student's t",
            Self::Trimmed => "20 % trimmed mean",
            Self::MedianOrder => "median, order statistics",
        }
    }

    /// The bounds.
    pub(crate) fn interval(self, logs: &[f64], confidence: f64) -> (f64, f64) {
        match self {
            Self::SignedRank => signed_rank(logs, confidence),
            Self::Student => student(logs, confidence),
            Self::Trimmed => trimmed(logs, confidence),
            Self::MedianOrder => order_statistics(logs, confidence),
        }
    }
}

fn signed_rank(logs: &[f64], confidence: f64) -> (f64, f64) {
    let result = RatioEstimate::from_log_ratios(logs, confidence).expect("enough blocks");
    (result.low.ln(), result.high.ln())
}

fn student(logs: &[f64], confidence: f64) -> (f64, f64) {
    let count = logs.len() as f64;
    around(mean(logs), (variance(logs) / count).sqrt(), logs.len() - 1, confidence)
}

fn trimmed(logs: &[f64], confidence: f64) -> (f64, f64) {
    let sorted = sorted(logs);
    let kept = kept(&sorted);
    let winsorised: Vec<f64> =
        sorted.iter().map(|log| log.clamp(kept[0], kept[kept.len() - 1])).collect();
    let share = kept.len() as f64 / sorted.len() as f64;
    let standard_error = (variance(&winsorised) / sorted.len() as f64).sqrt() / share;
    around(mean(kept), standard_error, kept.len() - 1, confidence)
}

fn around(center: f64, standard_error: f64, degrees: usize, confidence: f64) -> (f64, f64) {
    let reach = student_t(confidence, degrees).expect("two or more values") * standard_error;
    (center - reach, center + reach)
}

fn order_statistics(logs: &[f64], confidence: f64) -> (f64, f64) {
    let sorted = sorted(logs);
    let blocks = sorted.len();
    let mut probability = 0.5_f64.powi(i32::try_from(blocks).expect("few blocks"));
    let mut tail = 0.0;
    let mut outside = 0;
    while tail + probability <= (1.0 - confidence) / 2.0 {
        tail += probability;
        probability *= (blocks - outside) as f64 / (outside + 1) as f64;
        outside += 1;
    }
    (sorted[outside - 1], sorted[blocks - outside])
}

fn sorted(values: &[f64]) -> Vec<f64> {
    let mut values = values.to_vec();
    values.sort_unstable_by(f64::total_cmp);
    values
}

fn kept(sorted: &[f64]) -> &[f64] {
    let cut = (TRIM * sorted.len() as f64) as usize;
    &sorted[cut..sorted.len() - cut]
}

fn mean(values: &[f64]) -> f64 {
    values.iter().sum::<f64>() / values.len() as f64
}

fn variance(values: &[f64]) -> f64 {
    let center = mean(values);
    values.iter().map(|value| (value - center).powi(2)).sum::<f64>() / (values.len() as f64 - 1.0)
}
