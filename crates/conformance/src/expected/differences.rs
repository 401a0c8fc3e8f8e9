//! The backends that do something else than what is usual, each with its reason.

use std::io;

use write_backend::ErrorKind::{AlreadyOpen, Invalid, InvalidArgument, Io, MapFull, ReadersFull};
use write_backend::Operation::{BeginRead, Open, Put, Reserve, Resize};

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
    /// Why, and what it means for a user.
    pub why: Why,
}

/// The reason of one or several differences.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Why {
    /// Where it comes from, in one sentence.
    pub because: &'static str,
    /// What a user of the binding must know or do, in one sentence.
    pub for_the_user: &'static str,
}

const fn differs(
    backend: &'static str,
    case: &'static str,
    expectation: Expectation,
    why: Why,
) -> Difference {
    Difference { backend, case, expectation, why }
}

const NULL_TRANSACTION: Why = Why {
    because: "`begin_nested_txn` ignores the code that `mdb_txn_begin` returns and wraps a null \
        pointer.",
    for_the_user: "Nest transactions only in one that has not failed and without a writable map: \
        no error tells you that there is no inner transaction, and going one deeper ends the \
        process.",
};
const PAGE_MULTIPLE: Why = Why {
    because: "heed takes map sizes that are a multiple of the page size only.",
    for_the_user: "Round a map size that comes from outside to whole pages: others take any.",
};
const OWN_HANDLES: Why = Why {
    because: "A heed database knows its environment and panics in a transaction of another.",
    for_the_user: "Mixing up two environments ends in a panic; elsewhere the pair lands in the \
        wrong database without an error.",
};
const OPENED_ONCE: Why = Why {
    because: "heed keeps a list of the environments that this process has open, by their real \
        path.",
    for_the_user: "You cannot open a directory twice by mistake; elsewhere that breaks LMDB's \
        locks without an error.",
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
const LENGTH_CHECKED: Why = Why {
    because: "`put_reserved` counts what was written; the space stays reserved when that is too little.",
    for_the_user: "Writing less than you reserved is an error, after which you must abort: a commit \
        would keep the half-written value. Elsewhere there is no error.",
};
const INVALID_PATH: Why = Why {
    because: "The binding reports a path that is no C string as `MDB_INVALID`.",
    for_the_user: "The error says that the file is no LMDB file when it is the path that has a NUL \
        byte.",
};
const PATH_RESOLVED: Why = Why {
    because: "heed resolves the path step by step and meets a missing directory first.",
    for_the_user: "The error says that the directory is missing when its path is too long.",
};
const FLAGS_COMPARED_WHOLE: Why = Why {
    because: "Version 0.9.70 refuses a parent only when all of the flags failed, finished and \
        has-a-child are set at once (`F_ISSET` with `MDB_TXN_BLOCKED`).",
    for_the_user: "That the outer transaction has failed is reported one call later, by the inner \
        put instead of the inner beginning.",
};

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
        NULL_TRANSACTION,
    ),
    differs(
        "lmdb-rkv",
        "nested/in-a-failed-transaction",
        Accepted("handed out; put in it: invalid argument; commit: invalid argument"),
        NULL_TRANSACTION,
    ),
    differs(
        "lmdb-rkv",
        "readers/killed",
        Refused(BeginRead, ReadersFull, "clear readers: not offered"),
        NO_READER_CHECK,
    ),
    differs(
        "lmdb-rkv",
        "readers/killed-keeps-pages",
        Refused(Put, MapFull, "clear readers: not offered"),
        NO_READER_CHECK,
    ),
    differs("lmdb-rkv", "databases/name-with-nul", Panics("NulError"), NAME_UNWRAPPED),
    differs(
        "lmdb-rkv",
        "open/path-with-nul",
        Refused(Open, Invalid, "the error names the path"),
        INVALID_PATH,
    ),
    differs(
        "heed",
        "nested/in-a-failed-transaction",
        Accepted("handed out; put in it: bad transaction; commit: bad transaction"),
        FLAGS_COMPARED_WHOLE,
    ),
    differs(
        "heed",
        "reserve/written-in-part",
        Refused(
            Reserve,
            Io(io::ErrorKind::UnexpectedEof),
            "the rest of the value is whatever was there",
        ),
        LENGTH_CHECKED,
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
        PATH_RESOLVED,
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
pub fn difference(backend: &str, case: &str) -> Option<Why> {
    of(backend, case).map(|it| it.why)
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
            for sentence in [it.why.because, it.why.for_the_user] {
                assert!(sentence.ends_with('.') && !sentence.contains("  "), "{sentence}");
            }
        }
    }
}
