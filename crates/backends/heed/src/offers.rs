//! Puts that not every binding has.

use std::io::Write as _;

use write_backend::{BackendError, Cursors, Operation, PutFlags, Reserves};

use super::binding::types::Bytes;
use super::binding::{self, RwIter};
use super::flavour;
use super::{Heed, HeedTxn, flags_of, translate};

impl Reserves for Heed {
    #[inline]
    fn put_reserved(
        txn: &mut HeedTxn<'_>,
        key: &[u8],
        size: usize,
        content: &[u8],
    ) -> Result<(), BackendError> {
        let write = |space: &mut binding::ReservedSpace<'_>| space.write_all(content);
        let put = txn.database.put_reserved(&mut txn.txn, key, size, write);
        put.map_err(|error| translate(Operation::Reserve, error))
    }
}

impl Cursors for Heed {
    /// heed has no cursor by that name: its iterator over pairs that can be changed is one.
    type Cursor<'txn> = RwIter<'txn, Bytes, Bytes>;

    #[inline]
    fn cursor<'txn>(txn: &'txn mut HeedTxn<'_>) -> Result<Self::Cursor<'txn>, BackendError> {
        let cursor = flavour::cursor(txn.database, &mut txn.txn);
        cursor.map_err(|error| translate(Operation::Cursor, error))
    }

    #[inline]
    fn cursor_put(
        cursor: &mut Self::Cursor<'_>,
        key: &[u8],
        value: &[u8],
        flags: PutFlags,
    ) -> Result<(), BackendError> {
        // SAFETY: neither key nor value may come from the database: the iterator was never asked for a
        // pair, and borrows the transaction, so that nobody else can read from it.
        let put = unsafe { cursor.put_current_with_options::<Bytes>(flags_of(flags), key, value) };
        put.map_err(|error| translate(Operation::Put, error))
    }
}
