//! What some bindings offer beside the calls of [`WriteBackend`], each a trait of its own. An adapter
//! implements those that its binding has, and names the loops that use them
//! ([`WriteBackend::loops`]); it makes up for none with raw calls.

use crate::backend::WriteBackend;
use crate::error::BackendError;
use crate::options::PutFlags;

/// A put that returns the value's space for its user to write to (`mdb_put` with `MDB_RESERVE`).
pub trait Reserves: WriteBackend {
    /// Puts a value of `size` bytes into which the binding lets its user write, and writes `content` at
    /// its beginning, which must not be longer.
    ///
    /// # Errors
    /// Those of a put, and what the binding makes of a `content` shorter than `size`.
    fn put_reserved(
        txn: &mut Self::Txn<'_>,
        key: &[u8],
        size: usize,
        content: &[u8],
    ) -> Result<(), BackendError>;
}

/// Puts through a cursor, which stays where it is between two of them (`mdb_cursor_put`).
pub trait Cursors: WriteBackend {
    /// A cursor in a write transaction. Dropping it closes it.
    type Cursor<'txn>;

    /// Opens a cursor in the open database (`mdb_cursor_open`).
    ///
    /// # Errors
    /// What LMDB or the binding reports.
    fn cursor<'txn>(txn: &'txn mut Self::Txn<'_>) -> Result<Self::Cursor<'txn>, BackendError>;

    /// Stores a pair as `flags` say, and leaves the cursor there.
    ///
    /// # Errors
    /// Those of [`put_with_flags`](crate::WriteTransaction::put_with_flags).
    fn cursor_put(
        cursor: &mut Self::Cursor<'_>,
        key: &[u8],
        value: &[u8],
        flags: PutFlags,
    ) -> Result<(), BackendError>;
}
