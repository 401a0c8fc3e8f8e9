//! What backend `lmdb-zero` does differently from what is usual, each with its reason.

use conformance::expected::Expectation::Refused;
use conformance::expected::{Difference, Why};
use write_backend::ErrorKind::InvalidArgument;
use write_backend::Operation::{Open, Put};

const OWN_HANDLES: Why = Why {
    because: "A database knows its environment, and every put looks whether it is the transaction's.",
    for_the_user: "Mixing up two environments is an error; elsewhere the pair lands in the wrong \
        database without one.",
};
const TEXT_PATH: Why = Why {
    because: "`EnvBuilder::open` takes the path as text.",
    for_the_user: "A directory whose name is no valid UTF-8 cannot be opened.",
};

/// All of them.
pub(crate) const DIFFERENCES: &[Difference] = &[
    Difference::new(
        "handle/unnamed-of-another-environment",
        Refused(Put, InvalidArgument, ""),
        OWN_HANDLES,
    ),
    Difference::new(
        "handle/named-of-another-environment",
        Refused(Put, InvalidArgument, ""),
        OWN_HANDLES,
    ),
    Difference::new("open/path-not-utf-8", Refused(Open, InvalidArgument, ""), TEXT_PATH),
];
