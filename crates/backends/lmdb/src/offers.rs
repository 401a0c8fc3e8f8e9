//! Puts that not every binding has.

use write_backend::{BackendError, Cursors, Operation, PutFlags, Reserves};

use super::{Lmdb, LmdbTxn, flags_of, translate};
use crate::binding::{RwCursor, WriteFlags};

impl Reserves for Lmdb {
    #[inline]
    fn put_reserved(
        txn: &mut LmdbTxn<'_>,
        key: &[u8],
        size: usize,
        content: &[u8],
    ) -> Result<(), BackendError> {
        match txn.txn.reserve(txn.database, &key, size, WriteFlags::empty()) {
            Ok(value) => {
                value[..content.len()].copy_from_slice(content);
                Ok(())
            }
            Err(error) => Err(translate(Operation::Reserve, error)),
        }
    }
}

impl Cursors for Lmdb {
    type Cursor<'txn> = RwCursor<'txn>;

    #[inline]
    fn cursor<'txn>(txn: &'txn mut LmdbTxn<'_>) -> Result<RwCursor<'txn>, BackendError> {
        let cursor = txn.txn.open_rw_cursor(txn.database);
        cursor.map_err(|error| translate(Operation::Cursor, error))
    }

    #[inline]
    fn cursor_put(
        cursor: &mut RwCursor<'_>,
        key: &[u8],
        value: &[u8],
        flags: PutFlags,
    ) -> Result<(), BackendError> {
        let put = cursor.put(&key, &value, flags_of(flags));
        put.map_err(|error| translate(Operation::Put, error))
    }
}
