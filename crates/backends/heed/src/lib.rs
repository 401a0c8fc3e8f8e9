//! Backend `heed`: Meilisearch's typed binding with byte-slice types.
//!
//! [`backend`] is compiled once more for `heed3`, in a package of its own: that is the same source over
//! another engine.

use heed as binding;
use lmdb_master_sys as ffi;
use write_backend::Identity;

pub mod backend;
mod flavour;

pub use backend::{Heed, HeedReader, HeedTxn};

/// Who this backend is.
const IDENTITY: Identity =
    Identity { id: "heed", binding: Some("heed"), engine: Some("lmdb-master-sys") };
