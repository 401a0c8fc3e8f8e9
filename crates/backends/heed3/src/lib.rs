//! Backend `heed3`: heed over the engine that can encrypt, without encryption; the source of the backend
//! `heed`, compiled over this binding.

use heed3 as binding;
use lmdb_master3_sys as ffi;
use write_backend::Identity;

#[path = "../../heed/src/backend.rs"]
pub mod backend;

pub use backend::{Heed, HeedReader, HeedTxn};

/// Who this backend is.
const IDENTITY: Identity =
    Identity { id: "heed3", binding: Some("heed3"), engine: Some("lmdb-master3-sys") };
