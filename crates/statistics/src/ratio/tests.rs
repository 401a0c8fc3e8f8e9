//! Worked examples, properties and a seeded check of coverage.

use proptest::prelude::*;
use rand_xoshiro::Xoshiro256PlusPlus;
use rand_xoshiro::rand_core::{Rng, SeedableRng};

use super::*;

fn close(a: f64, b: f64) -> bool {
    (a / b - 1.0).abs() < 1e-11
}

fn same_ratio(a: &RatioEstimate, b: &RatioEstimate) -> bool {
    close(a.estimate, b.estimate) && close(a.low, b.low) && close(a.high, b.high)
}

fn ratios(values: &[f64], confidence: f64) -> Result<RatioEstimate, StatsError> {
    RatioEstimate::from_pairs(values, &vec![1.0; values.len()], confidence)
}

/// The definition, term by term: floats, no grid, no shortcut.
fn naive(numerator: &[f64], denominator: &[f64], critical: usize) -> (f64, f64, f64) {
    let logs: Vec<f64> = numerator.iter().zip(denominator).map(|(a, b)| (a / b).ln()).collect();
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
    let result =
        RatioEstimate::from_pairs(&after.map(f64::exp), &before.map(f64::exp), 0.96).unwrap();
    assert!((result.p_value - 0.039_062_5).abs() < 1e-12, "{}", result.p_value);
    assert!((result.estimate.ln() + 0.46).abs() < 0.001, "{}", result.estimate.ln());
    assert!((result.low.ln() + 0.786).abs() < 0.001, "{}", result.low.ln());
    assert!((result.high.ln() + 0.010).abs() < 0.001, "{}", result.high.ln());
}

#[test]
fn refusals_name_the_reason() {
    let some = [1.0; 8];
    assert_eq!(ratios(&[], 0.95), Err(StatsError::Empty));
    assert_eq!(
        RatioEstimate::from_pairs(&some, &some[1..], 0.95),
        Err(StatsError::LengthMismatch { numerator: 8, denominator: 7 })
    );
    assert_eq!(ratios(&[1.0, -2.0], 0.95), Err(StatsError::InvalidValue { index: 1, value: -2.0 }));
    assert!(matches!(
        ratios(&[1.0, f64::NAN], 0.95),
        Err(StatsError::InvalidValue { index: 1, .. })
    ));
    for confidence in [0.0, 1.0, -1.0, 1e-300] {
        assert_eq!(ratios(&some, confidence), Err(StatsError::InvalidConfidence(confidence)));
    }
    assert_eq!(
        ratios(&some, 0.999),
        Err(StatsError::TooFewBlocks { got: 8, needed: 11, confidence: 0.999 })
    );
    let most = MOST_BLOCKS;
    assert_eq!(
        ratios(&vec![1.0; most + 1], 0.95),
        Err(StatsError::TooManyBlocks { got: most + 1, most })
    );
    let far = RatioEstimate::from_pairs(&[1e300; 8], &[1e-300; 8], 0.95);
    assert_eq!(far, Err(StatsError::OutOfRange));
}

#[test]
fn the_fewest_blocks_named_are_enough_and_one_less_is_not() {
    for confidence in [0.5, 0.8, 0.9, 0.95, 0.99, 0.999, 0.999_99] {
        let needed = blocks_needed(confidence).unwrap();
        assert!(ratios(&vec![1.5; needed], confidence).is_ok());
        assert!(ratios(&vec![1.5; needed - 1], confidence).is_err());
    }
}

#[test]
fn equal_launches_are_exactly_one_and_no_evidence() {
    let times = [3.0, 1e-9, 7e12, 0.1, 55.5, 1.0, 2.0];
    let result = RatioEstimate::from_pairs(&times, &times, 0.95).unwrap();
    let all_one = [result.estimate, result.low, result.high, result.p_value];
    assert!(all_one.iter().all(|value| (value - 1.0).abs() <= 0.0), "{result:?}");
}

#[test]
fn zeros_and_opposite_ratios_count_for_both_sides() {
    // six of seven blocks equal: nothing to see, although the one difference is large
    let one_off = ratios(&[1.0, 1.0, 1.0, 1.0, 1.0, 1.0, 8.0], 0.95).unwrap();
    assert!(one_off.p_value > 0.99 && one_off.interval().contains(1.0));
    let mirrored = RatioEstimate::from_pairs(
        &[1000.0, 1001.0, 1000.0, 1001.0, 1000.0, 1001.0],
        &[1001.0, 1000.0, 1001.0, 1000.0, 1001.0, 1000.0],
        0.95,
    );
    let mirrored = mirrored.unwrap();
    assert!((mirrored.estimate - 1.0).abs() <= 0.0 && mirrored.p_value > 0.99, "{mirrored:?}");
}

/// Breakdown of the interval: with 30 blocks the 137 outermost averages are cut off, and four wild
/// blocks are in 114.
#[test]
fn four_wild_blocks_in_thirty_hardly_matter() {
    let calm: Vec<f64> =
        (0..30).map(|block| 1.02 + 0.001 * f64::from(block * 7 % 30 - 15)).collect();
    let mut wild = calm.clone();
    wild[20..24].fill(50.0);
    let (calm, bounded) = (ratios(&calm, 0.95).unwrap(), ratios(&wild, 0.95).unwrap());
    assert!((bounded.estimate / calm.estimate - 1.0).abs() < 0.003, "{bounded:?}");
    assert!(bounded.high < 1.035, "{bounded:?}");
    wild[24] = 50.0;
    assert!(ratios(&wild, 0.95).unwrap().high > 2.0, "a fifth one is too many");
}

fn times() -> impl Strategy<Value = (Vec<f64>, Vec<f64>)> {
    // a coarse grid, so that ties and zeros happen
    let launch = || (900_u32..1100).prop_map(f64::from);
    prop::collection::vec((launch(), launch()), 6..60).prop_map(|pairs| pairs.into_iter().unzip())
}

proptest! {
    #[test]
    fn agrees_with_the_naive_twin((a, b) in times()) {
        let fast = RatioEstimate::from_pairs(&a, &b, 0.95).unwrap();
        let critical = SignedRank::new(a.len()).critical(1.0 - 0.95).unwrap();
        let (estimate, low, high) = naive(&a, &b, critical);
        prop_assert!(close(fast.estimate, estimate) && close(fast.low, low) && close(fast.high, high));
    }

    #[test]
    fn unit_does_not_matter((a, b) in times(), factor in 1e-6_f64..1e6) {
        let scale = |values: &[f64]| values.iter().map(|value| value * factor).collect::<Vec<_>>();
        let one = RatioEstimate::from_pairs(&a, &b, 0.95).unwrap();
        let other = RatioEstimate::from_pairs(&scale(&a), &scale(&b), 0.95).unwrap();
        prop_assert!(same_ratio(&one, &other), "{:?} {:?}", one, other);
    }

    #[test]
    fn swapping_inverts((a, b) in times()) {
        let one = RatioEstimate::from_pairs(&a, &b, 0.95).unwrap();
        let other = RatioEstimate::from_pairs(&b, &a, 0.95).unwrap();
        prop_assert!(close(one.estimate, 1.0 / other.estimate));
        prop_assert!(close(one.low, 1.0 / other.high) && close(one.high, 1.0 / other.low));
        prop_assert_eq!(one.p_value.to_bits(), other.p_value.to_bits());
    }

    #[test]
    fn order_of_blocks_does_not_matter((a, b) in times(), turn in 0_usize..60) {
        let turned = |values: &[f64]| {
            let mut values = values.to_vec();
            let by = turn % values.len();
            values.rotate_left(by);
            values[by..].reverse();
            values
        };
        let one = RatioEstimate::from_pairs(&a, &b, 0.9).unwrap();
        prop_assert_eq!(one, RatioEstimate::from_pairs(&turned(&a), &turned(&b), 0.9).unwrap());
    }

    #[test]
    fn estimate_lies_in_the_interval((a, b) in times(), confidence in 0.001_f64..0.96) {
        let result = RatioEstimate::from_pairs(&a, &b, confidence).unwrap();
        prop_assert!(result.interval().contains(result.estimate), "{:?}", result);
    }

    #[test]
    fn interval_and_p_value_tell_the_same((a, b) in times(), shift in 0.95_f64..1.05, confidence in 0.01_f64..0.96) {
        let moved: Vec<f64> = a.iter().map(|value| value * shift).collect();
        let result = RatioEstimate::from_pairs(&moved, &b, confidence).unwrap();
        prop_assert_eq!(!result.interval().contains(1.0), result.p_value <= 1.0 - confidence, "{:?}", result);
    }

    #[test]
    fn more_confidence_is_never_narrower((a, b) in times(), one in 0.01_f64..0.96, two in 0.01_f64..0.96) {
        let narrow = RatioEstimate::from_pairs(&a, &b, one.min(two)).unwrap();
        let wide = RatioEstimate::from_pairs(&a, &b, one.max(two)).unwrap();
        prop_assert!(narrow.interval().lies_within(&wide.interval()));
    }

    #[test]
    fn identical_ratios_give_that_ratio(
        denominator in prop::collection::vec(1.0_f64..1e9, 6..250),
        ratio in 0.01_f64..100.0,
    ) {
        let numerator: Vec<f64> = denominator.iter().map(|value| value * ratio).collect();
        let result = RatioEstimate::from_pairs(&numerator, &denominator, 0.95).unwrap();
        prop_assert!([result.estimate, result.low, result.high].iter().all(|&value| close(value, ratio)));
    }

    #[test]
    fn numbers_or_an_error_for_any_input(
        a in prop::collection::vec(any::<f64>(), 0..12),
        b in prop::collection::vec(any::<f64>(), 0..12),
        confidence in any::<f64>(),
    ) {
        let _ = RatioEstimate::from_pairs(&a, &b, confidence);
        let positive = |values: &[f64]| values.iter().map(|value| value.abs().max(f64::MIN_POSITIVE)).collect::<Vec<_>>();
        let length = a.len().min(b.len());
        if let Ok(result) = RatioEstimate::from_pairs(&positive(&a[..length]), &positive(&b[..length]), 0.9) {
            prop_assert!(result.low > 0.0 && result.high.is_finite() && (0.0..=1.0).contains(&result.p_value));
            prop_assert!(result.interval().contains(result.estimate));
        }
    }
}

/// A launch's factor: 2 % of log-normal noise with a long right tail, and now and then an outlier
/// of 10 to 50 %.
fn skewed_launch(random: &mut Xoshiro256PlusPlus) -> f64 {
    let mut uniform =
        || f64::from(random.next_u32()).mul_add(1.0 / 4_294_967_296.0, 0.5 / 4_294_967_296.0);
    let normal = (-2.0 * uniform().ln()).sqrt() * (std::f64::consts::TAU * uniform()).cos();
    let outlier = if uniform() < 0.03 { 1.1 + 0.4 * uniform() } else { 1.0 };
    (0.02 * (0.8 * normal).exp()).exp() * outlier
}

#[test]
fn coverage_is_nominal_under_skewed_noise() {
    const TRIALS: u32 = 3_000;
    let truth = 1.02;
    for blocks in [10, 20, 30, 40] {
        let mut random = Xoshiro256PlusPlus::seed_from_u64(20_261_105);
        let mut covered = 0;
        for _ in 0..TRIALS {
            let slow: Vec<f64> = (0..blocks).map(|_| truth * skewed_launch(&mut random)).collect();
            let fast: Vec<f64> = (0..blocks).map(|_| skewed_launch(&mut random)).collect();
            let result = RatioEstimate::from_pairs(&slow, &fast, 0.95).unwrap();
            covered += u32::from(result.interval().contains(truth));
        }
        let coverage = f64::from(covered) / f64::from(TRIALS);
        assert!((0.93..=0.97).contains(&coverage), "{blocks} blocks: {coverage}");
    }
}
