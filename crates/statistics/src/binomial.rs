//! How many of several rare events chance explains.

use super::StatsError;
use super::checks::{error_rate, real};

/// P(X >= `least`) where each of `trials` independent events happens with `probability`: the upper
/// tail of the binomial distribution, the sum of C(n, k) p^k (1 - p)^(n - k) over k >= `least` (W.
/// Feller, *An Introduction to Probability Theory and Its Applications* I, chapter VI).
///
/// # Errors
/// [`StatsError::InvalidConfidence`] for a `probability` outside (0, 1).
///
/// ```
/// // at least one six in four throws: 1 - (5/6)^4
/// let one = statistics::at_least(4, 1, 1.0 / 6.0)?;
/// assert!((one - 671.0 / 1296.0).abs() < 1e-12);
/// # Ok::<(), statistics::StatsError>(())
/// ```
pub fn at_least(trials: usize, least: usize, probability: f64) -> Result<f64, StatsError> {
    error_rate(probability)?;
    if least == 0 {
        return Ok(1.0);
    }
    let log_factorial = |count: usize| libm::lgamma(real(count) + 1.0);
    let term = |count: usize| {
        let ways = log_factorial(trials) - log_factorial(count) - log_factorial(trials - count);
        let hit = real(count) * probability.ln();
        let missed = real(trials - count) * (-probability).ln_1p();
        (ways + hit + missed).exp()
    };
    Ok((least..=trials).map(term).sum::<f64>().min(1.0))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn agrees_with_counting_all_outcomes() {
        for trials in 0..=10_usize {
            for least in 0..=trials + 1 {
                let probability = |outcome: u32| {
                    let hit = |trial: &usize| outcome >> trial & 1 == 1;
                    (0..trials).map(|trial| if hit(&trial) { 0.3 } else { 0.7 }).product::<f64>()
                };
                let counted: f64 = (0_u32..1 << trials)
                    .filter(|outcome| outcome.count_ones() as usize >= least)
                    .map(probability)
                    .sum();
                let found = at_least(trials, least, 0.3).unwrap();
                assert!((found - counted).abs() < 1e-12, "{trials}, {least}: {found}");
            }
        }
    }

    #[test]
    fn many_trials_stay_a_probability() {
        let found = at_least(100_000, 5_000, 0.05).unwrap();
        assert!((0.49..0.52).contains(&found), "{found}");
        assert!(at_least(100_000, 6_000, 0.05).unwrap() < 1e-30);
        assert!(at_least(3, 1, 1.0).is_err());
    }
}
