//! What differs where pages are encrypted; here they are not.

use std::path::Path;

use super::binding::types::Bytes;
pub(crate) use super::binding::{Database, Env};
use super::binding::{EnvOpenOptions, Error, RoTxn, RwIter, RwTxn, WithTls};

/// # Safety
/// That of [`EnvOpenOptions::open`].
pub(crate) unsafe fn open(options: &EnvOpenOptions, path: &Path) -> Result<Env, Error> {
    // SAFETY: the caller promises the same.
    unsafe { options.open(path) }
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
    database.iter_mut(txn)
}
