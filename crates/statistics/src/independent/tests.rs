//! Worked examples, properties and seeded checks of coverage.

use proptest::prelude::*;

use super::*;
use crate::noise::Random;

fn close(a: f64, b: f64) -> bool {
    (a / b - 1.0).abs() < 1e-11
}

/// Permeability of the human chorioamnion at term and at 12 to 26 weeks (Hollander and Wolfe, example
/// 4.1): published rank-sum statistic W = 30, which is 15 pairs of 50 in the rarer order, two-sided
/// p-value 0.254, estimate of the shift -0.305.
#[test]
fn a_published_example() {
    let term = [0.80_f64, 0.83, 1.89, 1.04, 1.45, 1.38, 1.91, 1.64, 0.73, 1.46];
    let early = [1.15_f64, 0.88, 0.90, 0.74, 1.21];
    let result = between_runs(&early.map(f64::exp), &term.map(f64::exp), 0.95).unwrap();
    assert!((result.p_value - 0.254).abs() < 0.001, "{}", result.p_value);
    assert!((result.estimate.ln() + 0.305).abs() < 1e-9, "{}", result.estimate.ln());
    assert!(result.interval().contains(1.0), "{result:?}");
}

#[test]
fn refusals_name_the_reason() {
    let some = [1.0; 8];
    assert_eq!(between_runs(&[], &some, 0.95), Err(StatsError::Empty));
    assert_eq!(
        between_runs(&some, &[1.0, -2.0], 0.95),
        Err(StatsError::InvalidValue { index: 1, value: -2.0 })
    );
    assert_eq!(between_runs(&some, &some, 1.0), Err(StatsError::InvalidConfidence(1.0)));
    assert_eq!(
        between_runs(&some[..3], &some[..3], 0.95),
        Err(StatsError::TooFewBlocks { got: 3, needed: 4, confidence: 0.95 })
    );
    assert!(between_runs(&some[..4], &some[..4], 0.95).is_ok());
    let many = vec![1.0; MOST_BLOCKS + 1];
    let refused = StatsError::TooManyBlocks { got: MOST_BLOCKS + 1, most: MOST_BLOCKS };
    assert_eq!(between_runs(&some, &many, 0.95), Err(refused));
    assert_eq!(between_runs(&[1e300; 8], &[1e-300; 8], 0.95), Err(StatsError::OutOfRange));
}

#[test]
fn equal_launches_are_exactly_one_and_no_evidence() {
    let result = between_runs(&[5.0; 9], &[5.0; 30], 0.95).unwrap();
    let all_one = [result.estimate, result.low, result.high, result.p_value];
    assert!(all_one.iter().all(|value| (value - 1.0).abs() <= 0.0), "{result:?}");
}

#[test]
fn a_ratio_of_ratios_by_hand() {
    // symmetric, 1 % each: sqrt 2 % around the quotient
    let about = |estimate: f64| {
        (estimate, Interval { low: estimate / 0.01_f64.exp(), high: estimate * 0.01_f64.exp() })
    };
    let result = ratio_of_ratios(about(1.05), about(1.05), 0.95).unwrap();
    assert!((result.high.ln() - 0.01 * 2.0_f64.sqrt()).abs() < 1e-12, "{result:?}");
    assert!((result.p_value - 1.0).abs() <= 0.0, "{result:?}");
    // as far from 1 as the interval reaches: the p-value is the error rate
    let edge = (0.01 * 2.0_f64.sqrt()).exp();
    let result = ratio_of_ratios(about(edge), about(1.0), 0.95).unwrap();
    assert!(close(result.low, 1.0) && (result.p_value - 0.05).abs() < 1e-9, "{result:?}");
    let bad = (2.0, Interval { low: 0.9, high: 1.1 });
    assert_eq!(
        ratio_of_ratios(about(1.0), bad, 0.95),
        Err(StatsError::InvalidEstimate { index: 1 })
    );
    let exact = (1.5, Interval { low: 1.5, high: 1.5 });
    let result = ratio_of_ratios(exact, exact, 0.95).unwrap();
    assert!((result.p_value - 1.0).abs() <= 0.0 && close(result.low, result.high), "{result:?}");
}

fn launches() -> impl Strategy<Value = Vec<f64>> {
    // a coarse grid, so that ties happen
    prop::collection::vec((900_u32..1100).prop_map(f64::from), 4..50)
}

proptest! {
    #[test]
    fn agrees_with_the_naive_twin(a in launches(), b in launches()) {
        let fast = between_runs(&a, &b, 0.95).unwrap();
        let mut all: Vec<f64> = a.iter().flat_map(|a| b.iter().map(move |b| (a / b).ln())).collect();
        all.sort_by(f64::total_cmp);
        let last = all.len() - 1;
        let critical = Null::rank_sum(a.len(), b.len()).critical(1.0 - 0.95).unwrap();
        let expected = f64::midpoint(all[last / 2], all[all.len() / 2]);
        prop_assert!(close(fast.estimate, expected.exp()));
        prop_assert!(close(fast.low, all[critical].exp()) && close(fast.high, all[last - critical].exp()));
    }

    #[test]
    fn swapping_inverts(a in launches(), b in launches()) {
        let one = between_runs(&a, &b, 0.95).unwrap();
        let other = between_runs(&b, &a, 0.95).unwrap();
        prop_assert!(close(one.estimate, 1.0 / other.estimate));
        prop_assert!(close(one.low, 1.0 / other.high) && close(one.high, 1.0 / other.low));
        prop_assert_eq!(one.p_value.to_bits(), other.p_value.to_bits());
    }

    #[test]
    fn interval_and_p_value_tell_the_same(a in launches(), b in launches(), shift in 0.9_f64..1.1, confidence in 0.1_f64..0.95) {
        let moved: Vec<f64> = a.iter().map(|value| value * shift).collect();
        let result = between_runs(&moved, &b, confidence).unwrap();
        prop_assert!(result.interval().contains(result.estimate));
        prop_assert_eq!(!result.interval().contains(1.0), result.p_value <= 1.0 - confidence, "{:?}", result);
    }

    #[test]
    fn ratios_of_ratios_exclude_one_when_they_are_that_rare(
        (one, two) in (0.5_f64..2.0, 0.5_f64..2.0),
        reach in prop::array::uniform4(1.0_f64..1.5),
    ) {
        let first = (one, Interval { low: one / reach[0], high: one * reach[1] });
        let second = (two, Interval { low: two / reach[2], high: two * reach[3] });
        let result = ratio_of_ratios(first, second, 0.95).unwrap();
        // Away from the edge itself, which rounding decides.
        if (result.p_value - 0.05).abs() > 1e-9 {
            prop_assert_eq!(!result.interval().contains(1.0), result.p_value < 0.05, "{:?}", result);
        }
    }
}

/// Nominal under skewed noise; what the documentation says of runs that scatter differently.
#[test]
fn coverage_is_the_documented_one() {
    const TRIALS: u32 = 2_000;
    let truth = 1.02;
    for (sizes, scales, expected) in [
        ([10, 10], [0.02, 0.02], 0.955),
        ([10, 30], [0.02, 0.02], 0.95),
        ([30, 30], [0.02, 0.02], 0.95),
        ([45, 30], [0.02, 0.02], 0.95),
        ([30, 30], [0.02, 0.04], 0.93),
        ([20, 60], [0.02, 0.04], 0.96),
        ([20, 60], [0.04, 0.02], 0.89),
    ] {
        let mut random = Random::seeded(20_261_130);
        let test = Null::rank_sum(sizes[0], sizes[1]);
        let mut covered = 0;
        for _ in 0..TRIALS {
            let [slow, fast] = [(0, truth), (1, 1.0)].map(|(run, factor)| {
                let launch = |_| random.launch(scales[run], 0.03).exp() * factor;
                (0..sizes[run]).map(launch).collect::<Vec<f64>>()
            });
            let result = compare(&test, &slow, &fast, 0.95).unwrap();
            covered += u32::from(result.interval().contains(truth));
        }
        let covered = f64::from(covered) / f64::from(TRIALS);
        assert!((covered - expected).abs() < 0.015, "{sizes:?}, {scales:?}: {covered}");
    }
}
