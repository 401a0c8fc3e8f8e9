//! Numbers as text: the only place that knows how many digits a number has and what its unit is.

/// What stands for a number that is not there.
pub const ABSENT: &str = "-";

/// The units of times, the smallest first: how many nanoseconds each has, and its name.
pub const TIMES: [(f64, &str); 4] = [(1.0, "ns"), (1e3, "μs"), (1e6, "ms"), (1e9, "s")];

/// A time in the unit that suits it, with four significant digits: `123.4 ns`, `1.234 μs`.
///
/// ```
/// use report::units::time;
/// assert_eq!(time(98.76), "98.76 ns");
/// assert_eq!(time(123_456.0), "123.5 μs");
/// assert_eq!(time(0.5), "0.500 ns");
/// ```
#[must_use]
pub fn time(nanoseconds: f64) -> String {
    time_like(nanoseconds, nanoseconds)
}

/// A time in the unit and with the decimals that suit `model`: an error beside its mean.
///
/// ```
/// use report::units::time_like;
/// assert_eq!(time_like(12.3, 1234.5), "0.012 μs");
/// ```
#[must_use]
pub fn time_like(nanoseconds: f64, model: f64) -> String {
    // The largest unit of which the model, as it would be rounded, holds one.
    let suits = |(scale, _): &&(f64, &str)| model.abs() >= scale * 0.9995;
    let (scale, unit) = TIMES.iter().rev().find(suits).unwrap_or(&TIMES[0]);
    let decimals = match (model / scale).abs() {
        whole if whole >= 99.995 => 1,
        whole if whole >= 9.9995 => 2,
        _ => 3,
    };
    format!("{:.decimals$} {unit}", nanoseconds / scale)
}

/// A round time without decimals that say nothing.
///
/// ```
/// use report::units::round_time;
/// assert_eq!(round_time(200.0), "200 ns");
/// assert_eq!(round_time(5000.0), "5 μs");
/// assert_eq!(round_time(0.1), "0.1 ns");
/// ```
#[must_use]
pub fn round_time(nanoseconds: f64) -> String {
    let text = time(nanoseconds);
    let (number, unit) = text.split_once(' ').unwrap_or((&text, ""));
    format!("{} {unit}", trimmed(number))
}

/// A part of 1 in percent, with at most two decimals or as many as show two digits.
///
/// ```
/// use report::units::percent;
/// assert_eq!(percent(0.95), "95 %");
/// assert_eq!(percent(0.005), "0.5 %");
/// assert_eq!(percent(0.1234), "12.34 %");
/// assert_eq!(percent(0.000_123), "0.012 %");
/// assert_eq!(percent(0.0), "0 %");
/// ```
#[must_use]
pub fn percent(part: f64) -> String {
    let percent = part * 100.0;
    // No more digits than a number has.
    let mut decimals = 2;
    while decimals < 20 && percent > 0.0 && percent * 10_f64.powi(decimals) < 9.5 {
        decimals += 1;
    }
    format!("{} %", trimmed(&format!("{percent:.*}", usize::try_from(decimals).unwrap_or(2))))
}

/// A spread in percent, with one decimal: more is not known of it.
#[must_use]
pub fn luck(part: f64) -> String {
    format!("{:.1} %", part * 100.0)
}

/// What a ratio adds or takes away: `+1.6 %`.
///
/// ```
/// assert_eq!(report::units::change(0.984), "-1.6 %");
/// ```
#[must_use]
pub fn change(ratio: f64) -> String {
    format!("{:+.1} %", (ratio - 1.0) * 100.0)
}

/// A size in bytes, with the binary unit that divides it: `10 MiB`, `1000001 B`.
///
/// ```
/// use report::units::bytes;
/// assert_eq!(bytes(10 << 20), "10 MiB");
/// assert_eq!(bytes(1_000_001), "1000001 B");
/// ```
#[must_use]
pub fn bytes(size: usize) -> String {
    for (shift, unit) in [(30, "GiB"), (20, "MiB"), (10, "KiB")] {
        if size >= 1 << shift && size.trailing_zeros() >= shift {
            return format!("{} {unit}", size >> shift);
        }
    }
    format!("{size} B")
}

/// A ratio with three decimals.
#[must_use]
pub fn ratio(value: f64) -> String {
    format!("{value:.3}")
}

/// An interval of ratios: `0.993–1.012`.
#[must_use]
pub fn interval(low: f64, high: f64) -> String {
    format!("{low:.3}–{high:.3}")
}

/// A count: whole where it is, otherwise with two decimals.
///
/// ```
/// use report::units::count;
/// assert_eq!(count(3994.0 + 1.0 / 3.0), "3994.33");
/// assert_eq!(count(-0.001), "0");
/// ```
#[must_use]
pub fn count(value: f64) -> String {
    unsigned_zero(trimmed(&format!("{value:.2}")))
}

/// A quotient of counts, with one decimal.
#[must_use]
pub fn tenths(value: f64) -> String {
    match format!("{value:.1}") {
        zero if zero == "-0.0" => "0.0".to_owned(),
        text => text,
    }
}

/// `low to high` over all `values`, or one text where both look the same; nothing without values.
///
/// ```
/// use report::units::{range, tenths};
/// assert_eq!(range([25.2, 25.0], tenths).as_deref(), Some("25.0 to 25.2"));
/// assert_eq!(range([25.0, 25.04], tenths).as_deref(), Some("25.0"));
/// ```
#[must_use]
pub fn range(
    values: impl IntoIterator<Item = f64>,
    text: impl Fn(f64) -> String,
) -> Option<String> {
    let (low, high) = extent(values)?;
    let (low, high) = (text(low), text(high));
    Some(if low == high { low } else { format!("{low} to {high}") })
}

/// The lowest and the highest of `values`.
#[must_use]
pub fn extent(values: impl IntoIterator<Item = f64>) -> Option<(f64, f64)> {
    let wider = |(low, high): (f64, f64), (one, other): (f64, f64)| (low.min(one), high.max(other));
    values.into_iter().map(|value| (value, value)).reduce(wider)
}

/// A number of things with their noun, in the plural unless it is one.
///
/// ```
/// use report::units::counted;
/// assert_eq!(counted(1, "launch", "launches"), "1 launch");
/// assert_eq!(counted(2, "launch", "launches"), "2 launches");
/// ```
#[must_use]
pub fn counted(count: usize, one: &str, many: &str) -> String {
    format!("{count} {}", if count == 1 { one } else { many })
}

/// A duration for a person: `8 s`, `2 min 5 s`.
///
/// ```
/// use std::time::Duration;
/// use report::units::duration;
/// assert_eq!(duration(Duration::from_secs(125)), "2 min 5 s");
/// ```
#[must_use]
pub fn duration(duration: std::time::Duration) -> String {
    let seconds = duration.as_secs_f64().round() as u64;
    if seconds < 60 {
        format!("{seconds} s")
    } else {
        format!("{} min {} s", seconds / 60, seconds % 60)
    }
}

/// `text` of `value`, or what stands for a number that is not there.
#[must_use]
pub fn or_absent(value: Option<f64>, text: impl Fn(f64) -> String) -> String {
    value.map_or_else(|| ABSENT.to_owned(), text)
}

/// Words in a list: `a`, `a and b`, `a, b and c`.
///
/// ```
/// assert_eq!(report::units::listed(&["a", "b", "c"]), "a, b and c");
/// ```
#[must_use]
pub fn listed(words: &[impl AsRef<str>]) -> String {
    let words: Vec<&str> = words.iter().map(AsRef::as_ref).collect();
    match words.as_slice() {
        [] => String::new(),
        [one] => (*one).to_owned(),
        [first @ .., last] => format!("{} and {last}", first.join(", ")),
    }
}

/// Decimals without the zeros at their end.
fn trimmed(decimals: &str) -> String {
    decimals.trim_end_matches('0').trim_end_matches('.').to_owned()
}

fn unsigned_zero(text: String) -> String {
    if text == "-0" { "0".to_owned() } else { text }
}
