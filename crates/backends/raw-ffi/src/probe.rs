//! The calls that are only looked at, never measured.

use std::ffi::{c_int, c_void};
use std::path::Path;
use std::ptr;

use write_backend::{Access, BackendError, EnvironmentOptions, Operation, Probe, ReadTransaction};

use super::{RawFfi, RawTxn, check, val};
use crate::ffi;

impl Probe for RawFfi {
    type Reader<'env> = RawReader<'env>;

    unsafe fn open_with(
        path: &Path,
        options: &EnvironmentOptions,
        access: Access,
    ) -> Result<Self, BackendError> {
        // SAFETY: the caller promises the same.
        unsafe { Self::open_as(path, options, access) }.map_err(|error| error.at(path))
    }

    fn create_database(&self, name: &str) -> Result<(), BackendError> {
        self.env.open_database(Some(name), ffi::MDB_CREATE, 0).map(|_dbi| ())
    }

    fn begin_with_handle_of<'env>(
        &'env self,
        other: &'env Self,
    ) -> Result<RawTxn<'env>, BackendError> {
        self.env.begin(0, other.dbi, Operation::Begin)
    }

    unsafe fn begin_read(&self) -> Result<RawReader<'_>, BackendError> {
        Ok(RawReader(self.env.begin(ffi::MDB_RDONLY, self.dbi, Operation::BeginRead)?))
    }

    fn clear_stale_readers(&self) -> Result<usize, BackendError> {
        let mut dead: c_int = 0;
        // SAFETY: the environment is open and `dead` is valid for writing.
        let code = unsafe { ffi::mdb_reader_check(self.env.env, &raw mut dead) };
        check(Operation::ClearReaders, code)?;
        // A count is not negative.
        Ok(usize::try_from(dead).unwrap_or(0))
    }

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
fn place(data: *const c_void) -> *mut u8 {
    data.cast_mut().cast()
}

/// A read transaction; ended when dropped.
#[derive(Debug)]
pub struct RawReader<'env>(RawTxn<'env>);

impl ReadTransaction for RawReader<'_> {
    fn get(&self, key: &[u8]) -> Result<Option<Vec<u8>>, BackendError> {
        self.0.get(key)
    }

    fn get_and_copy_after(
        &self,
        key: &[u8],
        between: impl FnOnce(),
    ) -> Result<Option<Vec<u8>>, BackendError> {
        let value = self.0.find(key)?;
        between();
        Ok(value.map(<[u8]>::to_vec))
    }
}

#[cfg(test)]
mod tests {
    use write_backend::WriteBackend as _;

    use super::*;

    #[test]
    #[should_panic(expected = "longer than the value")]
    fn more_than_was_reserved_is_never_written() {
        let directory = tempfile::tempdir().unwrap();
        // SAFETY: the directory is this test's alone.
        let backend =
            unsafe { RawFfi::open(directory.path(), &EnvironmentOptions::default()) }.unwrap();
        let _ = RawFfi::put_reserved(&mut backend.begin().unwrap(), b"key", 1, b"two");
    }
}
