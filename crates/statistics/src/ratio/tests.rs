//! Worked examples, properties and a seeded check of coverage.

use proptest::prelude::*;

use super::*;
use crate::noise::Random;

fn close(a: f64, b: f64) -> bool {
    (a / b - 1.0).abs() < 1e-11
}

fn estimate(logs: &[f64], confidence: f64) -> Result<RatioEstimate, StatsError> {
    RatioEstimate::from_log_ratios(logs, confidence)
}

/// The definition, term by term: floats, no grid, no shortcut.
fn naive(logs: &[f64], critical: usize) -> (f64, f64, f64) {
    let pairs = (0..logs.len()).flat_map(|i| (0..=i).map(move |j| (i, j)));
    let mut walsh: Vec<f64> = pairs.map(|(i, j)| f64::midpoint(logs[i], logs[j])).collect();
    walsh.sort_by(f64::total_cmp);
    let last = walsh.len() - 1;
    let estimate = f64::midpoint(walsh[last / 2], walsh[walsh.len() / 2]);
    (estimate.exp(), walsh[critical].exp(), walsh[last - critical].exp())
}

/// Hamilton depression scale before and after tranquillizer, nine patients (Hollander and Wolfe,
/// example 3.1): published signed-rank p-value 0.039 two-sided (T = 5), estimate of the shift
/// -0.46, 96.1 % interval -0.786 to -0.010.
#[test]
#[expect(clippy::approx_constant, reason = "3.14 is a patient's score")]
fn a_published_example() {
    let before = [1.83_f64, 0.50, 1.62, 2.48, 1.68, 1.88, 1.55, 3.06, 1.30];
    let after = [0.878_f64, 0.647, 0.598, 2.05, 1.06, 1.29, 1.06, 3.14, 1.29];
    let shifts: Vec<f64> = after.iter().zip(before).map(|(after, before)| after - before).collect();
    let result = estimate(&shifts, 0.96).unwrap();
    assert!((result.p_value - 0.039_062_5).abs() < 1e-12, "{}", result.p_value);
    let logs = [result.estimate, result.low, result.high].map(f64::ln);
    for (found, published) in logs.into_iter().zip([-0.46, -0.786, -0.010]) {
        assert!((found - published).abs() < 0.001, "{found} {published}");
    }
}

#[test]
fn refusals_name_the_reason() {
    let some = [0.5; 8];
    assert_eq!(estimate(&[], 0.95), Err(StatsError::Empty));
    assert_eq!(
        estimate(&[0.0, 1461.0], 0.95),
        Err(StatsError::InvalidLogRatio { index: 1, value: 1461.0 })
    );
    assert!(matches!(
        estimate(&[f64::NAN], 0.95),
        Err(StatsError::InvalidLogRatio { index: 0, .. })
    ));
    for confidence in [0.0, 1.0, -1.0, 1e-300] {
        assert_eq!(estimate(&some, confidence), Err(StatsError::InvalidConfidence(confidence)));
    }
    let (got, most) = (MOST_BLOCKS + 1, MOST_BLOCKS);
    assert_eq!(estimate(&vec![0.0; got], 0.95), Err(StatsError::TooManyBlocks { got, most }));
    assert_eq!(estimate(&[1300.0; 8], 0.95), Err(StatsError::OutOfRange));
    for confidence in [0.5, 0.8, 0.9, 0.95, 0.99, 0.999, 0.999_99] {
        let needed = blocks_needed(confidence).unwrap();
        assert!(estimate(&vec![0.5; needed], confidence).is_ok());
        let refused = StatsError::TooFewBlocks { got: needed - 1, needed, confidence };
        assert_eq!(estimate(&vec![0.5; needed - 1], confidence), Err(refused));
    }
}

#[test]
fn zeros_and_opposite_ratios_count_for_both_sides() {
    let equal = estimate(&[0.0; 7], 0.95).unwrap();
    let all_one = [equal.estimate, equal.low, equal.high, equal.p_value];
    assert!(all_one.iter().all(|value| (value - 1.0).abs() <= 0.0), "{equal:?}");
    // six of seven blocks equal: nothing to see, although the one difference is large
    let one_off = estimate(&[0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 2.0], 0.95).unwrap();
    assert!(one_off.p_value > 0.99 && one_off.interval().contains(1.0));
    let mirrored = estimate(&[0.1, -0.1, 0.1, -0.1, 0.1, -0.1], 0.95).unwrap();
    assert!((mirrored.estimate - 1.0).abs() <= 0.0 && mirrored.p_value > 0.99, "{mirrored:?}");
}

/// Breakdown of the interval: with 30 blocks the 137 outermost averages are cut off, and four wild
/// blocks are in 114.
#[test]
fn four_wild_blocks_in_thirty_hardly_matter() {
    let calm: Vec<f64> =
        (0..30).map(|block| 0.02 + 0.001 * f64::from(block * 7 % 30 - 15)).collect();
    let mut wild = calm.clone();
    wild[20..24].fill(4.0);
    let (calm, bounded) = (estimate(&calm, 0.95).unwrap(), estimate(&wild, 0.95).unwrap());
    assert!((bounded.estimate / calm.estimate - 1.0).abs() < 0.003, "{bounded:?}");
    assert!(bounded.high < 1.035, "{bounded:?}");
    wild[24] = 4.0;
    assert!(estimate(&wild, 0.95).unwrap().high > 2.0, "a fifth one is too many");
}

fn logs() -> impl Strategy<Value = Vec<f64>> {
    // a coarse grid, so that ties and zeros happen
    prop::collection::vec((-100_i32..100).prop_map(|step| f64::from(step) * 1e-3), 6..60)
}

proptest! {
    #[test]
    fn agrees_with_the_naive_twin(logs in logs()) {
        let fast = estimate(&logs, 0.95).unwrap();
        let critical = Null::signed_rank(logs.len()).critical(1.0 - 0.95).unwrap();
        let (estimate, low, high) = naive(&logs, critical);
        prop_assert!(close(fast.estimate, estimate) && close(fast.low, low) && close(fast.high, high));
    }

    #[test]
    fn turning_all_ratios_round_inverts(logs in logs()) {
        let turned: Vec<f64> = logs.iter().map(|log| -log).collect();
        let (one, other) = (estimate(&logs, 0.95).unwrap(), estimate(&turned, 0.95).unwrap());
        prop_assert!(close(one.estimate, 1.0 / other.estimate));
        prop_assert!(close(one.low, 1.0 / other.high) && close(one.high, 1.0 / other.low));
        prop_assert_eq!(one.p_value.to_bits(), other.p_value.to_bits());
    }

    #[test]
    fn interval_and_p_value_tell_the_same(logs in logs(), shift in -0.05_f64..0.05, confidence in 0.01_f64..0.96) {
        let moved: Vec<f64> = logs.iter().map(|log| log + shift).collect();
        let result = estimate(&moved, confidence).unwrap();
        prop_assert!(result.interval().contains(result.estimate), "{:?}", result);
        prop_assert_eq!(!result.interval().contains(1.0), result.p_value <= 1.0 - confidence, "{:?}", result);
    }

    #[test]
    fn more_confidence_is_never_narrower(logs in logs(), one in 0.01_f64..0.96, two in 0.01_f64..0.96) {
        let narrow = estimate(&logs, one.min(two)).unwrap();
        let wide = estimate(&logs, one.max(two)).unwrap();
        prop_assert!(wide.low <= narrow.low && narrow.high <= wide.high);
    }

    #[test]
    fn numbers_or_an_error_for_any_input(
        logs in prop::collection::vec(any::<f64>(), 0..12),
        confidence in any::<f64>(),
    ) {
        for confidence in [confidence, 0.9] {
            if let Ok(result) = estimate(&logs, confidence) {
                prop_assert!(result.low > 0.0 && result.high.is_finite());
                prop_assert!((0.0..=1.0).contains(&result.p_value));
                prop_assert!(result.interval().contains(result.estimate));
            }
        }
    }
}

#[test]
fn coverage_is_nominal_under_skewed_noise() {
    const TRIALS: u32 = 3_000;
    let truth = 1.02_f64;
    for blocks in [10, 20, 30, 40] {
        let mut random = Random::seeded(20_261_105);
        let mut launch = || random.launch(0.02, 0.03);
        let mut covered = 0;
        for _ in 0..TRIALS {
            let logs: Vec<f64> = (0..blocks).map(|_| truth.ln() + launch() - launch()).collect();
            covered += u32::from(estimate(&logs, 0.95).unwrap().interval().contains(truth));
        }
        let coverage = f64::from(covered) / f64::from(TRIALS);
        assert!((0.93..=0.97).contains(&coverage), "{blocks} blocks: {coverage}");
    }
}
