//! The names of published runs: a machine and a day.

use std::fmt;
use std::str::FromStr;

/// Directories beside the published machines.
const TAKEN: [&str; 4] = ["baseline", "latest", "seed", "facts"];
/// The longest name of a machine.
const LONGEST: usize = 40;

/// A name for a machine, safe as a directory's on every system: small letters, digits and hyphens, at
/// most 40, no hyphen first.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct HostName(String);

impl HostName {
    /// The name.
    #[must_use]
    pub fn as_str(&self) -> &str {
        &self.0
    }
}

impl fmt::Display for HostName {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(&self.0)
    }
}

impl FromStr for HostName {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, Self::Err> {
        let is_name = (1..=LONGEST).contains(&text.len())
            && !text.starts_with('-')
            && text.bytes().all(|it| matches!(it, b'a'..=b'z' | b'0'..=b'9' | b'-'));
        if !is_name {
            Err(format!(
                "`{text}` is not a name for a machine: it must be 1 to {LONGEST} of a-z, 0-9 and \
                 `-`, and not begin with `-`"
            ))
        } else if TAKEN.contains(&text) {
            Err(format!("`{text}` is taken: results/ has {} for other things", TAKEN.join(", ")))
        } else {
            Ok(Self(text.to_owned()))
        }
    }
}

/// Seconds of a day, leap seconds not counted, as in Unix time.
const SECONDS: u64 = 24 * 60 * 60;
/// The last second of the year 9999: later days have no name of ten characters.
pub const LAST_SECOND: u64 = 253_402_300_799;

/// A day of the Gregorian calendar in UTC from 1970 to 9999, written `2026-11-30` (ISO 8601).
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Day {
    since_1970: u64,
}

impl Day {
    /// The day on which `seconds` after 1970-01-01 00:00 UTC fall; of moments after the year 9999 its
    /// last day.
    ///
    /// ```
    /// use records::names::Day;
    /// assert_eq!(Day::of_unix(1_796_077_305).to_string(), "2026-11-30");
    /// ```
    #[must_use]
    pub fn of_unix(seconds: u64) -> Self {
        Self { since_1970: seconds.min(LAST_SECOND) / SECONDS }
    }
}

impl fmt::Display for Day {
    /// The years are taken to begin on 1 March, so that a leap day is the last of its year, and are
    /// counted in eras of 400 years, after which the calendar repeats (H. Hinnant, "chrono-Compatible
    /// Low-Level Date Algorithms", 2013, `civil_from_days`).
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        const ERA: u64 = 146_097;
        // From 0000-03-01 to 1970-01-01.
        let days = self.since_1970 + 719_468;
        let (era, day_of_era) = (days / ERA, days % ERA);
        // Every 4th year has a day more, except every 100th, except every 400th.
        let leap_days = day_of_era / 1_460 - day_of_era / 36_524 + day_of_era / (ERA - 1);
        let year_of_era = (day_of_era - leap_days) / 365;
        let day_of_year = day_of_era - (365 * year_of_era + year_of_era / 4 - year_of_era / 100);
        // From March on, five months have 153 days, again and again.
        let month_from_march = (5 * day_of_year + 2) / 153;
        let day = day_of_year - (153 * month_from_march + 2) / 5 + 1;
        let month = if month_from_march < 10 { month_from_march + 3 } else { month_from_march - 9 };
        let year = era * 400 + year_of_era + u64::from(month <= 2);
        write!(f, "{year:04}-{month:02}-{day:02}")
    }
}

impl FromStr for Day {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, Self::Err> {
        // The names of days are in the order of the days.
        let (mut low, mut high) = (0, LAST_SECOND / SECONDS);
        while low < high {
            let since_1970 = u64::midpoint(low, high);
            let is_before = Self { since_1970 }.to_string().as_str() < text;
            if is_before { low = since_1970 + 1 } else { high = since_1970 }
        }
        Some(Self { since_1970: low }).filter(|day| day.to_string() == text).ok_or_else(|| {
            format!("`{text}` is not a day: it must be one from 1970 to 9999 like 2026-11-30")
        })
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    #[test]
    fn names_of_machines_are_safe_as_directories() {
        for good in ["xeon-vm", "0", &"a".repeat(40)] {
            assert_eq!(good.parse::<HostName>().unwrap().as_str(), good);
        }
        for bad in ["", "-a", "A", "a_b", "..", "a/b", "ä", &"a".repeat(41)] {
            assert!(bad.parse::<HostName>().unwrap_err().contains("1 to 40"), "{bad}");
        }
        assert!("latest".parse::<HostName>().unwrap_err().contains("taken"));
    }

    #[test]
    fn days_of_known_moments() {
        for (seconds, day) in [
            (86_399, "1970-01-01"),
            (86_400, "1970-01-02"),
            // Leap days, also of a year that 400 divides, and what follows them.
            (951_782_400, "2000-02-29"),
            (951_868_800, "2000-03-01"),
            (1_709_164_800, "2024-02-29"),
            (4_107_542_400, "2100-03-01"),
            (LAST_SECOND, "9999-12-31"),
            (u64::MAX, "9999-12-31"),
        ] {
            assert_eq!(Day::of_unix(seconds).to_string(), day, "{seconds}");
        }
        for bad in ["2023-02-29", "2026-13-01", "2026-00-01", "2026-1-01", "+026-01-01", "", "x"] {
            assert!(bad.parse::<Day>().unwrap_err().contains("2026-11-30"), "{bad}");
        }
    }

    proptest! {
        #[test]
        fn days_have_the_order_of_their_names_and_are_read_back(seconds in 0..LAST_SECOND) {
            let (today, tomorrow) = (Day::of_unix(seconds), Day::of_unix(seconds + SECONDS));
            prop_assert!(today.to_string() <= tomorrow.to_string());
            prop_assert_eq!(today.to_string().parse(), Ok(today));
        }
    }
}
