//! Backend `heed3`: heed over the engine that can encrypt, without encryption; the source of the backend
//! `heed`, compiled over this binding.
//!
//! meilisearch/heed#355 reports a double free in `mdb_midl_free` under load (heed3 0.22.0, read as stored on
//! 2026-12-01, open then). It was not seen here with 0.23.1 on that day: four threads with nested
//! transactions, aborts, deletions and values of up to 9,000 bytes ended about 15,000 write transactions under
//! glibc's heap checks, and 5,000 more under valgrind without a report.

use heed3 as binding;
use lmdb_master3_sys as ffi;
use write_backend::Identity;

#[path = "../../heed/src/backend.rs"]
pub mod backend;
#[path = "../../heed/src/flavour.rs"]
mod flavour;

pub use backend::{Heed, HeedReader, HeedTxn};

/// Who this backend is.
const IDENTITY: Identity =
    Identity { id: "heed3", binding: Some("heed3"), engine: Some("lmdb-master3-sys") };
