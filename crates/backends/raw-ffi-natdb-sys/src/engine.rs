//! What LMDB 1.0 does differently from what is usual, whoever calls it, each with its reason.

use conformance::expected::Expectation::{Accepted, Done, Refused};
use conformance::expected::{Difference, Why};
use conformance::together;
use write_backend::ErrorKind::{BadValueSize, Corrupted, InvalidArgument, PageNotFound, ReadOnly};
use write_backend::Operation::{Begin, BeginNested, Open, Put};

#[path = "format3.rs"]
pub(crate) mod format3;

const LONGER_KEYS: Why = Why {
    because: "LMDB 1.0 limits keys by the page size instead of 511 bytes: two of them must fit a page \
        (`me_maxkey` in `mdb_env_open2`).",
    for_the_user: "With pages of 4 KiB a key, and a value among duplicates, may have 1,978 bytes; what \
        was an error in LMDB 0.9 is stored.",
};
const NO_EMPTY_DUPLICATE: Why = Why {
    because: "LMDB 1.0 refuses an empty value where a key may have several (`mdb_cursor_put`).",
    for_the_user: "Give values among duplicates at least one byte: LMDB 0.9 took an empty one, and lost \
        it when a second one came.",
};
const MAP_CHECKED_FIRST: Why = Why {
    because: "LMDB 1.0 reports a writable map as `EINVAL` before it looks at the parent's state.",
    for_the_user: "With a writable map do not nest transactions; the error is another one than in \
        LMDB 0.9.",
};
const OWN_CODE: Why = Why {
    because: "LMDB 1.0 has a code of its own for it, `MDB_IS_READONLY`, instead of `EACCES`.",
    for_the_user: "Look for the new code when you handle this error.",
};
const LENGTH_CHECKED: Why = Why {
    because: "LMDB 1.0 compares the length of the data file with what the meta pages say when it opens \
        it (`mdb_env_open2`).",
    for_the_user: "A data file that was cut short is an error when it is opened; with LMDB 0.9 the \
        process ends later, when it reads.",
};
const CLOSED_ON_EXEC: Why = Why {
    because: "LMDB 1.0 opens all its files so that programs which are started do not get them (`mdb_fopen`).",
    for_the_user: "A program that you start cannot damage the data by a stray write; with LMDB 0.9 it has \
        the data file open for writing.",
};
const OUTER_GOES_ON: &str = "the outer transaction goes on";

/// All of them.
pub(crate) const DIFFERENCES: &[Difference] = together![
    format3::DIFFERENCES,
    &[
        Difference::new("key/512-bytes", Accepted("the put succeeded"), LONGER_KEYS),
        Difference::new("key/512-bytes-append", Accepted("the put succeeded"), LONGER_KEYS),
        Difference::new("duplicates/value-512-bytes", Accepted("the put succeeded"), LONGER_KEYS),
        Difference::new(
            "databases/name-512-bytes",
            Accepted("the database was created"),
            LONGER_KEYS,
        ),
        Difference::new(
            "duplicates/empty-value",
            Refused(Put, BadValueSize, ""),
            NO_EMPTY_DUPLICATE,
        ),
        Difference::new(
            "duplicates/empty-value-and-another",
            Refused(Put, BadValueSize, ""),
            NO_EMPTY_DUPLICATE,
        ),
        Difference::new(
            "nested/writable-map",
            Refused(BeginNested, InvalidArgument, OUTER_GOES_ON),
            MAP_CHECKED_FIRST,
        ),
        Difference::new(
            "nested/writable-map-put",
            Refused(BeginNested, InvalidArgument, OUTER_GOES_ON),
            MAP_CHECKED_FIRST,
        ),
        Difference::new(
            "nested/writable-map-commit",
            Refused(BeginNested, InvalidArgument, OUTER_GOES_ON),
            MAP_CHECKED_FIRST,
        ),
        Difference::new(
            "nested/writable-map-deeper",
            Refused(BeginNested, InvalidArgument, OUTER_GOES_ON),
            MAP_CHECKED_FIRST,
        ),
        Difference::new("processes/spawned-inherits", Done("none"), CLOSED_ON_EXEC),
        Difference::new("read-only/write", Refused(Begin, ReadOnly, "reading works"), OWN_CODE),
        Difference::new(
            "truncated/after-meta-pages",
            Refused(Open, PageNotFound, ""),
            LENGTH_CHECKED,
        ),
        Difference::new("truncated/to-half", Refused(Open, Corrupted, ""), LENGTH_CHECKED),
        Difference::new("truncated/last-page", Refused(Open, Corrupted, ""), LENGTH_CHECKED),
    ],
];
