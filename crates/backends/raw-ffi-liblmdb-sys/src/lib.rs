//! Control backend `raw-ffi@liblmdb-sys`: the source of `raw-ffi`, compiled over the engine that
//! lmdb-zero ships. `lmdb-zero / raw-ffi@liblmdb-sys` is the binding's overhead.

use liblmdb_sys as ffi;
use write_backend::Identity;

#[path = "../../raw-ffi/src/backend.rs"]
pub mod backend;

pub use backend::{RawFfi, RawReader, RawTxn};

/// Who this backend is.
const IDENTITY: Identity = Identity {
    id: "raw-ffi@liblmdb-sys",
    binding: Some("liblmdb-sys"),
    engine: Some("liblmdb-sys"),
};
