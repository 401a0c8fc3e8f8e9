//! signet-libmdbx: its unsynchronised API, and the synchronised one, whose every transaction begins and ends
//! on a manager thread of the environment.
//!
//! `open` starts that thread, so it inherits the core that the harness has bound the worker to: both threads
//! take turns on one core (`Cpus_allowed_list` in `/proc/PID/task/*/status`). A user's program is not bound,
//! and may hand over faster or slower.

use std::marker::PhantomData;
use std::path::Path;

use signet_libmdbx::tx::{Tx, WriteMarker};
use signet_libmdbx::{
    Database, DatabaseFlags, Environment, EnvironmentFlags as Flags, Geometry, MdbxError,
    MdbxResult, Mode, ReadError, Rw, RwSync, SyncMode as Sync, TransactionKind, WriteFlags,
};
use write_backend::{
    BackendError, Engine, EnvironmentInfo, EnvironmentOptions, ErrorKind, Identity, Operation,
    PutFlags, SyncMode, WriteBackend, WriteTransaction,
};

use crate::{check_options, not_offered};

/// One of the binding's two APIs.
pub trait Api: TransactionKind + WriteMarker + Sized {
    /// The backend's id.
    const ID: &'static str;

    /// Begins a write transaction.
    ///
    /// # Errors
    /// Those of the binding.
    fn begin(env: &Environment) -> MdbxResult<Tx<Self>>;

    /// Commits it.
    ///
    /// # Errors
    /// Those of the binding.
    fn commit(txn: Tx<Self>) -> MdbxResult<()>;
}

impl Api for Rw {
    const ID: &'static str = "signet-libmdbx";

    #[inline]
    fn begin(env: &Environment) -> MdbxResult<Tx<Self>> {
        env.begin_rw_unsync()
    }

    #[inline]
    fn commit(txn: Tx<Self>) -> MdbxResult<()> {
        txn.commit()
    }
}

impl Api for RwSync {
    const ID: &'static str = "signet-libmdbx-sync";

    #[inline]
    fn begin(env: &Environment) -> MdbxResult<Tx<Self>> {
        env.begin_rw_sync()
    }

    #[inline]
    fn commit(txn: Tx<Self>) -> MdbxResult<()> {
        txn.commit()
    }
}

/// An open environment with the unnamed database.
#[derive(Debug)]
pub struct Signet<A> {
    env: Environment,
    db: Database,
    api: PhantomData<A>,
}

impl<A: Api> WriteBackend for Signet<A> {
    type Txn<'env> = Batch<'env, A>;

    const IDENTITY: Identity =
        Identity { id: A::ID, binding: Some("signet-libmdbx"), engine: Some("signet-mdbx-sys") };

    fn engine() -> Option<Engine> {
        Some(crate::engine())
    }

    unsafe fn open(path: &Path, options: &EnvironmentOptions) -> Result<Self, BackendError> {
        check_options(options)?;
        let sync_mode = match options.sync {
            SyncMode::Sync => Sync::Durable,
            SyncMode::NoMetaSync => Sync::NoMetaSync,
            SyncMode::NoSync | SyncMode::MapAsync => Sync::UtterlyNoSync,
        };
        let mut builder = Environment::builder();
        builder.set_flags(Flags {
            no_meminit: options.no_mem_init,
            no_rdahead: options.no_read_ahead,
            ..Mode::ReadWrite { sync_mode }.into()
        });
        builder.set_geometry(Geometry { size: Some(..options.map_size), ..Geometry::default() });
        if options.writable_map {
            builder.write_map();
        }
        let opened = || {
            let env = builder.open(path)?;
            let txn = A::begin(&env)?;
            let db = txn.create_db(None, DatabaseFlags::empty())?;
            A::commit(txn)?;
            Ok(Self { env, db, api: PhantomData })
        };
        opened().map_err(|error| translate(Operation::Open, error).at(path))
    }

    #[inline]
    fn begin(&self) -> Result<Batch<'_, A>, BackendError> {
        let txn = A::begin(&self.env).map_err(|error| translate(Operation::Begin, error))?;
        Ok(Batch { txn, db: self.db, within: PhantomData })
    }

    fn get(&self, key: &[u8]) -> Result<Option<Vec<u8>>, BackendError> {
        let found = || self.env.begin_ro_unsync()?.get(self.db.dbi(), key);
        found().map_err(|error| match error {
            ReadError::Mdbx(error) => translate(Operation::Get, error),
            error => BackendError::new(Operation::Get, ErrorKind::Other, None, error.to_string()),
        })
    }

    fn info(&self) -> Result<EnvironmentInfo, BackendError> {
        let stat = || self.env.begin_ro_unsync()?.db_stat(&self.db);
        let stat = stat().map_err(|error| translate(Operation::Info, error))?;
        // SAFETY: the environment is open.
        self.env.with_raw_env_ptr(|env| unsafe { crate::info(env, stat.entries() as u64) })
    }

    fn resize(&self, _map_size: usize) -> Result<(), BackendError> {
        Err(not_offered(Operation::Resize, "the binding sets the largest size at open alone"))
    }
}

/// A write transaction.
#[derive(Debug)]
pub struct Batch<'env, A: Api> {
    txn: Tx<A>,
    db: Database,
    within: PhantomData<&'env Environment>,
}

impl<A: Api> WriteTransaction for Batch<'_, A> {
    type Nested<'txn>
        = Self
    where
        Self: 'txn;

    #[inline]
    fn put(&mut self, key: &[u8], value: &[u8]) -> Result<(), BackendError> {
        let put = self.txn.put(self.db, key, value, WriteFlags::UPSERT);
        put.map_err(|error| translate(Operation::Put, error))
    }

    #[inline]
    fn put_with_flags(
        &mut self,
        key: &[u8],
        value: &[u8],
        flags: PutFlags,
    ) -> Result<(), BackendError> {
        let mut wanted = WriteFlags::UPSERT;
        wanted.set(WriteFlags::NO_OVERWRITE, flags.no_overwrite);
        wanted.set(WriteFlags::APPEND, flags.append);
        let put = self.txn.put(self.db, key, value, wanted);
        put.map_err(|error| translate(Operation::Put, error))
    }

    #[inline]
    fn commit(self) -> Result<(), BackendError> {
        A::commit(self.txn).map_err(|error| translate(Operation::Commit, error))
    }

    #[inline]
    fn abort(self) {}

    fn begin_nested(&mut self) -> Result<Self, BackendError> {
        Err(not_offered(Operation::BeginNested, "only what is timed is written here"))
    }
}

#[cold]
fn translate(operation: Operation, error: MdbxError) -> BackendError {
    BackendError::from_code(operation, error.to_err_code(), error.to_string())
}
