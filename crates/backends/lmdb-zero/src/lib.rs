//! Backend `lmdb-zero`: the binding with typed access, used as its documentation shows: `EnvBuilder`,
//! `Database::open`, `WriteTransaction::new`, `access().put`.

use std::path::Path;
use std::sync::Arc;

use lmdb_zero::{
    Database, DatabaseOptions, EnvBuilder, Environment, Error, ReadTransaction,
    WriteTransaction as Txn, db, open, put,
};
use write_backend::timed::{self, Loop};
use write_backend::{
    Access, BackendError, Engine, EnvironmentFlags, EnvironmentInfo, EnvironmentOptions, ErrorKind,
    Identity, Operation, PutFlags, ReadTransaction as _, SyncMode, WriteBackend, WriteTransaction,
};

mod offers;
mod probe;

pub use offers::ZeroCursor;
pub use probe::ZeroReader;

/// Permissions of the files that LMDB creates.
const FILE_MODE: u32 = 0o600;

/// An open environment with one open database.
#[derive(Debug)]
pub struct Zero {
    /// It shares the environment, so that both fit into one structure: it borrows it otherwise.
    database: Database<'static>,
    env: Arc<Environment>,
    /// Keeps this type on one thread: resizing is only sound while no other thread reads.
    one_thread: std::marker::PhantomData<*const ()>,
}

impl WriteBackend for Zero {
    type Txn<'env> = ZeroTxn<'env>;

    const IDENTITY: Identity =
        Identity { id: "lmdb-zero", binding: Some("lmdb-zero"), engine: Some("liblmdb-sys") };

    fn engine() -> Option<Engine> {
        let (major, minor, patch) = lmdb_zero::version();
        Some(Engine::new(major, minor, patch, liblmdb_sys::mdb_put as *const () as usize))
    }

    unsafe fn open(path: &Path, options: &EnvironmentOptions) -> Result<Self, BackendError> {
        // SAFETY: the caller promises the same.
        unsafe { Self::open_as(path, options, Access::default()) }.map_err(|error| error.at(path))
    }

    fn loops() -> Vec<Loop<Self>> {
        timed::all_loops()
    }

    #[inline]
    fn begin(&self) -> Result<ZeroTxn<'_>, BackendError> {
        match Txn::new(&*self.env) {
            Ok(txn) => Ok(ZeroTxn { txn, database: &self.database }),
            Err(error) => Err(translate(Operation::Begin, &error)),
        }
    }

    fn get(&self, key: &[u8]) -> Result<Option<Vec<u8>>, BackendError> {
        self.read(Operation::Get)?.get(key)
    }

    fn info(&self) -> Result<EnvironmentInfo, BackendError> {
        let said = |error| translate(Operation::Info, &error);
        let flags = self.env.flags().map_err(said)?;
        let info = self.env.info().map_err(said)?;
        let txn = self.read(Operation::Info)?.txn;
        let stat = txn.db_stat(&self.database).map_err(said)?;
        Ok(EnvironmentInfo {
            flags: EnvironmentFlags::from_bits(flags.bits()),
            map_size: info.mapsize,
            last_transaction: info.last_txnid as u64,
            entries: stat.entries as u64,
        })
    }

    fn resize(&self, map_size: usize) -> Result<(), BackendError> {
        // SAFETY: LMDB refuses while the environment has a write transaction; read transactions are
        // open only inside `get` and `info`, and this type stays on one thread; whoever begins
        // another (`begin_read`) has promised not to come here while it is used.
        let resized = unsafe { self.env.set_mapsize(map_size) };
        resized.map_err(|error| translate(Operation::Resize, &error))
    }
}

impl Zero {
    /// # Safety
    /// That of [`WriteBackend::open`].
    unsafe fn open_as(
        path: &Path,
        options: &EnvironmentOptions,
        access: Access,
    ) -> Result<Self, BackendError> {
        options.check()?;
        let said = |error| translate(Operation::Open, &error);
        let mut flags = match options.sync {
            SyncMode::Sync => open::Flags::empty(),
            SyncMode::NoMetaSync => open::NOMETASYNC,
            SyncMode::NoSync => open::NOSYNC,
            SyncMode::MapAsync => open::MAPASYNC,
        };
        flags.set(open::WRITEMAP, options.writable_map);
        flags.set(open::NOMEMINIT, options.no_mem_init);
        flags.set(open::NORDAHEAD, options.no_read_ahead);
        flags.set(open::RDONLY, access.read_only);
        let path = path.to_str().ok_or_else(|| {
            let message = "the binding takes paths that are valid UTF-8";
            BackendError::new(Operation::Open, ErrorKind::InvalidArgument, None, message)
        })?;
        let mut builder = EnvBuilder::new().map_err(said)?;
        builder.set_mapsize(options.map_size).map_err(said)?;
        builder.set_maxdbs(options.max_databases).map_err(said)?;
        if access.max_readers > 0 {
            builder.set_maxreaders(access.max_readers).map_err(said)?;
        }
        // SAFETY: the files must not be changed under the map but by LMDB: that is the caller's to see
        // to (`WriteBackend::open`); no flag here switches LMDB's lock file off, which guards the rest.
        let env = Arc::new(unsafe { builder.open(path, flags, FILE_MODE as _) }.map_err(said)?);
        let mut flags = if access.read_only { db::Flags::empty() } else { db::CREATE };
        flags.set(db::DUPSORT, options.database.duplicates);
        flags.set(db::INTEGERKEY, options.database.integer_keys);
        let name = options.database.name.as_deref();
        let database = Database::open(Arc::clone(&env), name, &DatabaseOptions::new(flags));
        let database = database.map_err(|error| translate(Operation::OpenDatabase, &error))?;
        Ok(Self { database, env, one_thread: std::marker::PhantomData })
    }

    fn read(&self, operation: Operation) -> Result<ZeroReader<'_>, BackendError> {
        match ReadTransaction::new(&*self.env) {
            Ok(txn) => Ok(ZeroReader { txn, database: &self.database }),
            Err(error) => Err(translate(operation, &error)),
        }
    }
}

/// A write transaction; aborted when dropped.
#[derive(Debug)]
pub struct ZeroTxn<'env> {
    txn: Txn<'env>,
    database: &'env Database<'static>,
}

impl ZeroTxn<'_> {
    #[inline]
    fn put_as(&mut self, key: &[u8], value: &[u8], flags: put::Flags) -> Result<(), BackendError> {
        match self.txn.access().put(self.database, key, value, flags) {
            Ok(()) => Ok(()),
            Err(error) => Err(translate(Operation::Put, &error)),
        }
    }
}

impl WriteTransaction for ZeroTxn<'_> {
    type Nested<'txn>
        = ZeroTxn<'txn>
    where
        Self: 'txn;

    #[inline]
    fn put(&mut self, key: &[u8], value: &[u8]) -> Result<(), BackendError> {
        self.put_as(key, value, put::Flags::empty())
    }

    #[inline]
    fn put_with_flags(
        &mut self,
        key: &[u8],
        value: &[u8],
        flags: PutFlags,
    ) -> Result<(), BackendError> {
        self.put_as(key, value, flags_of(flags))
    }

    #[inline]
    fn commit(self) -> Result<(), BackendError> {
        match self.txn.commit() {
            Ok(()) => Ok(()),
            Err(error) => Err(translate(Operation::Commit, &error)),
        }
    }

    /// The binding aborts what is dropped, and has no other call for it.
    #[inline]
    fn abort(self) {
        drop(self);
    }

    fn begin_nested(&mut self) -> Result<ZeroTxn<'_>, BackendError> {
        match self.txn.child_tx() {
            Ok(txn) => Ok(ZeroTxn { txn, database: self.database }),
            Err(error) => Err(translate(Operation::BeginNested, &error)),
        }
    }
}

#[inline]
fn flags_of(flags: PutFlags) -> put::Flags {
    let mut wanted = put::Flags::empty();
    wanted.set(put::NOOVERWRITE, flags.no_overwrite);
    wanted.set(put::APPEND, flags.append);
    wanted
}

#[cold]
fn translate(operation: Operation, error: &Error) -> BackendError {
    let message = error.to_string();
    let kind = match error {
        Error::Code(code) => return BackendError::from_code(operation, *code, message),
        Error::NulStr | Error::Mismatch => ErrorKind::InvalidArgument,
        Error::Reopened => ErrorKind::AlreadyOpen,
        _ => ErrorKind::Other,
    };
    BackendError::new(operation, kind, None, message)
}
