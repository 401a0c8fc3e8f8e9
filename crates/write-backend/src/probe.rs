//! What the conformance suite asks of an adapter beyond what is measured.

use std::path::Path;

use crate::error::BackendError;
use crate::offers::Reserves;
use crate::options::EnvironmentOptions;

/// What the conformance suite needs beyond [`WriteBackend`](crate::WriteBackend); the timed loop uses none of it.
///
/// A call that a binding does not offer to its users is refused as
/// [`NotOffered`](crate::ErrorKind::NotOffered): an adapter does not make up for it with raw calls.
pub trait Probe: Reserves {
    /// A read transaction; it cannot outlive its environment.
    type Reader<'env>: ReadTransaction
    where
        Self: 'env;

    /// Opens an environment as [`open`](crate::WriteBackend::open) does, with `access` besides. With
    /// [`Access::read_only`] nothing is created.
    ///
    /// # Safety
    /// That of [`open`](crate::WriteBackend::open).
    ///
    /// # Errors
    /// Those of [`open`](crate::WriteBackend::open).
    unsafe fn open_with(
        path: &Path,
        options: &EnvironmentOptions,
        access: Access,
    ) -> Result<Self, BackendError>;

    /// Creates a further named database and keeps its handle open (`mdb_dbi_open` with
    /// `MDB_CREATE`, in a transaction of its own).
    ///
    /// # Errors
    /// [`DatabasesFull`](crate::ErrorKind::DatabasesFull) beyond
    /// [`EnvironmentOptions::max_databases`].
    fn create_database(&self, name: &str) -> Result<(), BackendError>;

    /// Begins a write transaction in this environment whose puts use the database handle of
    /// `other`: a mistake that LMDB itself cannot see.
    ///
    /// # Errors
    /// What LMDB or the binding reports.
    fn begin_with_handle_of<'env>(
        &'env self,
        other: &'env Self,
    ) -> Result<Self::Txn<'env>, BackendError>;

    /// Begins a read transaction (`mdb_txn_begin` with `MDB_RDONLY`).
    ///
    /// # Safety
    /// While it is open the map must not be resized: LMDB does not look whether there are readers
    /// (`lmdb.h`, `mdb_env_set_mapsize`).
    ///
    /// # Errors
    /// [`ReadersFull`](crate::ErrorKind::ReadersFull), or
    /// [`BadReaderSlot`](crate::ErrorKind::BadReaderSlot) for a second one on a thread.
    unsafe fn begin_read(&self) -> Result<Self::Reader<'_>, BackendError>;

    /// Frees the reader slots of processes that are gone and returns how many there were
    /// (`mdb_reader_check`).
    ///
    /// # Errors
    /// What LMDB reports.
    fn clear_stale_readers(&self) -> Result<usize, BackendError>;
}

/// A read transaction. Dropping it ends it.
pub trait ReadTransaction {
    /// The value stored under `key` when this transaction began (`mdb_get`).
    ///
    /// # Errors
    /// What LMDB reports; an absent key is `Ok(None)`.
    fn get(&self, key: &[u8]) -> Result<Option<Vec<u8>>, BackendError>;

    /// Looks `key` up, does `between`, and only then copies the value from where the binding says it
    /// is: what a user does who goes on with the slice that the binding hands out.
    ///
    /// # Errors
    /// Those of [`get`](Self::get).
    fn get_and_copy_after(
        &self,
        key: &[u8],
        between: impl FnOnce(),
    ) -> Result<Option<Vec<u8>>, BackendError>;
}

/// How an environment is opened, beyond what every measurement needs.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Access {
    /// Only for reading (`MDB_RDONLY`): the environment and its database must exist.
    pub read_only: bool,
    /// How many readers there may be at a time, over all processes (`mdb_env_set_maxreaders`); 0
    /// leaves LMDB's default of 126.
    pub max_readers: u32,
}
