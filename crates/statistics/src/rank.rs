//! Null distributions of the two rank statistics: how likely they are when nothing differs.
//!
//! F. Wilcoxon, "Individual comparisons by ranking methods", *Biometrics Bulletin* 1 (1945) 80-83; H.
//! B. Mann, D. R. Whitney, "On a test of whether one of two random variables is stochastically larger
//! than the other", *Annals of Mathematical Statistics* 18 (1947) 50-60.

use std::f64::consts::FRAC_1_SQRT_2;

use super::checks::real;

/// Most blocks for which the signed-rank distribution is counted out.
///
/// Counting costs about `blocks^3 / 6` additions: about a millisecond here. Above, the p-value of
/// the normal approximation is within 1 % of the exact one at 0.05 and too large further out, which
/// is the safe side.
const MOST_BLOCKS: usize = 200;

/// Most launches on a side for which the rank-sum distribution is counted out.
///
/// Counting costs about `launches^4 / 8` additions: under a millisecond here. Above, the p-value of
/// the normal approximation is within 2 % of the exact one at 0.05.
const MOST_LAUNCHES: usize = 40;

/// The distribution of a statistic that is symmetric about its mean.
pub(super) struct Null {
    mean: f64,
    std_dev: f64,
    /// The largest statistic of the lower half.
    middle: usize,
    /// P(T <= t) for t up to the middle; empty where the normal distribution stands for it.
    cumulative: Vec<f64>,
}

impl Null {
    /// Of the number of Walsh averages (means of two differences, each also with itself) on one side
    /// of zero, when differences are symmetric about zero. It equals the sum of the ranks on that side
    /// (J. W. Tukey, 1949; M. Hollander, D. A. Wolfe, *Nonparametric Statistical Methods*, chapter 3).
    pub(super) fn signed_rank(blocks: usize) -> Self {
        let n = real(blocks);
        let middle = (blocks * (blocks + 1) / 2).saturating_sub(1) / 2;
        Self {
            mean: n * (n + 1.0) / 4.0,
            std_dev: (n * (n + 1.0) * (2.0 * n + 1.0) / 24.0).sqrt(),
            middle,
            cumulative: if blocks <= MOST_BLOCKS { signs(blocks, middle) } else { Vec::new() },
        }
    }

    /// Of the number of pairs, one of each sample, in which the first is the smaller, when both
    /// samples come from the same distribution.
    pub(super) fn rank_sum(first: usize, second: usize) -> Self {
        let (m, n) = (real(first), real(second));
        let middle = (first * second).saturating_sub(1) / 2;
        let is_exact = first.max(second) <= MOST_LAUNCHES;
        Self {
            mean: m * n / 2.0,
            std_dev: (m * n * (m + n + 1.0) / 12.0).sqrt(),
            middle,
            cumulative: if is_exact { pairs(first, second, middle) } else { Vec::new() },
        }
    }

    /// Two-sided p-value when the smaller side has `statistic`.
    pub(super) fn p_value(&self, statistic: usize) -> f64 {
        if statistic > self.middle {
            return 1.0;
        }
        let tail = self.cumulative.get(statistic).copied();
        tail.unwrap_or_else(|| self.normal_tail(statistic)).min(0.5) * 2.0
    }

    /// The largest statistic whose p-value is at most `error_rate`; none when even 0 is not that
    /// rare.
    pub(super) fn critical(&self, error_rate: f64) -> Option<usize> {
        let rejects = |statistic| self.p_value(statistic) <= error_rate;
        if !rejects(0) {
            return None;
        }
        let (mut low, mut high) = (0, self.middle + 1);
        while high - low > 1 {
            let between = usize::midpoint(low, high);
            if rejects(between) { low = between } else { high = between }
        }
        Some(low)
    }

    /// P(T <= statistic) by the normal distribution of the same mean and variance, with continuity
    /// correction.
    fn normal_tail(&self, statistic: usize) -> f64 {
        let z = (real(statistic) + 0.5 - self.mean) / self.std_dev;
        0.5 * libm::erfc(-z * FRAC_1_SQRT_2)
    }
}

/// Sums of ranks: each rank is in the sum or not, with probability one half.
fn signs(blocks: usize, middle: usize) -> Vec<f64> {
    let mut probability = certain_zero(middle);
    for rank in 1..=blocks {
        let reached = middle.min(rank * (rank + 1) / 2);
        for sum in (0..=reached).rev() {
            let with_rank = if sum >= rank { probability[sum - rank] } else { 0.0 };
            probability[sum] = 0.5 * (probability[sum] + with_rank);
        }
    }
    summed(probability)
}

/// Numbers of pairs by Mann and Whitney's recurrence: the largest of all launches is of the first
/// sample with probability m / (m + n), and then it is the larger one of its n pairs and adds
/// nothing; else it adds m.
fn pairs(first: usize, second: usize, middle: usize) -> Vec<f64> {
    // by the size of the second sample, for the size of the first that the loop has reached
    let mut rows: Vec<Vec<f64>> = (0..=second).map(|_| certain_zero(middle)).collect();
    for m in 1..=first {
        for n in 1..=second {
            let is_of_first = real(m) / real(m + n);
            let mut row = vec![0.0; middle + 1];
            for (u, value) in row.iter_mut().enumerate().take(middle.min(m * n) + 1) {
                let added = if u >= m { rows[n - 1][u - m] } else { 0.0 };
                *value = is_of_first * rows[n][u] + (1.0 - is_of_first) * added;
            }
            rows[n] = row;
        }
    }
    summed(rows.swap_remove(second))
}

fn certain_zero(middle: usize) -> Vec<f64> {
    let mut probability = vec![0.0; middle + 1];
    probability[0] = 1.0;
    probability
}

fn summed(mut probability: Vec<f64>) -> Vec<f64> {
    let mut total = 0.0;
    for value in &mut probability {
        total += *value;
        *value = total;
    }
    probability
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Checks `null` against all equally likely `outcomes`.
    fn agrees(null: &Null, outcomes: &[usize], name: &str) {
        for statistic in 0..=null.middle {
            let rare = outcomes.iter().filter(|&&it| it <= statistic).count();
            let expected = (2.0 * real(rare) / real(outcomes.len())).min(1.0);
            assert!((null.p_value(statistic) - expected).abs() < 1e-12, "{name}, {statistic}");
        }
    }

    #[test]
    fn small_samples_by_enumeration() {
        let chosen = |set: u32, rank: &usize| set >> rank & 1 == 1;
        for blocks in 1..=12_usize {
            let sum = |set| (0..blocks).filter(|rank| chosen(set, rank)).map(|rank| rank + 1).sum();
            let sums: Vec<usize> = (0_u32..1 << blocks).map(sum).collect();
            agrees(&Null::signed_rank(blocks), &sums, &format!("{blocks} blocks"));
        }
        for (first, second) in (1..=6_usize).flat_map(|m| (1..=6).map(move |n| (m, n))) {
            let all = first + second;
            let later = |set, rank| (rank + 1..all).filter(|it| !chosen(set, it)).count();
            let pairs =
                |set| (0..all).filter(|rank| chosen(set, rank)).map(|rank| later(set, rank)).sum();
            let of_first = |set: &u32| set.count_ones() as usize == first;
            let choices: Vec<usize> = (0_u32..1 << all).filter(of_first).map(pairs).collect();
            agrees(&Null::rank_sum(first, second), &choices, &format!("{first}, {second}"));
        }
    }

    /// Wilcoxon's table, 5 % and 1 % two-sided (F. Wilcoxon, R. A. Wilcox, *Some Rapid Approximate
    /// Statistical Procedures*, 1964, table 2), and the usual one of U at 5 % (S. Siegel,
    /// *Nonparametric Statistics for the Behavioral Sciences*, 1956, table K).
    #[test]
    fn critical_values_of_the_printed_tables() {
        for (blocks, five, one) in [
            (5, None, None),
            (6, Some(0), None),
            (8, Some(3), Some(0)),
            (10, Some(8), Some(3)),
            (20, Some(52), Some(37)),
            (30, Some(137), Some(109)),
            (40, Some(264), Some(220)),
        ] {
            let null = Null::signed_rank(blocks);
            assert_eq!((null.critical(0.05), null.critical(0.01)), (five, one), "{blocks} blocks");
        }
        for (first, second, five) in [
            (4, 4, Some(0)),
            (3, 4, None),
            (6, 8, Some(8)),
            (10, 10, Some(23)),
            (12, 15, Some(49)),
            (20, 20, Some(127)),
        ] {
            assert_eq!(Null::rank_sum(first, second).critical(0.05), five, "{first}, {second}");
            assert_eq!(Null::rank_sum(second, first).critical(0.05), five, "{second}, {first}");
        }
    }

    #[test]
    fn the_approximations_join_the_exact_distributions() {
        let signed_rank = Null::signed_rank(MOST_BLOCKS);
        let rank_sum = Null::rank_sum(MOST_LAUNCHES, MOST_LAUNCHES);
        for (null, bounds) in
            [(signed_rank, [1.01, 1.01, 1.03, 1.08]), (rank_sum, [1.01, 1.02, 1.06, 1.2])]
        {
            for (error_rate, most) in [0.2, 0.05, 0.01, 0.001].into_iter().zip(bounds) {
                let statistic = null.critical(error_rate).unwrap();
                let ratio = 2.0 * null.normal_tail(statistic) / null.p_value(statistic);
                assert!((0.99..most).contains(&ratio), "{error_rate}: {ratio}");
            }
        }
        let far = Null::signed_rank(1000).p_value(0);
        assert!(far > 0.0 && far < 1e-100 && Null::rank_sum(1000, 3).p_value(0) > 0.0);
    }
}
