//! Which of many measured differences are real.

use std::fmt;

use serde::{Deserialize, Serialize};

use super::checks::{error_rate, is_positive, real};
use super::{Interval, RatioEstimate, StatsError};

/// What may be said about the numerator of a ratio.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Verdict {
    /// It takes less time than the denominator.
    Faster,
    /// It takes more time than the denominator.
    Slower,
    /// Neither was shown. That is not a proof of equality: the interval says which differences are
    /// still possible.
    NoDifferenceFound,
    /// Nothing is claimed: one of the two was measured in one build, and another build may say the
    /// opposite. No rule here gives it; who knows how a ratio was measured does.
    Withheld,
}

impl fmt::Display for Verdict {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(match self {
            Self::Faster => "faster",
            Self::Slower => "slower",
            Self::NoDifferenceFound => "no-difference-found",
            Self::Withheld => "withheld",
        })
    }
}

/// One of the differences that are judged together.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Difference {
    /// The ratio of the two backends.
    pub estimate: RatioEstimate,
    /// Noise floor: the interval of the A/A twin of the same workload, if there was one.
    pub floor: Option<Interval>,
}

/// Judges a family of comparisons together; verdicts come in the order of `family`.
///
/// The family is everything a reader sees in one report. A/A twins do not belong to it: they are
/// known to be equal, and would only make the others' test stricter.
///
/// # Rules
/// A numerator is [`Faster`](Verdict::Faster) or [`Slower`](Verdict::Slower) only if all of these
/// hold, otherwise it is [`NoDifferenceFound`](Verdict::NoDifferenceFound):
/// 1. Its p-value survives the procedure of Benjamini and Hochberg at a false discovery rate of
///    `1 - confidence`: of all differences claimed, at most that part is expected to be none. With
///    168 comparisons and no correction, 8 would be claimed at 95 % where nothing differs. Source:
///    Y. Benjamini, Y. Hochberg, "Controlling the false discovery rate", *Journal of the Royal
///    Statistical Society B* 57 (1995) 289-300.
/// 2. Its interval does not cover 1. Rule 1 implies that when the interval has the same
///    `confidence` (an adjusted p-value is never smaller than the plain one); an interval of higher
///    confidence is respected.
/// 3. Its estimate lies outside the noise floor, made symmetric about 1
///    ([`Interval::symmetric_about_one`]). A twin that is 2 % slower than its equal shows that this
///    workload has a bias of that size on this machine, and no number of launches tells it from a
///    difference of the same size. An interval that lies within the floor is ruled out by this,
///    too. To ask only that some part of the interval sticks out would claim half of all equal
///    pairs under such a bias. The price: a floor is measured with noise, too, so that some real
///    differences of its size are missed.
///
/// # Dependence
/// The comparisons of one workload share the launches of the control. For that, positive regression
/// dependency, the rate is proven to hold, with "comparisons of many treatments with a single
/// control" as an example (Y. Benjamini, D. Yekutieli, "The control of the false discovery rate in
/// multiple testing under dependency", *Annals of Statistics* 29 (2001) 1165-1188). The proof is
/// for one-sided tests and these are two-sided, so a test simulates a family of this shape.
///
/// # Why not Holm
/// Holm's procedure (S. Holm, "A simple sequentially rejective multiple test procedure",
/// *Scandinavian Journal of Statistics* 6 (1979) 65-70) keeps the chance of even one false claim
/// below `1 - confidence`, and pays with power. A table of 168 rows is read as a whole: a known small
/// part of false claims is acceptable there, missing two differences in five is not.
///
/// # Errors
/// [`StatsError::InvalidConfidence`] outside (0, 1), [`StatsError::InvalidEstimate`] for a
/// p-value outside [0, 1] or bounds that are not finite, above zero and in order around the
/// estimate.
///
/// ```
/// use statistics::{Difference, RatioEstimate, Verdict, verdicts};
///
/// let noise: Vec<f64> = (0..30).map(|block| f64::from(block * 7 % 11 - 5) * 1e-3).collect();
/// let slower: Vec<f64> = noise.iter().map(|log| log + 0.03).collect();
/// let compare = |logs: &[f64]| {
///     Ok(Difference { estimate: RatioEstimate::from_log_ratios(logs, 0.95)?, floor: None })
/// };
/// let found = verdicts(&[compare(&slower)?, compare(&noise)?], 0.95)?;
/// assert_eq!(found, [Verdict::Slower, Verdict::NoDifferenceFound]);
/// # Ok::<(), statistics::StatsError>(())
/// ```
pub fn verdicts(family: &[Difference], confidence: f64) -> Result<Vec<Verdict>, StatsError> {
    let rate = error_rate(confidence)?;
    if let Some(index) = family.iter().position(|comparison| !is_possible(comparison)) {
        return Err(StatsError::InvalidEstimate { index });
    }
    let p_values: Vec<f64> = family.iter().map(|comparison| comparison.estimate.p_value).collect();
    let adjusted = adjusted_p_values(&p_values);
    Ok(family.iter().zip(adjusted).map(|(comparison, p)| verdict(comparison, p <= rate)).collect())
}

/// Adjusts p-values for the number of comparisons, in their order: the smallest false discovery
/// rate at which Benjamini and Hochberg's procedure (see [`verdicts`]) would still claim that
/// difference.
///
/// Values are expected in [0, 1].
fn adjusted_p_values(p_values: &[f64]) -> Vec<f64> {
    let mut order: Vec<usize> = (0..p_values.len()).collect();
    order.sort_by(|&a, &b| p_values[a].total_cmp(&p_values[b]));
    let mut adjusted = p_values.to_vec();
    let mut smallest = 1.0_f64;
    for (below, &index) in order.iter().enumerate().rev() {
        // the quotient first: the largest value is then multiplied by exactly 1, and none becomes
        // smaller than it was
        smallest = smallest.min(p_values[index] * (real(order.len()) / real(below + 1)));
        adjusted[index] = smallest;
    }
    adjusted
}

fn is_possible(comparison: &Difference) -> bool {
    let sound = |it: Interval| is_positive(it.low) && is_positive(it.high) && it.low <= it.high;
    (0.0..=1.0).contains(&comparison.estimate.p_value)
        && sound(comparison.estimate.interval())
        && comparison.estimate.interval().contains(comparison.estimate.estimate)
        && comparison.floor.is_none_or(sound)
}

fn verdict(comparison: &Difference, survives: bool) -> Verdict {
    let interval = comparison.estimate.interval();
    let in_noise = comparison
        .floor
        .is_some_and(|floor| floor.symmetric_about_one().contains(comparison.estimate.estimate));
    if !survives || in_noise || interval.contains(1.0) {
        Verdict::NoDifferenceFound
    } else if interval.high < 1.0 {
        Verdict::Faster
    } else {
        Verdict::Slower
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;
    use crate::noise::Random;

    fn difference(low: f64, high: f64, p_value: f64) -> Difference {
        let (estimate, confidence, launches) = (f64::midpoint(low, high), 0.95, 30);
        let estimate = RatioEstimate { estimate, low, high, confidence, p_value, launches };
        Difference { estimate, floor: None }
    }

    fn alone(difference: Difference) -> Verdict {
        verdicts(&[difference], 0.95).unwrap()[0]
    }

    /// The 15 p-values of Benjamini and Hochberg (1995), section 3.2: at 5 % the four smallest are
    /// claimed.
    #[test]
    fn the_example_of_the_paper() {
        let p = [
            0.0001, 0.0004, 0.0019, 0.0095, 0.0201, 0.0278, 0.0298, 0.0344, 0.0459, 0.3240, 0.4262,
            0.5719, 0.6528, 0.7590, 1.0,
        ];
        let family: Vec<Difference> = p.iter().map(|&p| difference(1.01, 1.03, p)).collect();
        let found = verdicts(&family, 0.95).unwrap();
        assert_eq!(found.iter().filter(|&&it| it == Verdict::Slower).count(), 4);
    }

    #[test]
    fn the_side_of_the_interval_decides() {
        assert_eq!(alone(difference(0.95, 0.98, 0.001)), Verdict::Faster);
        assert_eq!(alone(difference(1.02, 1.05, 0.001)), Verdict::Slower);
        assert_eq!(alone(difference(0.99, 1.02, 0.3)), Verdict::NoDifferenceFound);
        // computed for a higher confidence than the family is judged at
        assert_eq!(alone(difference(0.99, 1.02, 0.001)), Verdict::NoDifferenceFound);
    }

    #[test]
    fn inside_the_floor_nothing_is_found_whichever_twin_was_slower() {
        let mut it = difference(1.01, 1.02, 0.0001);
        for (low, high, expected) in [
            (0.99, 1.012, Verdict::Slower),
            // the upper part of the interval sticks out, the estimate does not
            (0.99, 1.016, Verdict::NoDifferenceFound),
            (1.005, 1.03, Verdict::NoDifferenceFound),
            (0.97, 0.995, Verdict::NoDifferenceFound),
        ] {
            it.floor = Some(Interval { low, high });
            assert_eq!(alone(it), expected, "floor {low} to {high}");
        }
    }

    #[test]
    fn what_no_launches_can_give_is_refused() {
        let good = difference(1.01, 1.02, 0.1);
        let bad = [
            difference(1.0, 2.0, f64::NAN),
            difference(0.0, 2.0, 0.1),
            difference(2.0, 1.0, 0.1),
            Difference { floor: Some(Interval { low: 1.1, high: 1.0 }), ..good },
        ];
        for it in bad {
            let refused = Err(StatsError::InvalidEstimate { index: 1 });
            assert_eq!(verdicts(&[good, it], 0.95), refused);
        }
        assert_eq!(verdicts(&[], 0.95), Ok(vec![]));
        assert_eq!(verdicts(&[good], 1.0), Err(StatsError::InvalidConfidence(1.0)));
    }

    #[test]
    fn verdicts_have_stable_names() {
        use Verdict::{Faster, NoDifferenceFound, Slower, Withheld};
        let json = serde_json::to_string(&[Faster, Slower, NoDifferenceFound, Withheld]).unwrap();
        assert_eq!(json, r#"["faster","slower","no-difference-found","withheld"]"#);
    }

    /// Reports as they are: 24 workloads, seven backends that share the launches of their control,
    /// half of them 2 % slower, and a twin. The rate of false claims holds, and little is missed.
    #[test]
    fn the_rate_holds_where_backends_share_a_control() {
        let mut random = Random::seeded(20_261_130);
        let (mut right, mut wrong, mut real) = (0.0, 0.0, 0.0);
        for _ in 0..30 {
            let (mut family, mut differ) = (Vec::new(), Vec::new());
            for _ in 0..24 {
                let control: Vec<f64> = (0..30).map(|_| 0.0177 * random.normal()).collect();
                let mut against = |shift: f64| {
                    let logs = control.iter().map(|it| shift + 0.0177 * random.normal() - it);
                    RatioEstimate::from_log_ratios(&logs.collect::<Vec<_>>(), 0.95).unwrap()
                };
                let floor = Some(against(0.0).interval());
                for backend in 0..7 {
                    let is_slower = backend % 2 == 1;
                    let estimate = against(if is_slower { 0.02 } else { 0.0 });
                    family.push(Difference { estimate, floor });
                    differ.push(is_slower);
                }
            }
            for (verdict, differs) in verdicts(&family, 0.95).unwrap().into_iter().zip(differ) {
                let claimed = f64::from(u8::from(verdict != Verdict::NoDifferenceFound));
                real += f64::from(u8::from(differs));
                if differs { right += claimed } else { wrong += claimed }
            }
        }
        assert!(wrong / (right + wrong) < 0.05 && right / real > 0.8, "{wrong} {right} {real}");
    }

    proptest! {
        #[test]
        fn adjusting_never_lowers_and_keeps_the_order(p in prop::collection::vec(0.0_f64..=1.0, 0..60)) {
            let adjusted = adjusted_p_values(&p);
            for i in 0..p.len() {
                prop_assert!(adjusted[i] >= p[i] && adjusted[i] <= 1.0);
                for j in 0..p.len() {
                    prop_assert!(p[i] > p[j] || adjusted[i] <= adjusted[j]);
                }
            }
        }

        #[test]
        fn same_as_the_step_up_rule_of_the_paper(p in prop::collection::vec(0.0_f64..0.2, 1..60), rate in 0.01_f64..0.3) {
            let mut sorted = p.clone();
            sorted.sort_by(f64::total_cmp);
            let claimed = (1..=p.len()).rev().find(|&k| sorted[k - 1] * (real(p.len()) / real(k)) <= rate).unwrap_or(0);
            prop_assert_eq!(adjusted_p_values(&p).iter().filter(|&&it| it <= rate).count(), claimed);
        }
    }
}
