//! What LMDB 1.0 does, and the development that led to it: names of databases, and the file's format.

use conformance::expected::Expectation::{Accepted, Done};
use conformance::expected::{Difference, Why};

const NAME_WITH_END: Why = Why {
    because: "The name of a database is kept with its NUL byte, as a key that differs from the same \
        text without one.",
    for_the_user: "A pair and a database may have one name, and no name is too short; in LMDB 0.9 both \
        are errors.",
};
/// Why a file of LMDB 0.9 does not open.
pub(crate) const OTHER_FORMAT: Why = Why {
    because: "It writes and reads data format 3, LMDB 0.9 format 1: the header of a page grew.",
    for_the_user: "To move between the two, write all pairs again, for example with `mdb_dump` of the \
        one and `mdb_load` of the other.",
};
const SIDE_BY_SIDE: &str = "a pair and a database of one name, side by side";

/// All of them.
pub(crate) const DIFFERENCES: &[Difference] = &[
    Difference::new("databases/name-empty", Accepted("the database was created"), NAME_WITH_END),
    Difference::new("data/of-lmdb-1.0", Done("all pairs are there"), OTHER_FORMAT),
    Difference::new("databases/name-is-a-key", Done(SIDE_BY_SIDE), NAME_WITH_END),
    Difference::new("databases/put-over-a-database", Done(SIDE_BY_SIDE), NAME_WITH_END),
];
