//! What backend `raw-ffi@lmdb-master-sys` does differently from what is usual, each with its reason.

use conformance::expected::Expectation::Accepted;
use conformance::expected::{Difference, Why};

const FLAGS_COMPARED_WHOLE: Why = Why {
    because: "Version 0.9.70 refuses a parent only when all of the flags failed, finished and \
        has-a-child are set at once (`F_ISSET` with `MDB_TXN_BLOCKED`).",
    for_the_user: "That the outer transaction has failed is reported one call later, by the inner \
        put instead of the inner beginning.",
};

/// All of them.
pub(crate) const DIFFERENCES: &[Difference] = &[Difference::new(
    "nested/in-a-failed-transaction",
    Accepted("handed out; put in it: bad transaction; commit: bad transaction"),
    FLAGS_COMPARED_WHOLE,
)];
