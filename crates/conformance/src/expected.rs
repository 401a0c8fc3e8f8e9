//! What is expected of a case, and how a backend declares that it does something else.

use std::collections::HashSet;
use std::fmt;

use write_backend::protocol::behaviour::Outcome;
use write_backend::{ErrorKind, Operation};

use crate::case::Case;

/// An expected outcome: an [`Outcome`] without what may change from machine to machine or from
/// version to version, such as a library's wording or the number of a signal.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Expectation {
    /// Done, with this detail.
    Done(&'static str),
    /// Refused by this call with this kind of error; then this was seen.
    Refused(Operation, ErrorKind, &'static str),
    /// Accepted though wrong, with this detail.
    Accepted(&'static str),
    /// A promise is broken, with this detail.
    Wrong(&'static str),
    /// A panic whose message holds this.
    Panics(&'static str),
    /// A crash during this step.
    Crashes(&'static str),
    /// A deadlock during this step.
    Deadlocks(&'static str),
}

impl Expectation {
    /// Whether `outcome` is the expected one; never for one that was not checked.
    pub(crate) fn matches(&self, outcome: &Outcome) -> bool {
        match (self, outcome) {
            (Self::Done(expected), Outcome::Done { detail })
            | (Self::Accepted(expected), Outcome::Accepted { detail })
            | (Self::Wrong(expected), Outcome::Wrong { detail }) => expected == detail,
            (Self::Refused(by, what, after), Outcome::Refused { operation, kind, then, .. }) => {
                by.to_string() == *operation && what.to_string() == *kind && after == then
            }
            (Self::Panics(expected), Outcome::Panicked { message, .. }) => {
                message.contains(expected)
            }
            (Self::Crashes(expected), Outcome::Crashed { step, .. })
            | (Self::Deadlocks(expected), Outcome::Deadlocked { step }) => expected == step,
            _ => false,
        }
    }
}

impl fmt::Display for Expectation {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let (what, more) = match self {
            Self::Done(detail) => ("done".to_owned(), detail),
            Self::Refused(operation, kind, then) => (format!("refused: {operation}: {kind}"), then),
            Self::Accepted(detail) => ("accepted though wrong".to_owned(), detail),
            Self::Wrong(detail) => ("WRONG".to_owned(), detail),
            Self::Panics(message) => ("panic".to_owned(), message),
            Self::Crashes(step) => ("crash during".to_owned(), step),
            Self::Deadlocks(step) => ("deadlock during".to_owned(), step),
        };
        if more.is_empty() { f.write_str(&what) } else { write!(f, "{what}: {more}") }
    }
}

/// What one backend does in one case, and why not what is usual.
#[derive(Debug, Clone, Copy)]
pub struct Difference {
    /// The case's name.
    pub case: &'static str,
    /// What is expected instead.
    pub expectation: Expectation,
    /// Why, and what it means for a user.
    pub why: Why,
}

/// The reason of one or several differences.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Why {
    /// Where it comes from, in one sentence.
    pub because: &'static str,
    /// What a user of the binding must know or do, in one sentence.
    pub for_the_user: &'static str,
}

impl Difference {
    /// In `case` the backend does `expectation`, because of `why`.
    #[must_use]
    pub const fn new(case: &'static str, expectation: Expectation, why: Why) -> Self {
        Self { case, expectation, why }
    }
}

/// Lists of differences as one constant list: those of an engine, and those of a binding over it.
#[macro_export]
macro_rules! together {
    ($($list:expr),+ $(,)?) => {{
        const LISTS: &[&[$crate::expected::Difference]] = &[$($list),+];
        &$crate::expected::joined::<{ $crate::expected::length(LISTS) }>(LISTS)
    }};
}

#[doc(hidden)]
#[must_use]
pub const fn length(lists: &[&[Difference]]) -> usize {
    let (mut list, mut length) = (0, 0);
    while list < lists.len() {
        length += lists[list].len();
        list += 1;
    }
    length
}

#[doc(hidden)]
#[must_use]
pub const fn joined<const N: usize>(lists: &[&[Difference]]) -> [Difference; N] {
    let mut all = [lists[0][0]; N];
    let (mut list, mut place) = (0, 0);
    while list < lists.len() {
        let mut index = 0;
        while index < lists[list].len() {
            all[place] = lists[list][index];
            (index, place) = (index + 1, place + 1);
        }
        list += 1;
    }
    all
}

/// What is expected in `case`, and why where that is a declared difference.
pub(crate) fn of<B>(differences: &[Difference], case: &Case<B>) -> (Expectation, Option<Why>) {
    match differences.iter().find(|it| it.case == case.name) {
        Some(declared) => (declared.expectation, Some(declared.why)),
        None => (case.expected, None),
    }
}

/// Refuses declarations for no case, of what is usual, twice for one case, and without a sentence.
pub(crate) fn check<B>(differences: &[Difference], cases: &[Case<B>]) -> Result<(), String> {
    let mut seen = HashSet::new();
    for Difference { case, expectation, why } in differences {
        let Some(known) = cases.iter().find(|known| known.name == *case) else {
            return Err(format!("{case} is no case"));
        };
        if known.expected == *expectation {
            return Err(format!("{case}: that is what is usual"));
        }
        if !seen.insert(case) {
            return Err(format!("{case} is declared twice"));
        }
        for sentence in [why.because, why.for_the_user] {
            if !sentence.ends_with('.') || sentence.contains("  ") {
                return Err(format!("{case}: not a sentence: {sentence}"));
            }
        }
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use backend_raw_ffi::RawFfi;
    use write_backend::BackendError;

    use super::*;
    use crate::case;

    #[test]
    fn wording_does_not_count_but_operation_kind_and_sequel_do() {
        let expected = Expectation::Refused(Operation::Put, ErrorKind::MapFull, "then");
        let refused = |operation, kind, then| {
            Outcome::refused(&BackendError::new(operation, kind, None, "some words"), then)
        };
        assert!(expected.matches(&refused(Operation::Put, ErrorKind::MapFull, "then")));
        assert!(!expected.matches(&refused(Operation::Commit, ErrorKind::MapFull, "then")));
        assert!(!expected.matches(&refused(Operation::Put, ErrorKind::PageFull, "then")));
        assert!(!expected.matches(&refused(Operation::Put, ErrorKind::MapFull, "")));
    }

    #[test]
    fn an_outcome_of_another_sort_is_never_the_expected_one() {
        let outcomes = [
            Outcome::done("it"),
            Outcome::accepted("it"),
            Outcome::wrong("it"),
            Outcome::Panicked { step: "it".into(), message: "it".into() },
            Outcome::Crashed { step: "it".into(), how: "it".into(), last_words: "it".into() },
            Outcome::Deadlocked { step: "it".into() },
            Outcome::not_checked("it"),
        ];
        let expectations = [
            Expectation::Done("it"),
            Expectation::Accepted("it"),
            Expectation::Wrong("it"),
            Expectation::Panics("it"),
            Expectation::Crashes("it"),
            Expectation::Deadlocks("it"),
        ];
        for (row, expectation) in expectations.iter().enumerate() {
            for (column, outcome) in outcomes.iter().enumerate() {
                assert_eq!(expectation.matches(outcome), row == column, "{expectation}, {outcome}");
            }
        }
    }

    #[test]
    fn declarations_that_declare_nothing_are_refused() {
        const WHY: Why = Why { because: "So it is.", for_the_user: "Know it." };
        let cases = case::all::<RawFfi>();
        let usual = cases[0];
        let other = Difference::new(usual.name, Expectation::Done("something else"), WHY);
        assert_eq!(of(&[], &usual), (usual.expected, None));
        assert_eq!(of(&[other], &usual), (other.expectation, Some(WHY)));
        assert_eq!(check(&[other], &cases), Ok(()));
        for (differences, reason) in [
            (vec![Difference::new("no/case", usual.expected, WHY)], "is no case"),
            (vec![Difference::new(usual.name, usual.expected, WHY)], "is usual"),
            (vec![other, other], "twice"),
            (vec![Difference { why: Why { because: "Cut of", ..WHY }, ..other }], "not a sentence"),
        ] {
            assert!(check(&differences, &cases).unwrap_err().contains(reason), "{reason}");
        }
    }
}
