//! What backend `natdb` does differently from what is usual, each with its reason.

use conformance::expected::Expectation::Refused;
use conformance::expected::{Difference, Why};
use conformance::together;
use write_backend::ErrorKind::{Invalid, VersionMismatch};
use write_backend::Operation::{Open, OpenDatabase};

#[path = "../../raw-ffi-natdb-sys/src/engine.rs"]
mod engine;
#[path = "../../lmdb/src/family.rs"]
mod family;

const INVALID_NAME: Why = Why {
    because: "The binding reports a name that is no C string as `MDB_INVALID`.",
    for_the_user: "The error says that the file is no LMDB file when it is the name that has a NUL \
        byte.",
};

const LEGACY_FORMAT: Why = Why {
    because: "Where LMDB finds no file of its own, the binding looks whether LMDB 0.9 wrote it, and \
        reports `Error::LegacyFormat`.",
    for_the_user: "You can tell an old file from a broken one; elsewhere both are `MDB_INVALID`.",
};

/// All of them.
pub(crate) const DIFFERENCES: &[Difference] = together![
    engine::DIFFERENCES,
    family::DIFFERENCES,
    &[
        Difference::new(
            "databases/name-with-nul",
            Refused(OpenDatabase, Invalid, "the environment goes on"),
            INVALID_NAME,
        ),
        Difference::new(
            "data/of-lmdb-0.9",
            Refused(Open, VersionMismatch, "the error names the path"),
            LEGACY_FORMAT,
        ),
    ],
];
