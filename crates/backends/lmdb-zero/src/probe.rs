//! The calls that are only looked at, never measured.

use std::path::Path;
use std::sync::Arc;

use lmdb_zero::{Database, DatabaseOptions, LmdbResultExt as _, ReadTransaction as Txn, db};
use write_backend::{
    Access, BackendError, EnvironmentOptions, Operation, Probe, ReadTransaction, WriteBackend as _,
};

use crate::{Zero, ZeroTxn, translate};

impl Probe for Zero {
    type Reader<'env> = ZeroReader<'env>;

    unsafe fn open_with(
        path: &Path,
        options: &EnvironmentOptions,
        access: Access,
    ) -> Result<Self, BackendError> {
        // SAFETY: the caller promises the same.
        unsafe { Self::open_as(path, options, access) }.map_err(|error| error.at(path))
    }

    fn create_database(&self, name: &str) -> Result<(), BackendError> {
        let options = DatabaseOptions::new(db::CREATE);
        match Database::open(Arc::clone(&self.env), Some(name), &options) {
            Ok(mut database) => {
                // Else the handle would be closed when it is dropped.
                database.disown();
                Ok(())
            }
            Err(error) => Err(translate(Operation::OpenDatabase, &error)),
        }
    }

    fn begin_with_handle_of<'env>(
        &'env self,
        other: &'env Self,
    ) -> Result<ZeroTxn<'env>, BackendError> {
        let mut txn = self.begin()?;
        txn.database = &other.database;
        Ok(txn)
    }

    unsafe fn begin_read(&self) -> Result<ZeroReader<'_>, BackendError> {
        self.read(Operation::BeginRead)
    }

    fn clear_stale_readers(&self) -> Result<usize, BackendError> {
        match self.env.reader_check() {
            // A count is not negative.
            Ok(dead) => Ok(usize::try_from(dead).unwrap_or(0)),
            Err(error) => Err(translate(Operation::ClearReaders, &error)),
        }
    }
}

/// A read transaction; ended when dropped.
#[derive(Debug)]
pub struct ZeroReader<'env> {
    pub(crate) txn: Txn<'env>,
    pub(crate) database: &'env Database<'static>,
}

impl ReadTransaction for ZeroReader<'_> {
    fn get(&self, key: &[u8]) -> Result<Option<Vec<u8>>, BackendError> {
        self.get_and_copy_after(key, || ())
    }

    fn get_and_copy_after(
        &self,
        key: &[u8],
        between: impl FnOnce(),
    ) -> Result<Option<Vec<u8>>, BackendError> {
        let access = self.txn.access();
        let value = access.get::<[u8], [u8]>(self.database, key).to_opt();
        let value = value.map_err(|error| translate(Operation::Get, &error))?;
        between();
        Ok(value.map(<[u8]>::to_vec))
    }
}
