//! Control backend `raw-ffi@lmdb-master3-sys`: the source of `raw-ffi`, compiled over the engine that
//! heed3 ships. `heed3 / raw-ffi@lmdb-master3-sys` is the binding's overhead.

use lmdb_master3_sys as ffi;
use write_backend::Identity;

#[path = "../../raw-ffi/src/backend.rs"]
pub mod backend;

pub use backend::{RawFfi, RawReader, RawTxn};

/// Who this backend is.
const IDENTITY: Identity = Identity {
    id: "raw-ffi@lmdb-master3-sys",
    binding: Some("lmdb-master3-sys"),
    engine: Some("lmdb-master3-sys"),
};
