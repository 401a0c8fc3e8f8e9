//! How LMDB 1.0, and the development that led to it, names databases.

use conformance::expected::Expectation::{Accepted, Done};
use conformance::expected::{Difference, Why};

const NAME_WITH_END: Why = Why {
    because: "The name of a database is kept with its NUL byte, as a key that differs from the same \
        text without one.",
    for_the_user: "A pair and a database may have one name, and no name is too short; in LMDB 0.9 both \
        are errors.",
};
const SIDE_BY_SIDE: &str = "a pair and a database of one name, side by side";

/// All of them.
pub(crate) const DIFFERENCES: &[Difference] = &[
    Difference::new("databases/name-empty", Accepted("the database was created"), NAME_WITH_END),
    Difference::new("databases/name-is-a-key", Done(SIDE_BY_SIDE), NAME_WITH_END),
    Difference::new("databases/put-over-a-database", Done(SIDE_BY_SIDE), NAME_WITH_END),
];
