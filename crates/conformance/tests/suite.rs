//! The suite itself: what an adapter does wrong is seen, however it goes wrong.
//!
//! A case runs as a new process of the program that asks for it, so this program has a `main` of
//! its own instead of the standard test runner's.

#[path = "broken/defect.rs"]
#[expect(
    dead_code,
    reason = "shared with the test program `broken`, whose defects need more of it"
)]
mod defect;

use std::process::{self, ExitCode};

use conformance::{Outcome, Record, runner};
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

/// The cases that are looked at here.
const CASES: [&str; 6] = [
    "key/1-byte",
    "key/511-bytes",
    "value/page-size",
    "commit/keeps",
    "abort/leaves-nothing",
    "second-transaction/same-thread",
];

fn main() -> ExitCode {
    if let Some(code) = runner::serve_child::<Broken<Misbehaves>>() {
        return code;
    }
    let records = runner::run::<Broken<Misbehaves>>(&[], |case| CASES.contains(&case.name));
    let of = |name: &str| -> &Record {
        records.iter().find(|record| record.case == name).expect("the case was run")
    };

    let Outcome::Panicked { message, .. } = &of("key/1-byte").outcome else {
        panic!("{records:?}");
    };
    assert_eq!(message, "on purpose");

    let Outcome::Crashed { how, .. } = &of("key/511-bytes").outcome else {
        panic!("{records:?}");
    };
    assert!(cfg!(not(unix)) || how == "SIGABRT", "{how}");

    // Ending without a word is no success, whatever the exit code says.
    let Outcome::Crashed { how, .. } = &of("value/page-size").outcome else {
        panic!("{records:?}");
    };
    assert!(how.ends_with('0'), "{how}");

    let Outcome::Deadlocked { step } = &of("second-transaction/same-thread").outcome else {
        panic!("{records:?}");
    };
    assert_eq!(step, "begin a second write transaction");

    let lost = Outcome::wrong("100 pair(s) must be there, found 0");
    assert_eq!(of("commit/keeps").outcome, lost);

    for (name, as_expected) in [
        ("key/1-byte", false),
        ("key/511-bytes", false),
        ("value/page-size", false),
        ("commit/keeps", false),
        ("second-transaction/same-thread", true),
        // The next transaction's commit is skipped as well.
        ("abort/leaves-nothing", false),
    ] {
        assert_eq!(of(name).as_expected, as_expected, "{name}");
    }
    println!("the suite saw everything");
    ExitCode::SUCCESS
}
