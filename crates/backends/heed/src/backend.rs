//! The adapter over heed and its sister: `EnvOpenOptions`, `create_databases_and_commit`, `write_txn`,
//! `Database::put`. The module around this one says which of them
//! `binding` is, and in `flavour` whether pages are encrypted.

use std::path::Path;

use write_backend::timed::{self, Loop};
use write_backend::{
    Access, BackendError, DatabaseOptions, Engine, EnvironmentFlags, EnvironmentInfo,
    EnvironmentOptions, ErrorKind, Identity, Operation, PutFlags, SyncMode, WriteBackend,
    WriteTransaction,
};

use super::binding::types::Bytes;
use super::binding::{
    CommitOrAbort, DatabaseFlags, EnvFlags, EnvOpenOptions, Error, PutFlags as Flags, RwTxn,
};
use super::flavour::{self, Database, Env};
use super::{binding, ffi};

#[path = "offers.rs"]
mod offers;
#[path = "probe.rs"]
mod probe;

pub use probe::HeedReader;

/// A database of byte slices; its handle is valid as long as the environment is open.
type ByteDatabase = Database<'static, Bytes, Bytes>;

/// An open environment with one open database.
#[derive(Debug)]
pub struct Heed {
    env: Env,
    database: ByteDatabase,
    /// Keeps this type on one thread: resizing is only sound while no other thread reads.
    one_thread: std::marker::PhantomData<*const ()>,
}

impl WriteBackend for Heed {
    type Txn<'env> = HeedTxn<'env>;

    const IDENTITY: Identity = super::IDENTITY;

    fn engine() -> Option<Engine> {
        let version = binding::lmdb_version();
        let put_address = ffi::mdb_put as *const () as usize;
        Some(Engine::new(version.major, version.minor, version.patch, put_address))
    }

    unsafe fn open(path: &Path, options: &EnvironmentOptions) -> Result<Self, BackendError> {
        // SAFETY: the caller promises the same.
        unsafe { Self::open_as(path, options, Access::default()) }.map_err(|error| error.at(path))
    }

    fn loops() -> Vec<Loop<Self>> {
        timed::all_loops()
    }

    #[inline]
    fn begin(&self) -> Result<HeedTxn<'_>, BackendError> {
        match self.env.write_txn() {
            Ok(txn) => Ok(HeedTxn { env: &self.env, database: self.database, txn }),
            Err(error) => Err(translate(Operation::Begin, error)),
        }
    }

    fn get(&self, key: &[u8]) -> Result<Option<Vec<u8>>, BackendError> {
        let said = |error| translate(Operation::Get, error);
        let mut txn = self.env.read_txn().map_err(said)?;
        let value = flavour::get(self.database, &mut txn, key).map_err(said)?;
        Ok(value.map(<[u8]>::to_vec))
    }

    fn info(&self) -> Result<EnvironmentInfo, BackendError> {
        let said = |error| translate(Operation::Info, error);
        let bits = self.env.get_flags().map_err(said)?;
        let info = self.env.info();
        let txn = self.env.read_txn().map_err(said)?;
        let entries = self.database.len(&txn).map_err(said)?;
        Ok(EnvironmentInfo {
            flags: EnvironmentFlags::from_bits(bits),
            map_size: info.map_size,
            last_transaction: info.last_txn_id as u64,
            entries,
        })
    }

    fn resize(&self, map_size: usize) -> Result<(), BackendError> {
        // SAFETY: LMDB refuses while the environment has a write transaction; read transactions are
        // open only inside `get` and `info`, and this type stays on one thread; whoever begins
        // another (`begin_read`) has promised not to come here while it is used.
        let resized = unsafe { self.env.resize(map_size) };
        resized.map_err(|error| translate(Operation::Resize, error))
    }
}

impl Heed {
    /// # Safety
    /// That of [`WriteBackend::open`].
    unsafe fn open_as(
        path: &Path,
        options: &EnvironmentOptions,
        access: Access,
    ) -> Result<Self, BackendError> {
        options.check()?;
        let mut flags = match options.sync {
            SyncMode::Sync => EnvFlags::empty(),
            SyncMode::NoMetaSync => EnvFlags::NO_META_SYNC,
            SyncMode::NoSync => EnvFlags::NO_SYNC,
            SyncMode::MapAsync => EnvFlags::MAP_ASYNC,
        };
        flags.set(EnvFlags::WRITE_MAP, options.writable_map);
        flags.set(EnvFlags::NO_MEM_INIT, options.no_mem_init);
        flags.set(EnvFlags::NO_READ_AHEAD, options.no_read_ahead);
        flags.set(EnvFlags::READ_ONLY, access.read_only);
        let mut builder = EnvOpenOptions::new();
        builder.map_size(options.map_size).max_dbs(options.max_databases);
        if access.max_readers > 0 {
            builder.max_readers(access.max_readers);
        }
        // SAFETY: heed marks flags unsafe that trade durability for speed; which ones are set is the
        // caller's wish, and the directories here are made for the purpose.
        unsafe { builder.flags(flags) };
        // SAFETY: the files must not be changed under the map but by LMDB: that is the caller's to see
        // to (`WriteBackend::open`), and LMDB's lock file, which no flag here switches off, guards the
        // rest.
        let opened = unsafe { flavour::open(&builder, path) };
        let env = opened.map_err(|error| translate(Operation::Open, error))?;
        let name = options.database.name.as_deref();
        let database = if access.read_only {
            probe::existing_database(&env, name)
        } else {
            create_database(&env, &options.database)
        };
        let database = database.map_err(|error| translate(Operation::OpenDatabase, error))?;
        Ok(Self { env, database, one_thread: std::marker::PhantomData })
    }
}

/// A write transaction; aborted when dropped.
pub struct HeedTxn<'env> {
    env: &'env Env,
    database: ByteDatabase,
    txn: RwTxn<'env>,
}

impl<'env> HeedTxn<'env> {
    /// The database and heed's own transaction, for puts of other types.
    #[inline]
    pub fn parts(&mut self) -> (ByteDatabase, &mut RwTxn<'env>) {
        (self.database, &mut self.txn)
    }
}

impl std::fmt::Debug for HeedTxn<'_> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("HeedTxn").field("env", self.env).finish_non_exhaustive()
    }
}

impl WriteTransaction for HeedTxn<'_> {
    type Nested<'txn>
        = HeedTxn<'txn>
    where
        Self: 'txn;

    #[inline]
    fn put(&mut self, key: &[u8], value: &[u8]) -> Result<(), BackendError> {
        match self.database.put(&mut self.txn, key, value) {
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
        match self.database.put_with_flags(&mut self.txn, flags_of(flags), key, value) {
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

    fn begin_nested(&mut self) -> Result<HeedTxn<'_>, BackendError> {
        match self.env.nested_write_txn(&mut self.txn) {
            Ok(txn) => Ok(HeedTxn { env: self.env, database: self.database, txn }),
            Err(error) => Err(translate(Operation::BeginNested, error)),
        }
    }
}

/// heed hands out a database only through a call that commits the transaction it was opened in.
fn create_database(env: &Env, wanted: &DatabaseOptions) -> Result<ByteDatabase, Error> {
    let mut flags = DatabaseFlags::empty();
    flags.set(DatabaseFlags::DUP_SORT, wanted.duplicates);
    #[expect(
        deprecated,
        reason = "heed's comparator for integers sets this flag and makes another type"
    )]
    flags.set(DatabaseFlags::INTEGER_KEY, wanted.integer_keys);
    let txn = env.write_txn()?;
    let created = env.create_databases_and_commit(txn, |opener, txn| {
        let mut options = opener.database_options().types::<Bytes, Bytes>();
        if !flags.is_empty() {
            options.flags(flags);
        }
        if let Some(name) = &wanted.name {
            options.name(name);
        }
        options.create(txn).map(CommitOrAbort::<_, std::convert::Infallible>::Commit)
    })?;
    match created {
        CommitOrAbort::Commit(database) => Ok(database),
        CommitOrAbort::Abort(never) => match never {},
    }
}

#[inline]
fn flags_of(flags: PutFlags) -> Flags {
    let mut wanted = Flags::empty();
    wanted.set(Flags::NO_OVERWRITE, flags.no_overwrite);
    wanted.set(Flags::APPEND, flags.append);
    wanted
}

/// heed's error as one of all bindings.
#[cold]
#[must_use]
pub fn translate(operation: Operation, error: Error) -> BackendError {
    let message = error.to_string();
    match error {
        Error::Mdb(error) => BackendError::from_code(operation, error.to_err_code(), message),
        Error::Io(error) => {
            if let Some(code) = error.raw_os_error() {
                return BackendError::from_code(operation, code, message);
            }
            // heed's own refusals come as I/O errors without a code.
            let kind = match error.kind() {
                std::io::ErrorKind::InvalidInput => ErrorKind::InvalidArgument,
                kind => ErrorKind::Io(kind),
            };
            BackendError::new(operation, kind, None, message)
        }
        Error::EnvAlreadyOpened => {
            BackendError::new(operation, ErrorKind::AlreadyOpen, None, message)
        }
        Error::Encoding(_) | Error::Decoding(_) => {
            BackendError::new(operation, ErrorKind::Other, None, message)
        }
    }
}
