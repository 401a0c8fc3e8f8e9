//! What a program that shows a backend's behaviour says: what happened in each conformance case, what
//! it wrote before it was killed, and what a killed writer left.

use std::fmt;

use serde::{Deserialize, Serialize};

use crate::error::BackendError;

/// The argument that asks who the program is: a [`Reply::Hello`](crate::protocol::Reply::Hello).
pub const IDENTITY: &str = "--identity";
/// The argument that asks for a [`Record`] of each conformance case, or of those named after it.
pub const RECORDS: &str = "--records";
/// The argument that performs the cases named after it in the process itself, one after the other, under
/// no watchdog: for a memory checker, which looks at one process.
pub const HERE: &str = "--here";
/// The argument that asks for batches until the end, which is a signal; each is a [`Wrote`].
pub const WRITE: &str = "--write";
/// The argument that asks what a killed writer left: [`Opened`], then [`Found`] for a [`Question`].
pub const CHECK: &str = "--check";

/// What a writer says.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Wrote {
    /// The environment is open.
    Open,
    /// The commit of the batch with this number returned without an error.
    Batch(u64),
}

/// A checker has the environment open and waits for its question.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub struct Opened;

/// What a checker is asked when the writer is dead.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub struct Question {
    /// The last batch that was reported; 0 when none was.
    pub reported: u64,
}

/// What is in the environment.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Found {
    /// The batch that the environment names as its last.
    pub last: u64,
    /// How many reported batches are missing or not whole.
    pub lost: u64,
    /// How many batches that nobody reported are there in part.
    pub partial: u64,
    /// What exactly is wrong with the first of them.
    pub wrong: Option<String>,
    /// Why a further batch could not be written, or was not there when it had been.
    pub refused: Option<String>,
}

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
    /// Whether that is what is declared for this backend; never so when it was not checked.
    pub as_expected: bool,
    /// Why this backend does something else than the others, where that is declared.
    pub differs_because: Option<String>,
    /// What that means for a user of the binding.
    pub for_the_user: Option<String>,
}
