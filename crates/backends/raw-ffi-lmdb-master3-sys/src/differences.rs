//! What backend `raw-ffi@lmdb-master3-sys` does differently from what is usual, each with its reason.

use conformance::expected::Expectation::Refused;
use conformance::expected::{Difference, Why};
use conformance::together;
use write_backend::ErrorKind::{BadValueSize, Invalid};
use write_backend::Operation::{Open, OpenDatabase};

#[path = "../../raw-ffi-natdb-sys/src/format3.rs"]
mod format3;
#[path = "../../raw-ffi-lmdb-master-sys/src/differences.rs"]
mod sister;

const NAME_WITH_END: Why = Why {
    because: "The name of a database is kept with its NUL byte as a key, of 511 bytes at most.",
    for_the_user: "A name has 510 bytes at most, one less than in LMDB 0.9.",
};

/// All of them.
pub(crate) const DIFFERENCES: &[Difference] = together![
    sister::DIFFERENCES,
    format3::DIFFERENCES,
    &[
        Difference::new(
            "databases/name-511-bytes",
            Refused(OpenDatabase, BadValueSize, ""),
            NAME_WITH_END,
        ),
        Difference::new(
            "data/of-lmdb-0.9",
            Refused(Open, Invalid, "the error names the path"),
            format3::OTHER_FORMAT,
        ),
    ],
];
