//! What can go wrong with a worker. A failed case is data: it stands in the table with its reason
//! and the others go on.

use std::fmt::Display;
use std::io;
use std::path::Path;

use records::schema::CaseRecord;
use write_backend::{Value, Workload};

#[derive(Debug, thiserror::Error)]
pub enum Failure {
    /// In words.
    #[error("{0}")]
    Failed(String),
    /// In the worker's own words.
    #[error("{0}")]
    Reported(String),
    /// The worker's clock did not tick over a time that every clock can tell from zero.
    #[error("the worker claims that {transactions} transactions took no time")]
    NoTime { transactions: u64 },
    /// The binding lacks the call that the workload asks for: nothing is wrong.
    #[error("{backend} does not offer {what} \"{value}\"")]
    NotOffered { backend: String, what: &'static str, value: Value },
    #[error("interrupted")]
    Interrupted,
}

impl From<Failure> for String {
    fn from(failure: Failure) -> Self {
        failure.to_string()
    }
}

/// Why there is nothing measured of a case: what its record says.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Unmeasured {
    is_offered: bool,
    reason: String,
}

impl From<Failure> for Unmeasured {
    fn from(failure: Failure) -> Self {
        let is_offered = !matches!(failure, Failure::NotOffered { .. });
        Self { is_offered, reason: failure.to_string() }
    }
}

impl Unmeasured {
    pub fn reason(&self) -> &str {
        &self.reason
    }

    pub fn record(self, backend: &str, workload: Workload) -> CaseRecord {
        if self.is_offered {
            CaseRecord::failed(backend, workload, self.reason)
        } else {
            CaseRecord::not_offered(backend, workload, self.reason)
        }
    }
}

impl Failure {
    /// The environment's directory could not be made or removed, or a file in it not read.
    pub fn directory(path: &Path, error: &io::Error) -> Self {
        Self::Failed(format!("directory {}: {error}", path.display()))
    }

    /// What was claimed to be written is not there.
    pub fn verification(reason: impl Display) -> Self {
        Self::Failed(format!("verification failed: {reason}"))
    }

    /// `what` happened to a worker whose standard error ends with `stderr`.
    pub fn with_last_words(what: &str, stderr: &str) -> Self {
        let stderr = one_line(stderr);
        let said = if stderr.is_empty() { stderr } else { format!("; it said: {stderr}") };
        Self::Failed(format!("{what}{said}"))
    }

    /// The same with `hint` behind what the worker did or said.
    pub fn with_hint(self, hint: &str) -> Self {
        match self {
            Self::Failed(reason) => Self::Failed(reason + hint),
            Self::Reported(reason) => Self::Reported(reason + hint),
            other => other,
        }
    }
}

/// What a program said, on one line and without anything that a terminal would obey: reasons stand
/// in lists and tables.
pub(super) fn one_line(text: &str) -> String {
    let lines = text.lines().map(str::trim).filter(|line| !line.is_empty());
    let text = lines.collect::<Vec<_>>().join(" / ");
    text.replace(char::is_control, "\u{fffd}")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_a_worker_said_is_one_harmless_line() {
        let stderr = "\n  thread 'main' panicked:\r\n\n\x1b[31mno\tluck\0\n";
        assert_eq!(
            Failure::with_last_words("the worker ended", stderr).to_string(),
            "the worker ended; it said: thread 'main' panicked: / \u{fffd}[31mno\u{fffd}luck\u{fffd}"
        );
    }
}
