//! Backend `lmdb-rkv`: Mozilla's fork of `lmdb`; the source of that backend, compiled over this binding.

// The library of the package lmdb-rkv is called lmdb, that of lmdb-rkv-sys lmdb_sys.
use lmdb as binding;
use lmdb_sys as ffi;
use write_backend::Identity;

#[path = "../../lmdb/src/backend.rs"]
pub mod backend;
mod calls;

pub use backend::{Lmdb, LmdbReader, LmdbTxn};

/// Who this backend is.
const IDENTITY: Identity =
    Identity { id: "lmdb-rkv", binding: Some("lmdb-rkv"), engine: Some("lmdb-rkv-sys") };
