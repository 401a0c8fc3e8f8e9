//! Puts that not every binding has.

use lmdb_zero::{Cursor, WriteAccessor, put};
use write_backend::{BackendError, Cursors, Operation, PutFlags, Reserves};

use crate::{Zero, ZeroTxn, flags_of, translate};

impl Reserves for Zero {
    #[inline]
    fn put_reserved(
        txn: &mut ZeroTxn<'_>,
        key: &[u8],
        size: usize,
        content: &[u8],
    ) -> Result<(), BackendError> {
        let mut access = txn.txn.access();
        match access.put_reserve_array::<_, u8>(txn.database, key, size, put::Flags::empty()) {
            Ok(value) => {
                value[..content.len()].copy_from_slice(content);
                Ok(())
            }
            Err(error) => Err(translate(Operation::Reserve, &error)),
        }
    }
}

/// A cursor, and the access to the transaction that every put through it asks for.
#[derive(Debug)]
pub struct ZeroCursor<'txn> {
    cursor: Cursor<'txn, 'txn>,
    access: WriteAccessor<'txn>,
}

impl Cursors for Zero {
    type Cursor<'txn> = ZeroCursor<'txn>;

    #[inline]
    fn cursor<'txn>(txn: &'txn mut ZeroTxn<'_>) -> Result<ZeroCursor<'txn>, BackendError> {
        match txn.txn.cursor(txn.database) {
            Ok(cursor) => Ok(ZeroCursor { cursor, access: txn.txn.access() }),
            Err(error) => Err(translate(Operation::Cursor, &error)),
        }
    }

    #[inline]
    fn cursor_put(
        cursor: &mut ZeroCursor<'_>,
        key: &[u8],
        value: &[u8],
        flags: PutFlags,
    ) -> Result<(), BackendError> {
        match cursor.cursor.put(&mut cursor.access, key, value, flags_of(flags)) {
            Ok(()) => Ok(()),
            Err(error) => Err(translate(Operation::Put, &error)),
        }
    }
}
