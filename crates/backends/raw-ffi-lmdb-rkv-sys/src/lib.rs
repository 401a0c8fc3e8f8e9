//! Control backend `raw-ffi@lmdb-rkv-sys`: the source of `raw-ffi`, compiled over the engine that
//! lmdb-rkv ships. `lmdb-rkv / raw-ffi@lmdb-rkv-sys` is the binding's overhead.

// The library of the package lmdb-rkv-sys is called lmdb_sys too.
use lmdb_sys as ffi;
use write_backend::Identity;

#[path = "../../raw-ffi/src/backend.rs"]
pub mod backend;

pub use backend::{RawFfi, RawReader, RawTxn};

/// Who this backend is.
const IDENTITY: Identity = Identity {
    id: "raw-ffi@lmdb-rkv-sys",
    binding: Some("lmdb-rkv-sys"),
    engine: Some("lmdb-rkv-sys"),
};
