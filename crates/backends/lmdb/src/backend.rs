//! The adapter over `lmdb` and its forks: `Environment::new()`, `create_db`, `begin_rw_txn`, `put` with
//! [`WriteFlags`]. The crate that compiles this file says which of them `binding` is.

use std::path::Path;

use write_backend::timed::{self, Loop};
use write_backend::{
    Access, BackendError, Engine, EnvironmentFlags, EnvironmentInfo, EnvironmentOptions, Identity,
    Operation, PutFlags, ReadTransaction as _, SyncMode, WriteBackend, WriteTransaction,
};

use crate::binding::{
    Database, DatabaseFlags, Environment, EnvironmentFlags as Flags, Error, RwTransaction,
    Transaction as _, WriteFlags,
};
use crate::{calls, ffi};

#[path = "offers.rs"]
mod offers;
#[path = "probe.rs"]
mod probe;

pub use probe::LmdbReader;

/// An open environment with one open database.
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

    const IDENTITY: Identity = crate::IDENTITY;

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
        let said = |error| translate(Operation::Info, error);
        let mut bits = 0;
        // SAFETY: the environment is open and `bits` is valid for writing. None of the bindings has a
        // call of its own for it.
        let code = unsafe { ffi::mdb_env_get_flags(self.env.env(), &raw mut bits) };
        if code != ffi::MDB_SUCCESS {
            return Err(said(Error::from_err_code(code)));
        }
        let (map_size, last_transaction) = calls::info(&self.env).map_err(said)?;
        let txn = self.env.begin_ro_txn().map_err(said)?;
        let entries = calls::entries(&txn, self.database).map_err(said)?;
        Ok(EnvironmentInfo {
            flags: EnvironmentFlags::from_bits(bits),
            map_size,
            last_transaction: last_transaction as u64,
            entries: entries as u64,
        })
    }

    fn resize(&self, map_size: usize) -> Result<(), BackendError> {
        // Read transactions are open only inside `get` and `info`, and this type is not `Sync`; whoever
        // begins another (`begin_read`) has promised not to come here while it is used.
        calls::resize(&self.env, map_size).map_err(|error| translate(Operation::Resize, error))
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
        flags.set(Flags::NO_MEM_INIT, options.no_mem_init);
        flags.set(Flags::NO_READAHEAD, options.no_read_ahead);
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
        flags.set(DatabaseFlags::INTEGER_KEY, options.database.integer_keys);
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
