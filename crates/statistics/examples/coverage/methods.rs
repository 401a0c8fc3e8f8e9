//! The intervals that were candidates. All work on log ratios and return log bounds.

use statistics::{RatioEstimate, student_t};

use crate::noise::Random;

const RESAMPLES: usize = 500;
/// Part cut off at either end by the trimmed mean.
const TRIM: f64 = 0.2;

#[derive(Clone, Copy, PartialEq)]
pub(crate) enum Method {
    /// The method of `RatioEstimate`.
    SignedRank,
    /// Median between two order statistics, by the binomial distribution.
    MedianOrder,
    /// Percentile bootstrap of the median.
    MedianPercentile,
    /// Bias-corrected and accelerated bootstrap of the median (B. Efron, *JASA* 82 (1987) 171-185).
    MedianBca,
    /// Student's t.
    Student,
    /// Trimmed mean (J. W. Tukey, D. H. `McLaughlin`, *Sankhya* A 25 (1963) 331-352).
    Trimmed,
}

impl Method {
    pub(crate) const ALL: [Self; 6] = [
        Self::SignedRank,
        Self::Student,
        Self::Trimmed,
        Self::MedianOrder,
        Self::MedianPercentile,
        Self::MedianBca,
    ];

    pub(crate) const fn name(self) -> &'static str {
        match self {
            Self::SignedRank => "**Hodges-Lehmann, signed rank**",
            Self::Student => "mean, Student's t",
            Self::Trimmed => "20 % trimmed mean",
            Self::MedianOrder => "median, order statistics",
            Self::MedianPercentile => "median, percentile bootstrap",
            Self::MedianBca => "median, BCa bootstrap",
        }
    }

    pub(crate) const fn resamples(self) -> bool {
        matches!(self, Self::MedianPercentile | Self::MedianBca)
    }

    /// The bounds; the bootstrap knows 95 % only.
    pub(crate) fn interval(self, logs: &[f64], confidence: f64, random: &mut Random) -> (f64, f64) {
        match self {
            Self::SignedRank => signed_rank(logs, confidence),
            Self::Student => student(logs, confidence),
            Self::Trimmed => trimmed(logs, confidence),
            Self::MedianOrder => order_statistics(logs, confidence),
            Self::MedianPercentile => bootstrap(logs, random, |_, _| (0.025, 0.975)),
            Self::MedianBca => bootstrap(logs, random, bca_levels),
        }
    }

    /// What the method estimates, from a sample so large that its error does not matter.
    pub(crate) fn target(self, sample: &[f64]) -> f64 {
        match self {
            Self::SignedRank => median(
                &mut sample
                    .chunks_exact(2)
                    .map(|pair| f64::midpoint(pair[0], pair[1]))
                    .collect::<Vec<_>>(),
            ),
            Self::Student => mean(sample),
            Self::Trimmed => mean(kept(&sorted(sample))),
            _ => median(&mut sample.to_vec()),
        }
    }
}

fn signed_rank(logs: &[f64], confidence: f64) -> (f64, f64) {
    let ratios: Vec<f64> = logs.iter().map(|log| log.exp()).collect();
    let result = RatioEstimate::from_pairs(&ratios, &vec![1.0; logs.len()], confidence)
        .expect("enough blocks");
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

/// Bootstrap of the median; `levels` gives the two quantiles of the resampled medians to use.
fn bootstrap(
    logs: &[f64],
    random: &mut Random,
    levels: fn(&[f64], &[f64]) -> (f64, f64),
) -> (f64, f64) {
    let sorted = sorted(logs);
    // ranks instead of values: they select faster
    let mut ranks = vec![0; sorted.len()];
    let mut medians: Vec<f64> = (0..RESAMPLES)
        .map(|_| {
            for rank in &mut ranks {
                *rank = random.below(sorted.len());
            }
            let (below, &mut upper, _) = ranks.select_nth_unstable(sorted.len() / 2);
            let lower = if sorted.len() % 2 == 1 {
                upper
            } else {
                below.iter().copied().max().unwrap_or(upper)
            };
            f64::midpoint(sorted[lower], sorted[upper])
        })
        .collect();
    medians.sort_unstable_by(f64::total_cmp);
    let (low, high) = levels(&sorted, &medians);
    let at = |level: f64| medians[((level * RESAMPLES as f64) as usize).min(RESAMPLES - 1)];
    (at(low), at(high))
}

fn bca_levels(sorted: &[f64], medians: &[f64]) -> (f64, f64) {
    let center = median(&mut sorted.to_vec());
    let below =
        medians.partition_point(|&it| it < center) + medians.partition_point(|&it| it <= center);
    let bias = normal_quantile((below as f64 / 2.0 / RESAMPLES as f64).clamp(1e-6, 1.0 - 1e-6));
    let left_out: Vec<f64> = (0..sorted.len())
        .map(|out| median(&mut [&sorted[..out], &sorted[out + 1..]].concat()))
        .collect();
    let middle = mean(&left_out);
    let power = |exponent| left_out.iter().map(|it| (middle - it).powi(exponent)).sum::<f64>();
    let spread = power(2).powf(1.5);
    let acceleration = if spread > 0.0 { power(3) / (6.0 * spread) } else { 0.0 };
    let level = |z: f64| normal_cdf(bias + (bias + z) / (1.0 - acceleration * (bias + z)));
    (level(-1.959_964), level(1.959_964))
}

fn normal_cdf(z: f64) -> f64 {
    0.5 * libm::erfc(-z / std::f64::consts::SQRT_2)
}

fn normal_quantile(probability: f64) -> f64 {
    let (mut low, mut high) = (-6.0, 6.0);
    for _ in 0..50 {
        let middle = f64::midpoint(low, high);
        if normal_cdf(middle) < probability { low = middle } else { high = middle }
    }
    low
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

fn median(values: &mut [f64]) -> f64 {
    let middle = values.len() / 2;
    let odd = values.len() % 2 == 1;
    let (below, &mut upper, _) = values.select_nth_unstable_by(middle, f64::total_cmp);
    if odd {
        upper
    } else {
        f64::midpoint(below.iter().copied().fold(f64::NEG_INFINITY, f64::max), upper)
    }
}

fn mean(values: &[f64]) -> f64 {
    values.iter().sum::<f64>() / values.len() as f64
}

fn variance(values: &[f64]) -> f64 {
    let center = mean(values);
    values.iter().map(|value| (value - center).powi(2)).sum::<f64>() / (values.len() as f64 - 1.0)
}
