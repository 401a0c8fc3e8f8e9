//! Backend `raw-ffi`: LMDB's C calls through the declarations of lmdb-sys, nothing between.
//!
//! It is what every binding is compared with: [`backend`] is compiled a second and a third time, in
//! packages of their own, over the engines of the other bindings (`raw-ffi@lmdb-rkv-sys`,
//! `raw-ffi@lmdb-master-sys`). One package cannot hold all three: programs that link two of those
//! crates silently run one engine.

use lmdb_sys as ffi;
use write_backend::Identity;

pub mod backend;
mod forward;

pub use backend::{RawFfi, RawReader, RawTxn};

/// Who this backend is.
const IDENTITY: Identity =
    Identity { id: "raw-ffi", binding: Some("lmdb-sys"), engine: Some("lmdb-sys") };
