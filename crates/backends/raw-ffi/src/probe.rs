//! The calls that are only looked at, never measured.

use std::ffi::c_int;
use std::path::Path;

use write_backend::{Access, BackendError, EnvironmentOptions, Operation, Probe, ReadTransaction};

use super::ffi;
use super::{RawFfi, RawTxn, check};

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
    use write_backend::{Reserves as _, WriteBackend as _};

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
