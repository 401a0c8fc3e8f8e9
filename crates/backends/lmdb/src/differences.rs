//! What `lmdb` and `lmdb-rkv` do differently from what is usual, each with its reason.

use conformance::expected::Expectation::{Accepted, Crashes, Panics, Refused};
use conformance::expected::{Difference, Why};
use write_backend::ErrorKind::{Invalid, MapFull, ReadersFull};
use write_backend::Operation::{BeginRead, Open, Put};

const NULL_TRANSACTION: Why = Why {
    because: "`begin_nested_txn` ignores the code that `mdb_txn_begin` returns and wraps a null \
        pointer.",
    for_the_user: "Nest transactions only in one that has not failed and without a writable map: \
        no error tells you that there is no inner transaction, and going one deeper ends the \
        process.",
};
const NAME_UNWRAPPED: Why = Why {
    because: "The binding unwraps the conversion of the name to a C string.",
    for_the_user: "Check database names that come from outside for NUL bytes: the call panics.",
};
const NO_READER_CHECK: Why = Why {
    because: "The binding has no call for `mdb_reader_check`.",
    for_the_user: "After a process was killed while it read, its slot and the pages it saw stay taken \
        until every process has closed the environment, or you call `mdb_reader_check` yourself.",
};
const INVALID_PATH: Why = Why {
    because: "The binding reports a path that is no C string as `MDB_INVALID`.",
    for_the_user: "The error says that the file is no LMDB file when it is the path that has a NUL \
        byte.",
};

/// All of them.
pub(crate) const DIFFERENCES: &[Difference] = &[
    Difference::new(
        "nested/writable-map",
        Accepted("a transaction that does not exist was handed out; dropping it: ok"),
        NULL_TRANSACTION,
    ),
    Difference::new(
        "nested/writable-map-put",
        Accepted("a transaction that does not exist was handed out; put in it: invalid argument"),
        NULL_TRANSACTION,
    ),
    Difference::new(
        "nested/writable-map-commit",
        Accepted(
            "a transaction that does not exist was handed out; committing it: invalid argument",
        ),
        NULL_TRANSACTION,
    ),
    Difference::new(
        "nested/writable-map-deeper",
        Crashes("begin a transaction in the inner one"),
        NULL_TRANSACTION,
    ),
    Difference::new(
        "nested/in-a-failed-transaction",
        Accepted("handed out; put in it: invalid argument; commit: invalid argument"),
        NULL_TRANSACTION,
    ),
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
    Difference::new("databases/name-with-nul", Panics("NulError"), NAME_UNWRAPPED),
    Difference::new(
        "open/path-with-nul",
        Refused(Open, Invalid, "the error names the path"),
        INVALID_PATH,
    ),
];
