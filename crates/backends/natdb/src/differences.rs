//! What backend `natdb` does differently from what is usual, each with its reason.

use conformance::expected::Expectation::Refused;
use conformance::expected::{Difference, Why};
use conformance::together;
use write_backend::ErrorKind::Invalid;
use write_backend::Operation::OpenDatabase;

#[path = "../../raw-ffi-natdb-sys/src/differences.rs"]
mod engine;
#[path = "../../lmdb/src/family.rs"]
mod family;

const INVALID_NAME: Why = Why {
    because: "The binding reports a name that is no C string as `MDB_INVALID`.",
    for_the_user: "The error says that the file is no LMDB file when it is the name that has a NUL \
        byte.",
};

/// All of them.
pub(crate) const DIFFERENCES: &[Difference] = together![
    engine::DIFFERENCES,
    family::DIFFERENCES,
    &[Difference::new(
        "databases/name-with-nul",
        Refused(OpenDatabase, Invalid, "the environment goes on"),
        INVALID_NAME,
    )],
];
