//! Days of the calendar: the names of published runs.

use std::fmt;
use std::str::FromStr;

/// Seconds of a day, leap seconds not counted, as in Unix time.
const DAY: u64 = 24 * 60 * 60;
/// The last second of the year 9999: later days have no name of ten characters.
pub const LAST_SECOND: u64 = 253_402_300_799;

/// A day of the Gregorian calendar in UTC, written `2026-11-30` (ISO 8601).
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Day {
    year: u64,
    month: u64,
    of_month: u64,
}

impl Day {
    /// The day on which `seconds` after 1970-01-01 00:00 UTC fall; of moments after the year 9999 its
    /// last day.
    ///
    /// The years are taken to begin on 1 March, so that a leap day is the last of its year, and are
    /// counted in eras of 400 years, after which the calendar repeats (H. Hinnant, "chrono-Compatible
    /// Low-Level Date Algorithms", 2013, `civil_from_days`).
    ///
    /// ```
    /// use records::day::Day;
    /// assert_eq!(Day::of_unix(1_796_077_305).to_string(), "2026-11-30");
    /// ```
    #[must_use]
    pub fn of_unix(seconds: u64) -> Self {
        const ERA: u64 = 146_097;
        // From 0000-03-01 to 1970-01-01.
        let days = seconds.min(LAST_SECOND) / DAY + 719_468;
        let (era, day_of_era) = (days / ERA, days % ERA);
        // Every 4th year has a day more, but for every 100th, but for every 400th.
        let leap_days = day_of_era / 1_460 - day_of_era / 36_524 + day_of_era / (ERA - 1);
        let year_of_era = (day_of_era - leap_days) / 365;
        let day_of_year = day_of_era - (365 * year_of_era + year_of_era / 4 - year_of_era / 100);
        // From March on, five months have 153 days, again and again.
        let month_from_march = (5 * day_of_year + 2) / 153;
        let of_month = day_of_year - (153 * month_from_march + 2) / 5 + 1;
        let month = if month_from_march < 10 { month_from_march + 3 } else { month_from_march - 9 };
        let year = era * 400 + year_of_era + u64::from(month <= 2);
        Self { year, month, of_month }
    }
}

const fn length(year: u64, month: u64) -> u64 {
    match month {
        4 | 6 | 9 | 11 => 30,
        2 if year.is_multiple_of(4) && (!year.is_multiple_of(100) || year.is_multiple_of(400)) => {
            29
        }
        2 => 28,
        _ => 31,
    }
}

impl fmt::Display for Day {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { year, month, of_month } = self;
        write!(f, "{year:04}-{month:02}-{of_month:02}")
    }
}

impl FromStr for Day {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, Self::Err> {
        let digits = |part: &str, length: usize| {
            let is_number = part.len() == length && part.bytes().all(|it| it.is_ascii_digit());
            part.parse::<u64>().ok().filter(|_| is_number)
        };
        let parse = || {
            let (year, rest) = text.split_once('-')?;
            let (month, day) = rest.split_once('-')?;
            let [year, month] = [digits(year, 4)?, digits(month, 2)?];
            let day = Self { year, month, of_month: digits(day, 2)? };
            let is_day = (1..=12).contains(&day.month)
                && (1..=length(day.year, day.month)).contains(&day.of_month);
            is_day.then_some(day)
        };
        parse().ok_or_else(|| format!("`{text}` is not a day: expected one like 2026-11-30"))
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    #[test]
    fn days_of_known_moments() {
        for (seconds, day) in [
            (0, "1970-01-01"),
            (86_399, "1970-01-01"),
            (86_400, "1970-01-02"),
            // leap days, also of a year that 400 divides, and what follows them
            (951_782_400, "2000-02-29"),
            (951_868_800, "2000-03-01"),
            (1_709_164_800, "2024-02-29"),
            (4_107_542_400, "2100-03-01"),
            (LAST_SECOND, "9999-12-31"),
            (u64::MAX, "9999-12-31"),
        ] {
            assert_eq!(Day::of_unix(seconds).to_string(), day, "{seconds}");
        }
    }

    #[test]
    fn only_days_are_read() {
        assert_eq!("2024-02-29".parse::<Day>().unwrap().to_string(), "2024-02-29");
        for bad in
            ["2023-02-29", "2026-13-01", "2026-00-01", "2026-1-01", "26-01-01", "+026-01-01", ""]
        {
            assert!(bad.parse::<Day>().unwrap_err().contains("2026-11-30"), "{bad}");
        }
    }

    proptest! {
        #[test]
        fn a_day_follows_the_one_before(days in 0..2_932_895_u64) {
            let (today, tomorrow) = (Day::of_unix(days * DAY), Day::of_unix((days + 1) * DAY));
            let Day { year, month, of_month } = today;
            let next = if of_month < length(year, month) {
                Day { of_month: of_month + 1, ..today }
            } else if month < 12 {
                Day { month: month + 1, of_month: 1, ..today }
            } else {
                Day { year: year + 1, month: 1, of_month: 1 }
            };
            prop_assert_eq!(tomorrow, next);
            prop_assert_eq!(today.to_string().parse::<Day>().unwrap(), today);
        }
    }
}
