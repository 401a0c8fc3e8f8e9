//! What happened when a case was performed, in words that can be stored and compared.

use std::fmt;

use serde::{Deserialize, Serialize};
use write_backend::BackendError;

/// What happened.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(tag = "outcome", rename_all = "kebab-case")]
pub enum Outcome {
    /// It was done, and what was checked afterwards was right.
    Done {
        /// What there is to say beyond that; often nothing.
        detail: String,
    },
    /// It was refused with an error of the contract.
    Refused {
        /// The call that failed, for example `put`.
        operation: String,
        /// The kind of failure, for example `map full`.
        kind: String,
        /// The binding's own words.
        message: String,
        /// What was seen afterwards; empty when the case ended there.
        then: String,
    },
    /// It was accepted although it is a mistake or cannot do what was asked.
    Accepted {
        /// What was accepted, and what came of it.
        detail: String,
    },
    /// A promise was broken: data lost, changed or invented.
    Wrong {
        /// What must be and what is.
        detail: String,
    },
    /// The binding panicked.
    Panicked {
        /// What was being done.
        step: String,
        /// The panic's message.
        message: String,
    },
    /// The process was ended by a signal, or ended without a word.
    Crashed {
        /// What was being done.
        step: String,
        /// The signal's name or the exit code.
        how: String,
        /// The last line on standard error, where the C library states a failed assertion.
        last_words: String,
    },
    /// Nothing happened until the watchdog ended the process.
    Deadlocked {
        /// What was being done.
        step: String,
    },
    /// This machine cannot perform the case.
    NotChecked {
        /// Why.
        reason: String,
    },
}

/// How a case ends: by its last line, or early by `?`.
pub type Answer = Result<Outcome, Outcome>;

impl Outcome {
    /// Done, with `detail` to say.
    #[must_use]
    pub fn done(detail: impl Into<String>) -> Self {
        Self::Done { detail: detail.into() }
    }

    /// Refused with `error`; `then` was seen afterwards.
    #[must_use]
    pub fn refused(error: &BackendError, then: impl Into<String>) -> Self {
        Self::Refused {
            operation: error.operation().to_string(),
            kind: error.kind().to_string(),
            message: error.message().to_owned(),
            then: then.into(),
        }
    }

    /// Accepted though wrong.
    #[must_use]
    pub fn accepted(detail: impl Into<String>) -> Self {
        Self::Accepted { detail: detail.into() }
    }

    /// A promise was broken.
    #[must_use]
    pub fn wrong(detail: impl Into<String>) -> Self {
        Self::Wrong { detail: detail.into() }
    }

    /// Cannot be performed here.
    #[must_use]
    pub fn not_checked(reason: impl Into<String>) -> Self {
        Self::NotChecked { reason: reason.into() }
    }
}

impl Outcome {
    /// The outcome without what changes from build to build: messages of libraries and panics, and
    /// how exactly a process ended. Two backends whose outcomes differ here do different things.
    #[must_use]
    pub fn essence(&self) -> String {
        match self {
            Self::Panicked { step, .. } => format!("panic during: {step}"),
            Self::Crashed { step, .. } => format!("crash during: {step}"),
            Self::Deadlocked { step } => format!("deadlock: {step}"),
            other => other.to_string(),
        }
    }
}

/// An error that a case did not look for ends it.
impl From<BackendError> for Outcome {
    fn from(error: BackendError) -> Self {
        Self::refused(&error, "")
    }
}

/// A step that the case itself takes, with files or processes, failed: that must be looked at, and
/// may come from a file that the backend did not write.
impl From<std::io::Error> for Outcome {
    fn from(error: std::io::Error) -> Self {
        Self::wrong(format!("a step of the case itself failed: {error}"))
    }
}

impl fmt::Display for Outcome {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let (what, more) = match self {
            Self::Done { detail } => ("done".to_owned(), detail),
            Self::Refused { operation, kind, then, .. } => {
                (format!("refused: {operation}: {kind}"), then)
            }
            Self::Accepted { detail } => ("accepted though wrong".to_owned(), detail),
            Self::Wrong { detail } => ("WRONG".to_owned(), detail),
            Self::Panicked { step, message } => (format!("panic during `{step}`"), message),
            Self::Crashed { step, how, last_words } => {
                (format!("crash during `{step}`: {how}"), last_words)
            }
            Self::Deadlocked { step } => ("deadlock".to_owned(), step),
            Self::NotChecked { reason } => ("not checked".to_owned(), reason),
        };
        if more.is_empty() { f.write_str(&what) } else { write!(f, "{what}: {more}") }
    }
}

/// What one backend did in one case: a cell of the table of behaviour.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Record {
    /// The backend's id.
    pub backend: String,
    /// The case's stable name.
    pub case: String,
    /// What the case means for a user.
    pub means: String,
    /// What happened.
    #[serde(flatten)]
    pub outcome: Outcome,
    /// Whether that is what [`crate::expected`] declares for this backend; never so when it was not
    /// checked.
    pub as_expected: bool,
    /// Why this backend does something else than the others, where that is declared.
    pub differs_because: Option<String>,
    /// What that means for a user of the binding.
    pub for_the_user: Option<String>,
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_record_reads_back() {
        let record = Record {
            backend: "heed".into(),
            case: "key/empty".into(),
            means: "A key needs at least one byte.".into(),
            outcome: Outcome::Crashed {
                step: "put".into(),
                how: "SIGSEGV".into(),
                last_words: String::new(),
            },
            as_expected: false,
            differs_because: None,
            for_the_user: None,
        };
        let line = serde_json::to_string(&record).unwrap();
        assert!(line.contains(r#""outcome":"crashed""#), "{line}");
        assert_eq!(serde_json::from_str::<Record>(&line).unwrap(), record);
    }
}
