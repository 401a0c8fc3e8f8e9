//! Backend `natdb`: the fork of `lmdb-rkv` over LMDB 1.0; the source of the backend `lmdb`, compiled over
//! this binding.

use natdb as binding;
use natdb_sys as ffi;
use write_backend::Identity;

#[path = "../../lmdb/src/backend.rs"]
pub mod backend;
#[path = "../../lmdb-rkv/src/calls.rs"]
mod calls;

pub use backend::{Lmdb, LmdbReader, LmdbTxn};

/// Who this backend is.
const IDENTITY: Identity =
    Identity { id: "natdb", binding: Some("natdb"), engine: Some("natdb-sys") };
