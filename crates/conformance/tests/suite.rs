//! The suite itself: what an adapter does wrong is seen, however it goes wrong.
//!
//! A case runs as a new process of the program that asks for it, so this program has a `main` of
//! its own instead of the standard test runner's.

#[path = "adapters/defect.rs"]
#[expect(dead_code, reason = "the defects of the test program `adapters` need more of it")]
mod defect;

use std::process::{self, Command, ExitCode};

use write_backend::protocol::behaviour::{Outcome, RECORDS, Record};
use write_backend::{BackendError, WriteTransaction as _};

use crate::defect::{Broken, BrokenTxn, Defect};

/// Skips commits; keys and values of some sizes have worse effects.
struct Misbehaves;

impl Defect for Misbehaves {
    fn put(txn: &mut BrokenTxn<'_, Self>, key: &[u8], value: &[u8]) -> Result<(), BackendError> {
        match (key.len(), value.len()) {
            (1, 32) => panic!("on purpose"),
            (511, 32) => process::abort(),
            (4, 4096) => process::exit(0),
            _ => txn.raw().put(key, value),
        }
    }

    fn commit(txn: BrokenTxn<'_, Self>) -> Result<(), BackendError> {
        txn.into_raw().abort();
        Ok(())
    }
}

/// The outcome of `case` in a new process, and whether that is the expected one.
fn perform(case: &str) -> (Outcome, bool) {
    let program = std::env::current_exe().expect("this program is somewhere");
    let output = Command::new(program).args([RECORDS, case]).output().expect("it starts");
    let record: Record = serde_json::from_slice(&output.stdout).expect("it prints one record");
    assert_eq!(record.case, case);
    (record.outcome, record.as_expected)
}

fn main() -> ExitCode {
    // What the test runner of the workspace passes on is for all tests; this is one.
    if std::env::args().any(|argument| argument.starts_with("--conformance") || argument == RECORDS)
    {
        return conformance::main::<Broken<Misbehaves>>(&[], Vec::new());
    }
    let (outcome, as_expected) = perform("key/1-byte");
    assert!(matches!(&outcome, Outcome::Panicked { message, .. } if message == "on purpose"));
    assert!(!as_expected);

    let (outcome, as_expected) = perform("key/511-bytes");
    assert!(
        matches!(&outcome, Outcome::Crashed { how, .. } if cfg!(not(unix)) || how == "SIGABRT")
    );
    assert!(!as_expected);

    // Ending without a word is no success, whatever the exit code says.
    let (outcome, as_expected) = perform("value/page-size");
    assert!(matches!(&outcome, Outcome::Crashed { how, .. } if how.ends_with('0')), "{outcome}");
    assert!(!as_expected);

    let (outcome, as_expected) = perform("second-transaction/same-thread");
    let step = "begin a second write transaction".to_owned();
    assert_eq!((outcome, as_expected), (Outcome::Deadlocked { step }, true));

    let lost = Outcome::wrong("100 pair(s) must be there, found 0");
    assert_eq!(perform("commit/keeps"), (lost, false));

    // The next transaction's commit is skipped as well.
    assert!(!perform("abort/leaves-nothing").1);

    println!("the suite saw everything");
    ExitCode::SUCCESS
}
