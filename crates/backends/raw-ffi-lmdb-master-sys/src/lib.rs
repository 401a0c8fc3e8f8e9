//! Control backend `raw-ffi@lmdb-master-sys`: the source of `raw-ffi`, compiled over the engine that
//! heed ships. `heed / raw-ffi@lmdb-master-sys` is the binding's overhead.

use lmdb_master_sys as ffi;
use write_backend::Identity;

#[path = "../../raw-ffi/src/backend.rs"]
pub mod backend;

pub use backend::{RawFfi, RawReader, RawTxn};

/// Who this backend is.
const IDENTITY: Identity = Identity {
    id: "raw-ffi@lmdb-master-sys",
    binding: Some("lmdb-master-sys"),
    engine: Some("lmdb-master-sys"),
};
