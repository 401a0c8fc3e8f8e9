//! The calls that are only looked at, never measured.

use std::path::Path;

use write_backend::{
    Access, BackendError, EnvironmentOptions, ErrorKind, Operation, Probe, ReadTransaction,
    WriteBackend as _,
};

use super::{Lmdb, LmdbTxn, translate};
use crate::binding::{Database, DatabaseFlags, Error, RoTransaction, Transaction as _};

impl Probe for Lmdb {
    type Reader<'env> = LmdbReader<'env>;

    unsafe fn open_with(
        path: &Path,
        options: &EnvironmentOptions,
        access: Access,
    ) -> Result<Self, BackendError> {
        Self::open_as(path, options, access).map_err(|error| error.at(path))
    }

    fn create_database(&self, name: &str) -> Result<(), BackendError> {
        match self.env.create_db(Some(name), DatabaseFlags::empty()) {
            Ok(_database) => Ok(()),
            Err(error) => Err(translate(Operation::OpenDatabase, error)),
        }
    }

    fn begin_with_handle_of<'env>(
        &'env self,
        other: &'env Self,
    ) -> Result<LmdbTxn<'env>, BackendError> {
        let mut txn = self.begin()?;
        txn.database = other.database;
        Ok(txn)
    }

    unsafe fn begin_read(&self) -> Result<LmdbReader<'_>, BackendError> {
        match self.env.begin_ro_txn() {
            Ok(txn) => Ok(LmdbReader { txn, database: self.database }),
            Err(error) => Err(translate(Operation::BeginRead, error)),
        }
    }

    fn clear_stale_readers(&self) -> Result<usize, BackendError> {
        let message = "the binding has no call for it";
        Err(BackendError::new(Operation::ClearReaders, ErrorKind::NotOffered, None, message))
    }
}

/// A read transaction; ended when dropped.
#[derive(Debug)]
pub struct LmdbReader<'env> {
    pub(crate) txn: RoTransaction<'env>,
    pub(crate) database: Database,
}

impl ReadTransaction for LmdbReader<'_> {
    fn get(&self, key: &[u8]) -> Result<Option<Vec<u8>>, BackendError> {
        self.get_and_copy_after(key, || ())
    }

    fn get_and_copy_after(
        &self,
        key: &[u8],
        between: impl FnOnce(),
    ) -> Result<Option<Vec<u8>>, BackendError> {
        let value = match self.txn.get(self.database, &key) {
            Ok(value) => Some(value),
            Err(Error::NotFound) => None,
            Err(error) => return Err(translate(Operation::Get, error)),
        };
        between();
        Ok(value.map(<[u8]>::to_vec))
    }
}
