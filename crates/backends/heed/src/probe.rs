//! The calls that are only looked at, never measured.

use std::cell::RefCell;
use std::path::Path;

use write_backend::{
    Access, BackendError, DatabaseOptions, EnvironmentOptions, Operation, Probe, ReadTransaction,
    WriteBackend as _,
};

use super::binding::types::Bytes;
use super::binding::{self, CommitOrAbort, Error, RoTxn, WithTls};
use super::flavour::{self, Env};
use super::{ByteDatabase, Heed, HeedTxn, create_database, translate};

impl Probe for Heed {
    type Reader<'env> = HeedReader<'env>;

    unsafe fn open_with(
        path: &Path,
        options: &EnvironmentOptions,
        access: Access,
    ) -> Result<Self, BackendError> {
        // SAFETY: the caller promises the same.
        unsafe { Self::open_as(path, options, access) }.map_err(|error| error.at(path))
    }

    fn create_database(&self, name: &str) -> Result<(), BackendError> {
        let wanted = DatabaseOptions { name: Some(name.to_owned()), ..DatabaseOptions::default() };
        match create_database(&self.env, &wanted) {
            Ok(_database) => Ok(()),
            Err(error) => Err(translate(Operation::OpenDatabase, error)),
        }
    }

    fn begin_with_handle_of<'env>(
        &'env self,
        other: &'env Self,
    ) -> Result<HeedTxn<'env>, BackendError> {
        let mut txn = self.begin()?;
        txn.database = other.database;
        Ok(txn)
    }

    unsafe fn begin_read(&self) -> Result<HeedReader<'_>, BackendError> {
        match self.env.read_txn() {
            Ok(txn) => Ok(HeedReader { txn: RefCell::new(txn), database: self.database }),
            Err(error) => Err(translate(Operation::BeginRead, error)),
        }
    }

    fn clear_stale_readers(&self) -> Result<usize, BackendError> {
        let cleared = self.env.clear_stale_readers();
        cleared.map_err(|error| translate(Operation::ClearReaders, error))
    }
}

/// A read transaction; ended when dropped.
pub struct HeedReader<'env> {
    /// Reading decrypted pages needs it for itself.
    txn: RefCell<RoTxn<'env, WithTls>>,
    database: ByteDatabase,
}

impl std::fmt::Debug for HeedReader<'_> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("HeedReader").finish_non_exhaustive()
    }
}

impl ReadTransaction for HeedReader<'_> {
    fn get(&self, key: &[u8]) -> Result<Option<Vec<u8>>, BackendError> {
        self.get_and_copy_after(key, || ())
    }

    fn get_and_copy_after(
        &self,
        key: &[u8],
        between: impl FnOnce(),
    ) -> Result<Option<Vec<u8>>, BackendError> {
        let mut txn = self.txn.borrow_mut();
        let value = flavour::get(self.database, &mut txn, key);
        let value = value.map_err(|error| translate(Operation::Get, error))?;
        between();
        Ok(value.map(<[u8]>::to_vec))
    }
}

/// A database that exists; opening it writes nothing.
pub(crate) fn existing_database(env: &Env, name: Option<&str>) -> Result<ByteDatabase, Error> {
    let txn = env.read_txn()?;
    let opened = env.open_databases_and_commit(txn, |opener, txn| {
        let database = opener.open_database::<Bytes, Bytes>(txn, name)?;
        database
            .map(CommitOrAbort::<_, std::convert::Infallible>::Commit)
            .ok_or(Error::Mdb(binding::MdbError::NotFound))
    })?;
    match opened {
        CommitOrAbort::Commit(database) => Ok(database),
        CommitOrAbort::Abort(never) => match never {},
    }
}
