//! What backend `raw-ffi@natdb-sys` does differently from what is usual.

use conformance::expected::Difference;
use conformance::expected::Expectation::Refused;
use conformance::together;
use write_backend::ErrorKind::Invalid;
use write_backend::Operation::Open;

#[path = "engine.rs"]
mod engine;

/// All of them.
pub(crate) const DIFFERENCES: &[Difference] = together![
    engine::DIFFERENCES,
    &[Difference::new(
        "data/of-lmdb-0.9",
        Refused(Open, Invalid, "the error names the path"),
        engine::format3::OTHER_FORMAT,
    )],
];
