//! Numbers as they stand in the page: with the digits that its tables show and no more, because there
//! are many.

use serde_json::Value;

/// Nanoseconds with the digits that suit `model`, of which four are shown; absent where it is not a
/// number.
///
/// ```
/// use report::page::numbers::time;
/// assert_eq!(time(123.456, 123.456).to_string(), "123.5");
/// assert_eq!(time(2.3456, 123.456).to_string(), "2.3");
/// assert_eq!(time(18_674.3, 18_674.3).to_string(), "18670");
/// ```
#[must_use]
pub fn time(nanoseconds: f64, model: f64) -> Value {
    let magnitude = model.abs().max(f64::MIN_POSITIVE).log10().floor();
    // Below a nanosecond three decimals are shown.
    rounded(nanoseconds, 3 - magnitude.clamp(-9.0, 15.0) as i32)
}

/// A ratio in thousandths.
///
/// ```
/// use report::page::numbers::thousandths;
/// assert_eq!(thousandths(1.0617).to_string(), "1062");
/// ```
#[must_use]
pub fn thousandths(ratio: f64) -> Value {
    rounded(ratio * 1000.0, 0)
}

/// `value` with `decimals`, which may be negative; a whole number without a point.
///
/// ```
/// use report::page::numbers::rounded;
/// assert_eq!(rounded(2.0, 1).to_string(), "2");
/// assert_eq!(rounded(1.36, 1).to_string(), "1.4");
/// assert!(rounded(f64::NAN, 1).is_null());
/// ```
#[must_use]
pub fn rounded(value: f64, decimals: i32) -> Value {
    let scale = 10_f64.powi(decimals.abs());
    // Multiplying by a power below 1 would not give the shortest number.
    let rounded = if decimals < 0 {
        (value / scale).round() * scale
    } else {
        (value * scale).round() / scale
    };
    // 2^53: up to here every whole number has its own value.
    if rounded.fract() == 0.0 && rounded.abs() < 9_007_199_254_740_992.0 {
        Value::from(rounded as i64)
    } else {
        Value::from(rounded)
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    proptest! {
        #[test]
        fn times_keep_four_digits(nanoseconds in 0.001..1e12_f64) {
            let kept = time(nanoseconds, nanoseconds).as_f64().unwrap();
            prop_assert!((kept / nanoseconds - 1.0).abs() <= 0.000_501, "{}", kept);
            prop_assert!(time(nanoseconds, nanoseconds).to_string().len() <= 13);
        }

        #[test]
        fn any_number_is_a_number_or_absent(value: f64, model: f64) {
            let kept = time(value, model);
            // Close to the largest number there is, rounding may leave the range.
            let is_sure = value.abs() < 1e290;
            prop_assert!(kept.is_number() || (kept.is_null() && !is_sure), "{}", kept);
        }
    }
}
