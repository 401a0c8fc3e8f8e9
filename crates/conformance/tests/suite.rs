//! The suite itself: what an adapter does wrong is seen, however it goes wrong.
//!
//! A case runs as a new process of the program that asks for it, so this program has a `main` of
//! its own instead of the standard test runner's.

#[path = "adapters/defect.rs"]
#[expect(dead_code, reason = "the defects of the test program `adapters` need more of it")]
mod defect;

use std::process::{self, Command, ExitCode};

use libtest_mimic::{Arguments, Trial, run};
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
    let is_case = |word: String| word.starts_with("--conformance") || word == RECORDS;
    if std::env::args().any(is_case) {
        return conformance::main::<Broken<Misbehaves>>(&[], Vec::new());
    }
    let tests: [(&str, fn()); 5] = [
        ("a-panic-is-seen", a_panic_is_seen),
        ("a-crash-is-seen", a_crash_is_seen),
        ("an-end-without-a-word-is-no-success", an_end_without_a_word_is_no_success),
        ("a-deadlock-is-seen", a_deadlock_is_seen),
        ("skipped-commits-are-seen", skipped_commits_are_seen),
    ];
    let trial = |(name, test): (&str, fn())| {
        Trial::test(name, move || {
            test();
            Ok(())
        })
    };
    run(&Arguments::from_args(), tests.map(trial).into()).exit_code()
}

fn a_panic_is_seen() {
    let (outcome, as_expected) = perform("key/1-byte");
    assert!(matches!(&outcome, Outcome::Panicked { message, .. } if message == "on purpose"));
    assert!(!as_expected);
}

fn a_crash_is_seen() {
    let (outcome, as_expected) = perform("key/511-bytes");
    assert!(
        matches!(&outcome, Outcome::Crashed { how, .. } if cfg!(not(unix)) || how == "SIGABRT")
    );
    assert!(!as_expected);
}

/// Whatever the exit code says.
fn an_end_without_a_word_is_no_success() {
    let (outcome, as_expected) = perform("value/page-size");
    assert!(matches!(&outcome, Outcome::Crashed { how, .. } if how.ends_with('0')), "{outcome}");
    assert!(!as_expected);
}

fn a_deadlock_is_seen() {
    let (outcome, as_expected) = perform("second-transaction/same-thread");
    let step = "begin a second write transaction".to_owned();
    assert_eq!((outcome, as_expected), (Outcome::Deadlocked { step }, true));
}

fn skipped_commits_are_seen() {
    let lost = Outcome::wrong("100 pair(s) must be there, found 0");
    assert_eq!(perform("commit/keeps"), (lost, false));
    // The next transaction's commit is skipped as well.
    assert!(!perform("abort/leaves-nothing").1);
}
