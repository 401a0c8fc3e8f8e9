//! How far one build may be off: the spread of a ratio over link orders.

use super::StatsError;
use super::checks::{in_range, possible_logs, real};

/// The share of the values at each end that is pulled in to the next one: a few launches in a hundred
/// are disturbed, and one disturbed launch would be a spread of its own.
const PULLED_IN: f64 = 0.1;

/// Standard deviation of a normal distribution of standard deviation 1 whose values beyond the
/// quantiles of 10 % and 90 % are pulled in to those: the root of
/// `1 - 2 q - 2 z f(z) + 2 q z^2` with `q = 0.1`, its quantile `z` and the density `f`.
const NORMAL: f64 = 0.823_81;

/// The standard deviation, over link orders, of the logarithm of a ratio of two programs: what a single
/// build of both may be off by, as a part of 1. At most it says 0 where orders make no difference that
/// the launches would show.
///
/// Each of `log_ratios` holds the natural logarithms of the ratios of two backends on one workload, block
/// by block, where every block has link orders of its own for both. Their spread is that of the orders
/// and that of launches. `echoes` show the latter alone: the same, block by block, of two launches of one
/// program in the same link order. That launches of all programs are equally noisy is assumed. Of several
/// workloads the root of the mean variance is taken.
///
/// Both spreads are Winsorised standard deviations, and variances are subtracted. Simulated (normal
/// orders, a twentieth of the launches five times as noisy, 54 blocks, luck and noise of 1 % each): 1.06 %,
/// from 0.2 to 1.6 % in 90 of 100 runs; without Winsorising 0.0 to 1.8 %. Where luck is three times the noise it is
/// found to a fifth. A tenth too much is found when orders come in two kinds, fast and slow.
///
/// # Errors
/// [`StatsError::Empty`] for no values, [`StatsError::InvalidLogRatio`] for one that no two times have.
///
/// ```
/// use statistics::luck;
///
/// let log_ratios = [0.00, 0.04, 0.08, 0.01, 0.05, 0.02, 0.07, 0.03];
/// let echoes = [0.00, 0.01, -0.01, 0.00, 0.01, 0.00, -0.01, 0.00];
/// let luck = luck(&[&log_ratios], &[&echoes])?;
/// assert!(luck > 0.02 && luck < 0.04);
/// # Ok::<(), statistics::StatsError>(())
/// ```
pub fn luck(log_ratios: &[&[f64]], echoes: &[&[f64]]) -> Result<f64, StatsError> {
    let mean = |lists: &[&[f64]]| {
        let variances: Result<Vec<f64>, StatsError> =
            lists.iter().map(|it| winsorised(it).map(|(_, variance)| variance)).collect();
        variances.map(|it| it.iter().sum::<f64>() / real(it.len()))
    };
    if log_ratios.is_empty() || echoes.is_empty() {
        return Err(StatsError::Empty);
    }
    // The means are formed first: of one workload the difference may be negative by chance.
    in_range((mean(log_ratios)? - mean(echoes)?).max(0.0).sqrt())
}

/// The mean and the variance of logarithms of ratios whose tenths at both ends are pulled in to the value
/// next to them; the variance is as large as the ordinary one where the values are normal.
///
/// # Errors
/// [`StatsError::Empty`] for no values, [`StatsError::InvalidLogRatio`] for one that no two times have.
pub fn winsorised(log_ratios: &[f64]) -> Result<(f64, f64), StatsError> {
    possible_logs(log_ratios)?;
    let mut logs = log_ratios.to_vec();
    logs.sort_unstable_by(f64::total_cmp);
    let count = logs.len();
    let (low, high) = (quantile(&logs, PULLED_IN), quantile(&logs, 1.0 - PULLED_IN));
    let pulled_in: Vec<f64> = logs.iter().map(|log| log.clamp(low, high)).collect();
    let mean = pulled_in.iter().sum::<f64>() / real(count);
    let squares: f64 = pulled_in.iter().map(|log| (log - mean).powi(2)).sum();
    Ok((mean, in_range(squares / real(count.max(2) - 1) / (NORMAL * NORMAL))?))
}

/// The value below which a share of the sorted values lies, between two of them in proportion
/// (definition 7 of R. J. Hyndman, Y. Fan, "Sample quantiles in statistical packages", *The American
/// Statistician* 50 (1996) 361-365).
#[expect(
    clippy::cast_possible_truncation,
    clippy::cast_sign_loss,
    reason = "a place among the values: below their number and not below zero"
)]
fn quantile(sorted: &[f64], share: f64) -> f64 {
    let place = share * real(sorted.len() - 1);
    let below = place.floor() as usize;
    let above = place.ceil() as usize;
    sorted[below] + (place - place.floor()) * (sorted[above] - sorted[below])
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::median;
    use crate::noise::Random;

    /// Log ratios of 54 blocks with luck and noise of the given size, in percent.
    fn logs(random: &mut Random, luck: f64, noise: f64) -> Vec<f64> {
        let block = |_| (luck * random.normal() + noise * random.normal()) / 100.0;
        (0..54).map(block).collect()
    }

    #[test]
    fn luck_is_told_from_noise() {
        let mut random = Random::seeded(1);
        for (truth, noise) in [(3.5, 1.2), (1.0, 1.0), (0.5, 1.0)] {
            let found = (0..100).map(|_| {
                let echoes = logs(&mut random, 0.0, noise);
                luck(&[&logs(&mut random, truth, noise)], &[&echoes]).unwrap()
            });
            let middle = 100.0 * median(found.collect()).unwrap();
            assert!((middle - truth).abs() < 0.2 * truth, "{truth}: {middle}");
        }
    }

    #[test]
    fn variances_are_pooled_before_the_noise_is_taken_away() {
        // Variances of two values are exact: half the square of their difference, over 0.9 of the way.
        let of = |difference: f64| [0.0, difference];
        let both = luck(&[&of(0.01), &of(0.05)], &[&of(0.02), &of(0.02)]).unwrap();
        let [low, high] = [0.01, 0.05].map(|it| luck(&[&of(it)], &[&[0.0, 0.0]]).unwrap());
        let noise = luck(&[&of(0.02)], &[&[0.0, 0.0]]).unwrap();
        let pooled = f64::midpoint(low * low, high * high) - noise * noise;
        assert!((both - pooled.sqrt()).abs() < 1e-12, "{both}");
    }

    #[test]
    fn no_luck_and_one_disturbed_launch_are_no_luck() {
        let mut random = Random::seeded(2);
        let (mut a, b) = (logs(&mut random, 0.0, 1.0), logs(&mut random, 0.0, 1.0));
        let calm = luck(&[&a], &[&b]).unwrap();
        a[7] = 0.4;
        assert!(calm < 0.008 && (luck(&[&a], &[&b]).unwrap() - calm).abs() < 0.004);
        assert!(luck(&[&[0.0]], &[&[0.0]]).unwrap().abs() < f64::EPSILON);
        assert_eq!(luck(&[], &[&[0.0]]), Err(StatsError::Empty));
        assert_eq!(luck(&[&[]], &[&[0.0]]), Err(StatsError::Empty));
        assert!(matches!(luck(&[&[0.0]], &[&[1e4]]), Err(StatsError::InvalidLogRatio { .. })));
    }
}
