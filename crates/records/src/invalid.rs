//! What is wrong with a value that was read, and where: shared by the checks of all files.

use std::fmt::Display;

use crate::names::Day;

/// The first thing that cannot be.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("{}: {}", harmless(field), harmless(problem))]
pub struct Invalid {
    /// The field's path, for example `cases[12].overhead.low`.
    pub field: String,
    /// The value and what is allowed.
    pub problem: String,
}

impl Invalid {
    /// `problem` at `field`.
    #[must_use]
    pub fn new(field: impl Into<String>, problem: impl Into<String>) -> Self {
        Self { field: field.into(), problem: problem.into() }
    }

    /// The same seen from outside: `outer` is the path of what holds the field.
    #[must_use]
    pub fn within(mut self, outer: impl Display) -> Self {
        self.field = format!("{outer}.{}", self.field);
        self
    }
}

/// `text` without anything that a terminal would obey: what is refused is shown on one.
pub(crate) fn harmless(text: impl Display) -> String {
    text.to_string().replace(char::is_control, "\u{fffd}")
}

/// Refuses what is not finite and above zero: a time, a ratio.
pub(crate) fn above_zero(field: &str, value: f64) -> Result<(), Invalid> {
    check(value.is_finite() && value > 0.0, field, value, "a finite number above 0")
}

/// Refuses what is not finite or below zero: an error, a count.
pub(crate) fn not_negative(field: &str, value: f64) -> Result<(), Invalid> {
    check(value.is_finite() && value >= 0.0, field, value, "a finite number that is not below 0")
}

/// [`not_negative`] for a number that may be absent.
pub(crate) fn not_negative_if_there(field: &str, value: Option<f64>) -> Result<(), Invalid> {
    value.map_or(Ok(()), |value| not_negative(field, value))
}

/// Refuses what is not strictly between 0 and 1.
pub(crate) fn confidence(field: &str, value: f64) -> Result<(), Invalid> {
    check(value > 0.0 && value < 1.0, field, value, "between 0 and 1, both excluded")
}

/// Refuses a count of which there is none.
pub(crate) fn at_least_one(field: &str, count: u64) -> Result<(), Invalid> {
    check(count >= 1, field, count, "at least 1")
}

/// Refuses a part that is larger than its whole.
pub(crate) fn at_most(field: &str, part: u64, whole: u64, of: &str) -> Result<(), Invalid> {
    check(part <= whole, field, part, &format!("at most {whole}, which is `{of}`"))
}

/// Refuses text that says nothing.
pub(crate) fn not_empty(field: &str, text: &str) -> Result<(), Invalid> {
    check(!text.trim().is_empty(), field, "an empty text", "a text that is not empty")
}

/// Refuses what does not look like `2026-11-30`.
pub(crate) fn a_day(field: &str, text: &str) -> Result<(), Invalid> {
    check(text.parse::<Day>().is_ok(), field, format!("`{text}`"), "a day such as 2026-11-30")
}

/// Refuses two bounds that are no interval of ratios.
pub(crate) fn bounds(low: f64, high: f64) -> Result<(), Invalid> {
    above_zero("low", low)?;
    above_zero("high", high)?;
    check(low <= high, "low", low, &format!("at most {high}, which is `high`"))
}

/// An error unless `holds`: the value and what it must be.
pub(crate) fn check(
    holds: bool,
    field: &str,
    value: impl Display,
    must_be: &str,
) -> Result<(), Invalid> {
    if holds { Ok(()) } else { Err(Invalid::new(field, format!("{value}: it must be {must_be}"))) }
}

/// Checks every item of a list; an error names its place in it.
pub(crate) fn each<'list, T>(
    list: &str,
    items: &'list [T],
    mut check: impl FnMut(&'list T) -> Result<(), Invalid>,
) -> Result<(), Invalid> {
    for (index, item) in items.iter().enumerate() {
        check(item).map_err(|invalid| invalid.within(format_args!("{list}[{index}]")))?;
    }
    Ok(())
}
