//! Backend `owned-buffer`: a put takes key and value as owned `Vec<u8>`, which costs two allocations and
//! two copies. Everything else is `raw-ffi`'s, so that the style is all that differs.

use std::path::Path;

use backend_raw_ffi::{
    RawFfi, RawReader, RawTxn, forward_environment, forward_probe, forward_reserves,
};
use write_backend::{
    Access, BackendError, Engine, EnvironmentInfo, EnvironmentOptions, Identity, Probe, PutFlags,
    Reserves, WriteBackend, WriteTransaction,
};

/// An open environment with one open database.
#[derive(Debug)]
pub struct OwnedBuffer {
    raw: RawFfi,
}

impl WriteBackend for OwnedBuffer {
    type Txn<'env> = OwnedTxn<'env>;

    const IDENTITY: Identity =
        Identity { id: "owned-buffer", binding: Some("lmdb-sys"), engine: Some("lmdb-sys") };

    forward_environment!(raw);

    unsafe fn open(path: &Path, options: &EnvironmentOptions) -> Result<Self, BackendError> {
        // SAFETY: the caller promises the same.
        Ok(Self { raw: unsafe { RawFfi::open(path, options) }? })
    }

    #[inline]
    fn begin(&self) -> Result<OwnedTxn<'_>, BackendError> {
        Ok(OwnedTxn { raw: self.raw.begin()? })
    }
}

impl Reserves for OwnedBuffer {
    forward_reserves!(raw, OwnedTxn);
}

impl Probe for OwnedBuffer {
    forward_probe!(raw, OwnedTxn);

    unsafe fn open_with(
        path: &Path,
        options: &EnvironmentOptions,
        access: Access,
    ) -> Result<Self, BackendError> {
        // SAFETY: the caller promises the same.
        Ok(Self { raw: unsafe { RawFfi::open_with(path, options, access) }? })
    }

    fn begin_with_handle_of<'env>(
        &'env self,
        other: &'env Self,
    ) -> Result<OwnedTxn<'env>, BackendError> {
        Ok(OwnedTxn { raw: self.raw.begin_with_handle_of(&other.raw)? })
    }
}

/// A write transaction; aborted when dropped.
#[derive(Debug)]
pub struct OwnedTxn<'env> {
    raw: RawTxn<'env>,
}

impl OwnedTxn<'_> {
    /// The put of this style: the caller hands over its buffers, which are freed after the call.
    // Taking them by value without keeping them is what this backend is about.
    #[allow(clippy::needless_pass_by_value)]
    #[inline]
    fn put_owned(
        &mut self,
        key: Vec<u8>,
        value: Vec<u8>,
        flags: PutFlags,
    ) -> Result<(), BackendError> {
        self.raw.put_with_flags(&key, &value, flags)
    }
}

impl WriteTransaction for OwnedTxn<'_> {
    type Nested<'txn>
        = OwnedTxn<'txn>
    where
        Self: 'txn;

    #[inline]
    fn put(&mut self, key: &[u8], value: &[u8]) -> Result<(), BackendError> {
        self.put_owned(key.to_vec(), value.to_vec(), PutFlags::default())
    }

    #[inline]
    fn put_with_flags(
        &mut self,
        key: &[u8],
        value: &[u8],
        flags: PutFlags,
    ) -> Result<(), BackendError> {
        self.put_owned(key.to_vec(), value.to_vec(), flags)
    }

    #[inline]
    fn commit(self) -> Result<(), BackendError> {
        self.raw.commit()
    }

    #[inline]
    fn abort(self) {
        self.raw.abort();
    }

    fn begin_nested(&mut self) -> Result<OwnedTxn<'_>, BackendError> {
        Ok(OwnedTxn { raw: self.raw.begin_nested()? })
    }
}
