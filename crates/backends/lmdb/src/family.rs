//! What `lmdb` and its forks do differently from what is usual, each with its reason.

use conformance::expected::Expectation::Refused;
use conformance::expected::{Difference, Why};
use write_backend::ErrorKind::{Invalid, MapFull, ReadersFull};
use write_backend::Operation::{BeginRead, Open, Put};

const INVALID_PATH: Why = Why {
    because: "The binding reports a path that is no C string as `MDB_INVALID`.",
    for_the_user: "The error says that the file is no LMDB file when it is the path that has a NUL \
        byte.",
};
const NO_READER_CHECK: Why = Why {
    because: "The binding has no call for `mdb_reader_check`.",
    for_the_user: "After a process was killed while it read, its slot and the pages it saw stay taken \
        until every process has closed the environment, or you call `mdb_reader_check` yourself.",
};

/// All of them.
pub(crate) const DIFFERENCES: &[Difference] = &[
    Difference::new(
        "readers/killed",
        Refused(BeginRead, ReadersFull, "clear readers: not offered"),
        NO_READER_CHECK,
    ),
    Difference::new(
        "readers/killed-keeps-pages",
        Refused(Put, MapFull, "clear readers: not offered"),
        NO_READER_CHECK,
    ),
    Difference::new(
        "open/path-with-nul",
        Refused(Open, Invalid, "the error names the path"),
        INVALID_PATH,
    ),
];
