//! What backend `heed` does differently from what is usual: what its engine does, and what the binding
//! does.

use conformance::expected::Difference;
use conformance::together;

#[path = "../../raw-ffi-lmdb-master-sys/src/differences.rs"]
mod engine;
#[path = "family.rs"]
mod family;

/// All of them.
pub(crate) const DIFFERENCES: &[Difference] = together![engine::DIFFERENCES, family::DIFFERENCES];
