//! What backend `heed3` does differently from what is usual: what its engine does, and what the binding
//! does.

use conformance::expected::Difference;
use conformance::together;

#[path = "../../raw-ffi-lmdb-master3-sys/src/differences.rs"]
mod engine;
#[path = "../../heed/src/family.rs"]
mod family;

/// All of them.
pub(crate) const DIFFERENCES: &[Difference] = together![engine::DIFFERENCES, family::DIFFERENCES];
