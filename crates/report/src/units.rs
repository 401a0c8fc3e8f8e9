//! Numbers as text.

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
    const UNITS: [(f64, &str); 4] = [(1.0, "ns"), (1e3, "μs"), (1e6, "ms"), (1e9, "s")];
    // The largest unit of which the model, as it would be rounded, holds one.
    let suits = |(scale, _): &&(f64, &str)| model.abs() >= scale * 0.9995;
    let (scale, unit) = UNITS.iter().rev().find(suits).unwrap_or(&UNITS[0]);
    let whole = (model / scale).abs();
    let decimals = match whole {
        w if w >= 99.995 => 1,
        w if w >= 9.9995 => 2,
        _ => 3,
    };
    format!("{:.decimals$} {unit}", nanoseconds / scale)
}

/// A small part of 1 in percent, with two decimals or as many as show two digits: `0.50 %`.
///
/// ```
/// use report::units::percent;
/// assert_eq!(percent(0.005), "0.50 %");
/// assert_eq!(percent(0.1234), "12.34 %");
/// assert_eq!(percent(0.000_01), "0.0010 %");
/// assert_eq!(percent(0.000_123), "0.012 %");
/// assert_eq!(percent(0.0), "0.00 %");
/// ```
#[must_use]
pub fn percent(part: f64) -> String {
    let percent = part * 100.0;
    // No more digits than a number has.
    let mut decimals = 2;
    while decimals < 20 && percent > 0.0 && percent * 10_f64.powi(decimals) < 9.5 {
        decimals += 1;
    }
    format!("{percent:.*} %", usize::try_from(decimals).unwrap_or(2))
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

/// A count with its noun, in the plural unless it is one.
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
    let seconds = (duration.as_secs_f64().round()) as u64;
    if seconds < 60 {
        format!("{seconds} s")
    } else {
        format!("{} min {} s", seconds / 60, seconds % 60)
    }
}
