//! Backend `heed3:encrypted`: `EnvOpenOptions::open_encrypted` with ChaCha20-Poly1305, the cipher of the
//! binding's own example. The cipher's tag of each page is checked when it is read; a checksum without
//! encryption is not to be had: the binding has no call for `mdb_env_set_checksum`.

use heed3 as binding;
use lmdb_master3_sys as ffi;
use write_backend::Identity;

#[path = "../../../crates/backends/heed/src/backend.rs"]
pub mod backend;

pub use backend::{Heed, HeedReader, HeedTxn};

/// Who this backend is.
const IDENTITY: Identity =
    Identity { id: "heed3:encrypted", binding: Some("heed3"), engine: Some("lmdb-master3-sys") };

mod flavour {
    use std::path::Path;

    use chacha20poly1305::ChaCha20Poly1305;
    use heed3::types::Bytes;
    pub(crate) use heed3::{EncryptedDatabase as Database, EncryptedEnv as Env};
    use heed3::{EnvOpenOptions, Error, RoTxn, RwIter, RwTxn, WithTls};

    /// The key of all environments here, which keep no secret. Its control knows it too.
    const KEY: [u8; 32] = *b"no secret: it is for measurement";

    /// # Safety
    /// That of [`EnvOpenOptions::open_encrypted`].
    pub(crate) unsafe fn open(options: &EnvOpenOptions, path: &Path) -> Result<Env, Error> {
        // SAFETY: the caller promises the same.
        unsafe { options.open_encrypted::<ChaCha20Poly1305, _>(KEY.into(), path) }
    }

    pub(crate) fn get<'txn>(
        database: Database<'_, Bytes, Bytes>,
        txn: &'txn mut RoTxn<'_, WithTls>,
        key: &[u8],
    ) -> Result<Option<&'txn [u8]>, Error> {
        database.get(txn, key)
    }

    #[inline]
    pub(crate) fn cursor<'txn>(
        database: Database<'_, Bytes, Bytes>,
        txn: &'txn mut RwTxn<'_>,
    ) -> Result<RwIter<'txn, Bytes, Bytes>, Error> {
        database.iter_mut::<()>(txn)
    }
}
