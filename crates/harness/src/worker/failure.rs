//! What can go wrong with a worker. A failed case is data: it stands in the table with its reason
//! and the others go on.

use std::io;
use std::path::PathBuf;
use std::time::Duration;

use records::schema::CaseRecord;
use write_backend::{ErrorKind, PutKind, Workload};

/// Why a worker could not do what it was asked. `stderr` is the end of what it wrote to its standard
/// error.
#[derive(Debug, thiserror::Error)]
pub enum Failure {
    #[error("cannot start {}: {error}", program.display())]
    Start { program: PathBuf, error: io::Error },
    #[error("{0}")]
    NoProgram(String),
    /// The environment's directory could not be made or removed.
    #[error("directory {}: {error}", path.display())]
    Directory { path: PathBuf, error: io::Error },
    #[error("worker {program} is refused: {reason}")]
    Refused { program: String, reason: String },
    #[error("the worker ended ({status}){}", said(stderr))]
    Died { status: String, stderr: String },
    #[error("the worker did not answer within {limit:?}{}", said(stderr))]
    TimedOut { limit: Duration, stderr: String },
    /// The worker said that it finished and did not end.
    #[error("the worker finished, but did not end within {limit:?}{}", said(stderr))]
    Stays { limit: Duration, stderr: String },
    /// The worker answered something that is no reply, or the reply to another request.
    #[error("the worker spoke nonsense: `{}`{}", one_line(line), said(stderr))]
    Nonsense { line: String, stderr: String },
    /// The worker claims to have run another number of transactions.
    #[error("the worker was asked for {asked} transactions and claims {claimed}")]
    Miscounted { asked: u64, claimed: u64 },
    /// The worker's clock did not tick over a time that every clock can tell from zero.
    #[error("the worker claims that {transactions} transactions took no time")]
    NoTime { transactions: u64 },
    #[error("the worker claims {claimed:?} for what took {waited:?} by the harness's clock")]
    WrongClock { claimed: Duration, waited: Duration },
    /// The worker said why it could not do it.
    #[error("{0}")]
    Reported(String),
    /// What was claimed to be written is not there.
    #[error("verification failed: {0}")]
    Verification(String),
    /// The binding lacks the call that the workload asks for: nothing is wrong.
    #[error("{backend} does not offer put \"{put}\"")]
    NotOffered { backend: String, put: PutKind },
    /// There are no link orders for more launches.
    #[error("no further pass: {0}")]
    LinkOrders(String),
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
    /// The same, naming the option that helps where the worker reported that the map is full.
    pub(crate) fn naming_map_size(self) -> Self {
        match self {
            Self::Reported(reason) if reason.contains(&ErrorKind::MapFull.to_string()) => {
                Self::Reported(reason + "; a larger map (--map-size) may help")
            }
            other => other,
        }
    }
}

/// Standard error as the end of a message.
fn said(stderr: &str) -> String {
    let stderr = one_line(stderr);
    if stderr.is_empty() { String::new() } else { format!("; it said: {stderr}") }
}

/// What a program said, on one line and without anything that a terminal would obey: reasons stand
/// in lists and tables.
fn one_line(text: &str) -> String {
    let lines = text.lines().map(str::trim).filter(|line| !line.is_empty());
    let text = lines.collect::<Vec<_>>().join(" / ");
    text.replace(char::is_control, "\u{fffd}")
}

#[cfg(test)]
mod tests {
    use write_backend::{BackendError, Operation};

    use super::*;

    #[test]
    fn a_full_map_names_the_option_that_helps() {
        let error = BackendError::from_code(Operation::Put, -30792, "MDB_MAP_FULL");
        let told = Failure::Reported(error.to_string()).naming_map_size().to_string();
        assert!(told.starts_with(&error.to_string()) && told.contains("--map-size"), "{told}");
        let other = Failure::Reported("put: no such thing".to_owned()).naming_map_size();
        assert_eq!(other.to_string(), "put: no such thing");
    }

    #[test]
    fn what_a_worker_said_is_one_harmless_line() {
        let stderr = "\n  thread 'main' panicked:\r\n\n\x1b[31mno\tluck\0\n".to_owned();
        let failure = Failure::Died { status: "exit status: 1".to_owned(), stderr };
        assert_eq!(
            failure.to_string(),
            "the worker ended (exit status: 1); it said: thread 'main' panicked: / \
             \u{fffd}[31mno\u{fffd}luck\u{fffd}"
        );
    }
}
