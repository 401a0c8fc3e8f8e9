//! Puts that not every binding has.

use std::ffi::c_void;
use std::marker::PhantomData;
use std::ptr;

use write_backend::{BackendError, Cursors, Operation, PutFlags, Reserves};

use super::ffi;
use super::{RawFfi, RawTxn, check, val};

impl Reserves for RawFfi {
    #[inline]
    fn put_reserved(
        txn: &mut RawTxn<'_>,
        key: &[u8],
        size: usize,
        content: &[u8],
    ) -> Result<(), BackendError> {
        assert!(content.len() <= size, "the content is longer than the value");
        let mut key = val(key);
        let mut value = ffi::MDB_val { mv_size: size, mv_data: ptr::null_mut() };
        let bits = ffi::MDB_RESERVE;
        // SAFETY: the transaction is open and both structures outlive the call. Of the value only the
        // size is read, but for a second value of a key in a database with duplicates: LMDB compares
        // the two and meets the null pointer. That ends the process, which is what is looked at there.
        let code = unsafe { ffi::mdb_put(txn.txn, txn.dbi, &raw mut key, &raw mut value, bits) };
        check(Operation::Reserve, code)?;
        // SAFETY: LMDB returned the place of `size` bytes, which is valid until the next put and not
        // part of `content`, which lies outside of the map and is no longer than that.
        unsafe { ptr::copy_nonoverlapping(content.as_ptr(), place(value.mv_data), content.len()) };
        Ok(())
    }
}

/// Where one may write. One of the crates declares what LMDB returned as `const`.
#[inline]
fn place(data: *const c_void) -> *mut u8 {
    data.cast_mut().cast()
}

impl Cursors for RawFfi {
    type Cursor<'txn> = RawCursor<'txn>;

    #[inline]
    fn cursor<'txn>(txn: &'txn mut RawTxn<'_>) -> Result<RawCursor<'txn>, BackendError> {
        let mut cursor = ptr::null_mut();
        // SAFETY: the transaction is open and `cursor` is valid for writing.
        let code = unsafe { ffi::mdb_cursor_open(txn.txn, txn.dbi, &raw mut cursor) };
        check(Operation::Cursor, code)?;
        Ok(RawCursor { cursor, within: PhantomData })
    }

    #[inline]
    fn cursor_put(
        cursor: &mut RawCursor<'_>,
        key: &[u8],
        value: &[u8],
        flags: PutFlags,
    ) -> Result<(), BackendError> {
        let (mut key, mut value) = (val(key), val(value));
        // SAFETY: the cursor is open and so is its transaction, which it borrows; both structures outlive
        // the call, and LMDB only reads what they point to.
        let code = unsafe {
            ffi::mdb_cursor_put(cursor.cursor, &raw mut key, &raw mut value, flags.bits())
        };
        check(Operation::Put, code)
    }
}

/// A cursor in a write transaction; closed when dropped.
#[derive(Debug)]
pub struct RawCursor<'txn> {
    cursor: *mut ffi::MDB_cursor,
    /// Its transaction neither ends nor is used otherwise meanwhile.
    within: PhantomData<&'txn mut ()>,
}

impl Drop for RawCursor<'_> {
    #[inline]
    fn drop(&mut self) {
        // SAFETY: open, and its transaction is too: it is borrowed until now.
        unsafe { ffi::mdb_cursor_close(self.cursor) };
    }
}
