//! Where ticks stand, and labels that do not overlap.

use std::ops::Range;

/// The ticks of `candidates` within `range` that stand at least `apart` pixels from each other on a
/// logarithmic axis of `length` pixels: the first candidate that is within always, others in the order
/// given.
pub(super) fn ticks(candidates: &[f64], range: &Range<f64>, length: f64, apart: f64) -> Vec<f64> {
    let scale = length / (range.end / range.start).ln();
    let mut chosen: Vec<f64> = Vec::new();
    for tick in candidates.iter().copied().filter(|tick| range.contains(tick)) {
        if chosen.iter().all(|other| ((tick / other).ln() * scale).abs() >= apart) {
            chosen.push(tick);
        }
    }
    chosen.sort_by(f64::total_cmp);
    chosen
}

/// Ratios that are good to read, the most important first.
pub(crate) const RATIOS: [f64; 27] = [
    1.0, 1.1, 1.5, 2.0, 0.5, 1.2, 1.3, 1.05, 0.9, 3.0, 5.0, 10.0, 0.8, 0.95, 1.02, 0.98, 1.4, 0.7,
    1.01, 0.99, 0.2, 0.1, 4.0, 7.0, 20.0, 50.0, 100.0,
];

/// Round times, the roundest first.
pub(crate) fn round_numbers() -> Vec<f64> {
    let powers = (-1..10).map(|power| 10_f64.powi(power));
    let leading = [1.0, 5.0, 2.0, 3.0, 1.5, 7.0];
    leading.into_iter().flat_map(|digit| powers.clone().map(move |it| it * digit)).collect()
}

/// Moves labels, which want to stand at `wanted` in ascending order, to places that are `apart` and
/// within `range` where there is room for all: labels that touch share the way they are moved.
pub(super) fn spread(wanted: &[i32], apart: i32, range: &Range<i32>) -> Vec<i32> {
    // With the distance between neighbours taken off, places must not descend: the nearest such places
    // are found by joining neighbours that do (isotonic regression).
    let mut joined: Vec<(f64, u32)> = Vec::new();
    for (place, index) in wanted.iter().zip(0..) {
        joined.push((f64::from(place - index * apart), 1));
        while let [.., above, below] = joined[..]
            && above.0 > below.0
        {
            let count = above.1 + below.1;
            let sum = above.0 * f64::from(above.1) + below.0 * f64::from(below.1);
            joined.truncate(joined.len() - 2);
            joined.push((sum / f64::from(count), count));
        }
    }
    let places = joined.iter().flat_map(|(place, count)| (0..*count).map(|_| place.round() as i32));
    let last = i32::try_from(wanted.len()).unwrap_or(i32::MAX) - 1;
    let end = (range.end - last * apart).max(range.start);
    places.zip(0..).map(|(place, index)| place.clamp(range.start, end) + index * apart).collect()
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    #[test]
    fn ratios_near_one_and_far_from_it_have_ticks() {
        let shown = ticks(&RATIOS, &(0.98..1.52), 560.0, 36.0);
        assert_eq!(shown, [1.0, 1.05, 1.1, 1.2, 1.3, 1.4, 1.5]);
        let near = ticks(&RATIOS, &(0.985..1.05), 560.0, 36.0);
        assert_eq!(near, [0.99, 1.0, 1.01, 1.02]);
    }

    #[test]
    fn labels_that_touch_share_the_way() {
        assert_eq!(spread(&[10, 100, 100, 101, 200], 16, &(0..300)), [10, 84, 100, 116, 200]);
        assert_eq!(spread(&[0, 0], 16, &(0..300)), [0, 16]);
        assert_eq!(spread(&[300, 300], 16, &(0..300)), [284, 300]);
    }

    proptest! {
        #[test]
        fn labels_keep_apart(mut wanted in prop::collection::vec(0..300_i32, 1..12)) {
            wanted.sort_unstable();
            let placed = spread(&wanted, 16, &(0..300));
            prop_assert!(placed.iter().all(|place| (0..=300).contains(place)));
            prop_assert!(placed.windows(2).all(|pair| pair[1] - pair[0] >= 16));
        }
    }
}
