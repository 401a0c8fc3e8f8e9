//! Backend `lmdb`: the binding that `lmdb-rkv` was forked from, used as its documentation shows:
//! `Environment::new()`, `create_db`, `begin_rw_txn`, `put` with [`WriteFlags`]. What it has no call for
//! goes through its handles: `Environment::env`, `Transaction::txn`, `Database::dbi`.
//!
//! It is no longer maintained; the advisory RUSTSEC-2022-0001 says so and names `lmdb-rkv` in its place.

use std::ffi::c_int;
use std::mem;
use std::path::Path;

use lmdb::{
    Database, DatabaseFlags, Environment, EnvironmentFlags as Flags, Error, RwTransaction,
    Transaction as _, WriteFlags,
};
use lmdb_sys as ffi;
use write_backend::timed::{self, Loop};
use write_backend::{
    Access, BackendError, Engine, EnvironmentFlags, EnvironmentInfo, EnvironmentOptions, Identity,
    Operation, PutFlags, ReadTransaction as _, SyncMode, WriteBackend, WriteTransaction,
};

mod offers;
mod probe;

pub use probe::LmdbReader;

/// An open environment with one open database.
///
/// It stays on one thread:
///
/// ```compile_fail,E0277
/// fn shared<T: Sync>() {}
/// shared::<backend_lmdb::Lmdb>();
/// ```
#[derive(Debug)]
pub struct Lmdb {
    env: Environment,
    database: Database,
    /// Keeps this type on one thread: nothing else would keep another thread from reading while the map
    /// is resized.
    one_thread: std::marker::PhantomData<*const ()>,
}

impl WriteBackend for Lmdb {
    type Txn<'env> = LmdbTxn<'env>;

    const IDENTITY: Identity =
        Identity { id: "lmdb", binding: Some("lmdb"), engine: Some("lmdb-sys") };

    fn engine() -> Option<Engine> {
        let (mut major, mut minor, mut patch) = (0, 0, 0);
        // SAFETY: `mdb_version` writes the three numbers through valid pointers. The binding has no
        // call of its own for it.
        unsafe { ffi::mdb_version(&raw mut major, &raw mut minor, &raw mut patch) };
        Some(Engine::new(major, minor, patch, ffi::mdb_put as *const () as usize))
    }

    unsafe fn open(path: &Path, options: &EnvironmentOptions) -> Result<Self, BackendError> {
        Self::open_as(path, options, Access::default()).map_err(|error| error.at(path))
    }

    fn loops() -> Vec<Loop<Self>> {
        timed::all_loops()
    }

    #[inline]
    fn begin(&self) -> Result<LmdbTxn<'_>, BackendError> {
        match self.env.begin_rw_txn() {
            Ok(txn) => Ok(LmdbTxn { txn, database: self.database }),
            Err(error) => Err(translate(Operation::Begin, error)),
        }
    }

    fn get(&self, key: &[u8]) -> Result<Option<Vec<u8>>, BackendError> {
        let txn = self.env.begin_ro_txn().map_err(|error| translate(Operation::Get, error))?;
        LmdbReader { txn, database: self.database }.get(key)
    }

    fn info(&self) -> Result<EnvironmentInfo, BackendError> {
        let mut bits = 0;
        // SAFETY: the environment is open and `bits` is valid for writing.
        check(Operation::Info, unsafe { ffi::mdb_env_get_flags(self.env.env(), &raw mut bits) })?;
        // SAFETY: a structure of integers and a pointer; all zero is a value of it.
        let mut info: ffi::MDB_envinfo = unsafe { mem::zeroed() };
        // SAFETY: the environment is open and `info` is valid for writing.
        check(Operation::Info, unsafe { ffi::mdb_env_info(self.env.env(), &raw mut info) })?;
        let txn = self.env.begin_ro_txn().map_err(|error| translate(Operation::Info, error))?;
        // SAFETY: a structure of integers; all zero is a value of it.
        let mut stat: ffi::MDB_stat = unsafe { mem::zeroed() };
        // SAFETY: the transaction is open and `stat` is valid for writing.
        let code = unsafe { ffi::mdb_stat(txn.txn(), self.database.dbi(), &raw mut stat) };
        check(Operation::Info, code)?;
        Ok(EnvironmentInfo {
            flags: EnvironmentFlags::from_bits(bits),
            map_size: info.me_mapsize,
            last_transaction: info.me_last_txnid as u64,
            entries: stat.ms_entries as u64,
        })
    }

    fn resize(&self, map_size: usize) -> Result<(), BackendError> {
        // SAFETY: the environment is open. LMDB refuses while it has a write transaction; read
        // transactions are open only inside `get` and `info`, and this type is not `Sync`; whoever
        // begins another (`begin_read`) has promised not to come here while it is used.
        check(Operation::Resize, unsafe { ffi::mdb_env_set_mapsize(self.env.env(), map_size) })
    }
}

impl Lmdb {
    fn open_as(
        path: &Path,
        options: &EnvironmentOptions,
        access: Access,
    ) -> Result<Self, BackendError> {
        options.check()?;
        let mut flags = match options.sync {
            SyncMode::Sync => Flags::empty(),
            SyncMode::NoMetaSync => Flags::NO_META_SYNC,
            SyncMode::NoSync => Flags::NO_SYNC,
            SyncMode::MapAsync => Flags::MAP_ASYNC,
        };
        flags.set(Flags::WRITE_MAP, options.writable_map);
        flags.set(Flags::READ_ONLY, access.read_only);
        let mut builder = Environment::new();
        builder.set_flags(flags).set_map_size(options.map_size).set_max_dbs(options.max_databases);
        if access.max_readers > 0 {
            builder.set_max_readers(access.max_readers);
        }
        let env = builder.open(path).map_err(|error| translate(Operation::Open, error))?;
        let name = options.database.name.as_deref();
        let mut flags = DatabaseFlags::empty();
        flags.set(DatabaseFlags::DUP_SORT, options.database.duplicates);
        let database =
            if access.read_only { env.open_db(name) } else { env.create_db(name, flags) };
        let database = database.map_err(|error| translate(Operation::OpenDatabase, error))?;
        Ok(Self { env, database, one_thread: std::marker::PhantomData })
    }
}

/// A write transaction; aborted when dropped.
#[derive(Debug)]
pub struct LmdbTxn<'env> {
    txn: RwTransaction<'env>,
    database: Database,
}

impl WriteTransaction for LmdbTxn<'_> {
    type Nested<'txn>
        = LmdbTxn<'txn>
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
        match self.txn.put(self.database, &key, &value, flags_of(flags)) {
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

    fn begin_nested(&mut self) -> Result<LmdbTxn<'_>, BackendError> {
        match self.txn.begin_nested_txn() {
            Ok(txn) => Ok(LmdbTxn { txn, database: self.database }),
            Err(error) => Err(translate(Operation::BeginNested, error)),
        }
    }
}

#[inline]
fn flags_of(flags: PutFlags) -> WriteFlags {
    let mut wanted = WriteFlags::empty();
    wanted.set(WriteFlags::NO_OVERWRITE, flags.no_overwrite);
    wanted.set(WriteFlags::APPEND, flags.append);
    wanted
}

#[cold]
fn translate(operation: Operation, error: Error) -> BackendError {
    BackendError::from_code(operation, error.to_err_code(), error.to_string())
}

/// The code of a call that the binding does not have.
fn check(operation: Operation, code: c_int) -> Result<(), BackendError> {
    if code == ffi::MDB_SUCCESS {
        Ok(())
    } else {
        Err(translate(operation, Error::from_err_code(code)))
    }
}
