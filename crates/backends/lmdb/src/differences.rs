//! What `lmdb` and `lmdb-rkv` do differently from what is usual, each with its reason.

use conformance::expected::Expectation::{Accepted, Crashes, Panics};
use conformance::expected::{Difference, Why};
use conformance::together;

#[path = "family.rs"]
mod family;

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
/// All of them.
pub(crate) const DIFFERENCES: &[Difference] = together![
    family::DIFFERENCES,
    &[
        Difference::new(
            "nested/writable-map",
            Accepted("a transaction that does not exist was handed out; dropping it: ok"),
            NULL_TRANSACTION,
        ),
        Difference::new(
            "nested/writable-map-put",
            Accepted(
                "a transaction that does not exist was handed out; put in it: invalid argument"
            ),
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
        Difference::new("databases/name-with-nul", Panics("NulError"), NAME_UNWRAPPED),
    ]
];
