//! Backend `lmdb-rkv`: Mozilla's binding, used as its documentation shows: `Environment::new()`,
//! `create_db`, `begin_rw_txn`, `put` with [`WriteFlags`].

use std::path::Path;

use lmdb::{
    Database, DatabaseFlags, Environment, EnvironmentFlags as Flags, Error, RwTransaction,
    Transaction as _, WriteFlags,
};
// The library of the package lmdb-rkv-sys is called lmdb_sys.
use lmdb_sys as ffi;
use write_backend::{
    BackendError, Engine, EnvironmentFlags, EnvironmentInfo, EnvironmentOptions, Identity,
    Operation, Package, Probe, PutFlags, SyncMode, WriteBackend, WriteTransaction,
};

/// An open environment with one open database.
#[derive(Debug)]
pub struct LmdbRkv {
    env: Environment,
    database: Database,
}

impl WriteBackend for LmdbRkv {
    type Txn<'env> = LmdbRkvTxn<'env>;

    const IDENTITY: Identity = Identity {
        id: "lmdb-rkv",
        binding: Some(Package::locked("lmdb-rkv")),
        engine: Some(Package::locked("lmdb-rkv-sys")),
    };

    fn engine() -> Option<Engine> {
        let (mut major, mut minor, mut patch) = (0, 0, 0);
        // SAFETY: `mdb_version` writes the three numbers through valid pointers. The binding has no
        // call of its own for it.
        unsafe { ffi::mdb_version(&raw mut major, &raw mut minor, &raw mut patch) };
        Some(Engine::new(major, minor, patch, ffi::mdb_put as *const () as usize))
    }

    fn open(path: &Path, options: &EnvironmentOptions) -> Result<Self, BackendError> {
        options.check().map_err(|error| error.at(path))?;
        let sync = match options.sync {
            SyncMode::Sync => Flags::empty(),
            SyncMode::NoMetaSync => Flags::NO_META_SYNC,
            SyncMode::NoSync => Flags::NO_SYNC,
            SyncMode::MapAsync => Flags::MAP_ASYNC,
        };
        let map = if options.writable_map { Flags::WRITE_MAP } else { Flags::empty() };
        let env = Environment::new()
            .set_flags(sync | map)
            .set_map_size(options.map_size)
            .set_max_dbs(options.max_databases)
            .open(path)
            .map_err(|error| translate(Operation::Open, error).at(path))?;
        let flags = if options.database.duplicates {
            DatabaseFlags::DUP_SORT
        } else {
            DatabaseFlags::empty()
        };
        let database = env
            .create_db(options.database.name.as_deref(), flags)
            .map_err(|error| translate(Operation::OpenDatabase, error).at(path))?;
        Ok(Self { env, database })
    }

    #[inline]
    fn begin(&self) -> Result<LmdbRkvTxn<'_>, BackendError> {
        match self.env.begin_rw_txn() {
            Ok(txn) => Ok(LmdbRkvTxn { txn, database: self.database }),
            Err(error) => Err(translate(Operation::Begin, error)),
        }
    }

    fn get(&self, key: &[u8]) -> Result<Option<Vec<u8>>, BackendError> {
        let txn = self.env.begin_ro_txn().map_err(|error| translate(Operation::Get, error))?;
        match txn.get(self.database, &key) {
            Ok(value) => Ok(Some(value.to_vec())),
            Err(Error::NotFound) => Ok(None),
            Err(error) => Err(translate(Operation::Get, error)),
        }
    }

    fn info(&self) -> Result<EnvironmentInfo, BackendError> {
        let said = |error| translate(Operation::Info, error);
        let mut bits = 0;
        // SAFETY: the environment is open and `bits` is valid for writing. The binding has no call
        // of its own for it.
        let code = unsafe { ffi::mdb_env_get_flags(self.env.env(), &raw mut bits) };
        if code != ffi::MDB_SUCCESS {
            return Err(said(Error::from_err_code(code)));
        }
        let info = self.env.info().map_err(said)?;
        let txn = self.env.begin_ro_txn().map_err(said)?;
        let stat = txn.stat(self.database).map_err(said)?;
        Ok(EnvironmentInfo {
            flags: EnvironmentFlags::from_bits(bits),
            map_size: info.map_size(),
            last_transaction: info.last_txnid() as u64,
            entries: stat.entries() as u64,
        })
    }

    fn resize(&self, map_size: usize) -> Result<(), BackendError> {
        self.env.set_map_size(map_size).map_err(|error| translate(Operation::Resize, error))
    }
}

impl Probe for LmdbRkv {
    fn create_database(&self, name: &str) -> Result<(), BackendError> {
        match self.env.create_db(Some(name), DatabaseFlags::empty()) {
            Ok(_database) => Ok(()),
            Err(error) => Err(translate(Operation::OpenDatabase, error)),
        }
    }

    fn begin_with_handle_of<'env>(
        &'env self,
        other: &'env Self,
    ) -> Result<LmdbRkvTxn<'env>, BackendError> {
        let mut txn = self.begin()?;
        txn.database = other.database;
        Ok(txn)
    }
}

/// A write transaction; aborted when dropped.
#[derive(Debug)]
pub struct LmdbRkvTxn<'env> {
    txn: RwTransaction<'env>,
    database: Database,
}

impl WriteTransaction for LmdbRkvTxn<'_> {
    type Nested<'txn>
        = LmdbRkvTxn<'txn>
    where
        Self: 'txn;

    #[inline]
    fn put(&mut self, key: &[u8], value: &[u8]) -> Result<(), BackendError> {
        match self.txn.put(self.database, &key, &value, WriteFlags::empty()) {
            Ok(()) => Ok(()),
            Err(error) => Err(translate(Operation::Put, error)),
        }
    }

    #[inline]
    fn put_with_flags(
        &mut self,
        key: &[u8],
        value: &[u8],
        flags: PutFlags,
    ) -> Result<(), BackendError> {
        let mut wanted = WriteFlags::empty();
        wanted.set(WriteFlags::NO_OVERWRITE, flags.no_overwrite);
        wanted.set(WriteFlags::APPEND, flags.append);
        match self.txn.put(self.database, &key, &value, wanted) {
            Ok(()) => Ok(()),
            Err(error) => Err(translate(Operation::Put, error)),
        }
    }

    #[inline]
    fn commit(self) -> Result<(), BackendError> {
        match self.txn.commit() {
            Ok(()) => Ok(()),
            Err(error) => Err(translate(Operation::Commit, error)),
        }
    }

    #[inline]
    fn abort(self) {
        self.txn.abort();
    }

    fn begin_nested(&mut self) -> Result<LmdbRkvTxn<'_>, BackendError> {
        match self.txn.begin_nested_txn() {
            Ok(txn) => Ok(LmdbRkvTxn { txn, database: self.database }),
            Err(error) => Err(translate(Operation::BeginNested, error)),
        }
    }
}

#[cold]
fn translate(operation: Operation, error: Error) -> BackendError {
    BackendError::from_code(operation, error.to_err_code(), error.to_string())
}
