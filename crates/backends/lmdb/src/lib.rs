//! Backend `lmdb`: the binding that `lmdb-rkv` and `natdb` were forked from, used as its documentation
//! shows. What it has no call for goes through its handles: `Environment::env`, `Transaction::txn`,
//! `Database::dbi`.
//!
//! It is no longer maintained; the advisory RUSTSEC-2022-0001 says so and names `lmdb-rkv` in its place.
//!
//! [`backend`] is compiled once more for each of the forks, in their own packages: they are called in
//! the same way.

use lmdb as binding;
use lmdb_sys as ffi;
use write_backend::Identity;

pub mod backend;
mod calls;

/// An environment stays on one thread:
///
/// ```compile_fail,E0277
/// fn shared<T: Sync>() {}
/// shared::<backend_lmdb::Lmdb>();
/// ```
pub use backend::{Lmdb, LmdbReader, LmdbTxn};

/// Who this backend is.
const IDENTITY: Identity = Identity { id: "lmdb", binding: Some("lmdb"), engine: Some("lmdb-sys") };
