//! What heed and its sister do differently from what is usual, each with its reason.

use std::io;

use conformance::expected::Expectation::{Panics, Refused};
use conformance::expected::{Difference, Why};
use write_backend::ErrorKind::{AlreadyOpen, InvalidArgument, Io};
use write_backend::Operation::{Open, Reserve, Resize};

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
const LENGTH_CHECKED: Why = Why {
    because: "`put_reserved` counts what was written; the space stays reserved when that is too little.",
    for_the_user: "Writing less than you reserved is an error, after which you must abort: a commit \
        would keep the half-written value. Elsewhere there is no error.",
};
const PATH_RESOLVED: Why = Why {
    because: "heed resolves the path step by step and meets a missing directory first.",
    for_the_user: "The error says that the directory is missing when its path is too long.",
};
/// All of them.
pub(crate) const DIFFERENCES: &[Difference] = &[
    Difference::new(
        "reserve/written-in-part",
        Refused(
            Reserve,
            Io(io::ErrorKind::UnexpectedEof),
            "the rest of the value is whatever was there",
        ),
        LENGTH_CHECKED,
    ),
    Difference::new("map-size/no-page-multiple", Refused(Open, InvalidArgument, ""), PAGE_MULTIPLE),
    Difference::new("resize/no-page-multiple", Refused(Resize, InvalidArgument, ""), PAGE_MULTIPLE),
    Difference::new("databases/name-with-nul", Panics("NulError"), NAME_UNWRAPPED),
    Difference::new(
        "handle/unnamed-of-another-environment",
        Panics("environment doesn't match"),
        OWN_HANDLES,
    ),
    Difference::new(
        "handle/named-of-another-environment",
        Panics("environment doesn't match"),
        OWN_HANDLES,
    ),
    Difference::new(
        "handle/unknown-to-the-environment",
        Panics("environment doesn't match"),
        OWN_HANDLES,
    ),
    Difference::new(
        "open/twice-in-one-process",
        Refused(Open, AlreadyOpen, "the first one goes on"),
        OPENED_ONCE,
    ),
    Difference::new(
        "open/twice-by-a-link",
        Refused(Open, AlreadyOpen, "the first one goes on"),
        OPENED_ONCE,
    ),
    Difference::new(
        "open/path-too-long",
        Refused(Open, Io(io::ErrorKind::NotFound), "the error names the path"),
        PATH_RESOLVED,
    ),
];
