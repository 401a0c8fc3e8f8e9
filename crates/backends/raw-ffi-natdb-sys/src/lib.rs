//! Control backend `raw-ffi@natdb-sys`: the source of `raw-ffi`, compiled over the engine that
//! natdb ships. `natdb / raw-ffi@natdb-sys` is the binding's overhead.

use natdb_sys as ffi;
use write_backend::Identity;

#[path = "../../raw-ffi/src/backend.rs"]
pub mod backend;

pub use backend::{RawFfi, RawReader, RawTxn};

/// Who this backend is.
const IDENTITY: Identity =
    Identity { id: "raw-ffi@natdb-sys", binding: Some("natdb-sys"), engine: Some("natdb-sys") };
