//! The backends that do something else than what is usual, each with its reason.

use std::io;

use write_backend::ErrorKind::{AlreadyOpen, Invalid, InvalidArgument, Io};
use write_backend::Operation::{Open, Resize};

use super::expectation::Expectation::{self, Accepted, Crashes, Panics, Refused};

/// What one backend does in one case, and why not what is usual.
#[derive(Debug, Clone, Copy)]
pub struct Difference {
    /// The backend's id.
    pub backend: &'static str,
    /// The case's name.
    pub case: &'static str,
    /// What is expected instead.
    pub expectation: Expectation,
    /// Why, in one sentence.
    pub because: &'static str,
}

const fn differs(
    backend: &'static str,
    case: &'static str,
    expectation: Expectation,
    because: &'static str,
) -> Difference {
    Difference { backend, case, expectation, because }
}

const NULL_TRANSACTION: &str =
    "`begin_nested_txn` ignores the code that `mdb_txn_begin` returns and wraps a null pointer.";
const PAGE_MULTIPLE: &str = "heed takes map sizes that are a multiple of the page size only.";
const OWN_HANDLES: &str =
    "A heed database knows its environment and panics in a transaction of another.";
const OPENED_ONCE: &str =
    "heed keeps a list of the environments that this process has open, by their real path.";
const NAME_UNWRAPPED: &str = "The binding unwraps the conversion of the name to a C string.";
const FLAGS_COMPARED_WHOLE: &str = "Version 0.9.70 refuses a parent only when all of the flags \
    failed, finished and has-a-child are set at once (`F_ISSET` with `MDB_TXN_BLOCKED`).";

/// All declared differences, by backend.
pub const DIFFERENCES: &[Difference] = &[
    differs(
        "lmdb-rkv",
        "nested/writable-map",
        Accepted("a transaction that does not exist was handed out; dropping it: ok"),
        NULL_TRANSACTION,
    ),
    differs(
        "lmdb-rkv",
        "nested/writable-map-put",
        Accepted("a transaction that does not exist was handed out; put in it: invalid argument"),
        NULL_TRANSACTION,
    ),
    differs(
        "lmdb-rkv",
        "nested/writable-map-commit",
        Accepted(
            "a transaction that does not exist was handed out; committing it: invalid argument",
        ),
        NULL_TRANSACTION,
    ),
    differs(
        "lmdb-rkv",
        "nested/writable-map-deeper",
        Crashes("begin a transaction in the inner one"),
        "The transaction handed out is a null pointer, and so is the environment asked from it.",
    ),
    differs(
        "lmdb-rkv",
        "nested/in-a-failed-transaction",
        Accepted("handed out; put in it: invalid argument; commit: invalid argument"),
        NULL_TRANSACTION,
    ),
    differs("lmdb-rkv", "databases/name-with-nul", Panics("NulError"), NAME_UNWRAPPED),
    differs(
        "lmdb-rkv",
        "open/path-with-nul",
        Refused(Open, Invalid, "the error names the path"),
        "The binding reports a path that is no C string as `MDB_INVALID`.",
    ),
    differs(
        "heed",
        "nested/in-a-failed-transaction",
        Accepted("handed out; put in it: bad transaction; commit: bad transaction"),
        FLAGS_COMPARED_WHOLE,
    ),
    differs("heed", "map-size/no-page-multiple", Refused(Open, InvalidArgument, ""), PAGE_MULTIPLE),
    differs("heed", "resize/no-page-multiple", Refused(Resize, InvalidArgument, ""), PAGE_MULTIPLE),
    differs("heed", "databases/name-with-nul", Panics("NulError"), NAME_UNWRAPPED),
    differs(
        "heed",
        "handle/unnamed-of-another-environment",
        Panics("environment doesn't match"),
        OWN_HANDLES,
    ),
    differs(
        "heed",
        "handle/named-of-another-environment",
        Panics("environment doesn't match"),
        OWN_HANDLES,
    ),
    differs(
        "heed",
        "handle/unknown-to-the-environment",
        Panics("environment doesn't match"),
        OWN_HANDLES,
    ),
    differs(
        "heed",
        "open/twice-in-one-process",
        Refused(Open, AlreadyOpen, "the first one goes on"),
        OPENED_ONCE,
    ),
    differs(
        "heed",
        "open/twice-by-a-link",
        Refused(Open, AlreadyOpen, "the first one goes on"),
        OPENED_ONCE,
    ),
    differs(
        "heed",
        "open/path-too-long",
        Refused(Open, Io(io::ErrorKind::NotFound), "the error names the path"),
        "heed resolves the path step by step and meets a missing directory first.",
    ),
    differs(
        "raw-ffi@lmdb-master-sys",
        "nested/in-a-failed-transaction",
        Accepted("handed out; put in it: bad transaction; commit: bad transaction"),
        FLAGS_COMPARED_WHOLE,
    ),
];

/// The declared difference of `backend` in `case`.
#[must_use]
pub fn of(backend: &str, case: &str) -> Option<&'static Difference> {
    DIFFERENCES.iter().find(|it| it.backend == backend && it.case == case)
}

/// Why `backend` does something else than what is usual in `case`, where it does.
#[must_use]
pub fn difference(backend: &str, case: &str) -> Option<&'static str> {
    of(backend, case).map(|it| it.because)
}

#[cfg(test)]
mod tests {
    use std::collections::HashSet;

    use super::*;
    use crate::expected::usual;

    #[test]
    fn a_difference_is_about_a_known_case_and_differs() {
        let mut seen = HashSet::new();
        for it in DIFFERENCES {
            assert!(seen.insert((it.backend, it.case)), "{} {} twice", it.backend, it.case);
            let usual = usual::of(it.case);
            assert!(usual.is_some(), "{} is no case", it.case);
            assert_ne!(usual, Some(it.expectation), "{} {}", it.backend, it.case);
            assert!(it.because.ends_with('.'), "{}", it.because);
        }
    }
}
