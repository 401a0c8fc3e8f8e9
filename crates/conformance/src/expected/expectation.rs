//! An expected outcome, and whether another is that one.

use std::fmt;

use write_backend::{ErrorKind, Operation};

use crate::outcome::Outcome;

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
    #[must_use]
    pub fn matches(&self, outcome: &Outcome) -> bool {
        match (self, outcome) {
            (Self::Done(expected), Outcome::Done { detail })
            | (Self::Accepted(expected), Outcome::Accepted { detail })
            | (Self::Wrong(expected), Outcome::Wrong { detail }) => expected == detail,
            (
                Self::Refused(expected_operation, expected_kind, expected_then),
                Outcome::Refused { operation, kind, then, .. },
            ) => {
                expected_operation.to_string() == *operation
                    && expected_kind.to_string() == *kind
                    && expected_then == then
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
            Self::Deadlocks(step) => ("deadlock".to_owned(), step),
        };
        if more.is_empty() { f.write_str(&what) } else { write!(f, "{what}: {more}") }
    }
}

#[cfg(test)]
mod tests {
    use write_backend::BackendError;

    use super::*;

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
}
