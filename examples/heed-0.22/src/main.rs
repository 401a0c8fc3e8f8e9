//! heed 0.22 as a backend: what did heed 0.23 change?
//!
//! What is timed stands as in the adapter of heed in this workspace. What is not is as short as it can be.

use std::path::Path;
use std::process::ExitCode;

use heed::types::Bytes;
use heed::{Database, Env, EnvFlags, EnvOpenOptions, Error, PutFlags as Flags, RwTxn};
use write_backend::{
    BackendError, DatabaseOptions, Engine, EnvironmentFlags, EnvironmentInfo, EnvironmentOptions,
    ErrorKind, Identity, Operation, PutFlags, SyncMode, WriteBackend, WriteTransaction,
};

fn main() -> ExitCode {
    write_backend::worker::main::<Heed>()
}

/// An open environment with the unnamed database.
#[derive(Debug)]
struct Heed {
    env: Env,
    database: Database<Bytes, Bytes>,
}

impl WriteBackend for Heed {
    type Txn<'env> = HeedTxn<'env>;

    const IDENTITY: Identity =
        Identity { id: "heed-0.22", binding: Some("heed"), engine: Some("lmdb-master-sys") };

    fn engine() -> Option<Engine> {
        let version = heed::lmdb_version();
        let put_address = lmdb_master_sys::mdb_put as *const () as usize;
        Some(Engine::new(version.major, version.minor, version.patch, put_address))
    }

    unsafe fn open(path: &Path, options: &EnvironmentOptions) -> Result<Self, BackendError> {
        options.check()?;
        if options.database != DatabaseOptions::default() {
            return Err(not_offered(Operation::Open));
        }
        let mut flags = match options.sync {
            SyncMode::Sync => EnvFlags::empty(),
            SyncMode::NoMetaSync => EnvFlags::NO_META_SYNC,
            SyncMode::NoSync => EnvFlags::NO_SYNC,
            SyncMode::MapAsync => EnvFlags::MAP_ASYNC,
        };
        flags.set(EnvFlags::WRITE_MAP, options.writable_map);
        flags.set(EnvFlags::NO_MEM_INIT, options.no_mem_init);
        flags.set(EnvFlags::NO_READ_AHEAD, options.no_read_ahead);
        let mut builder = EnvOpenOptions::new();
        builder.map_size(options.map_size);
        let mut opened = || {
            // SAFETY: which flags are set is the caller's wish, and that nobody changes the files but
            // through LMDB is his promise (`WriteBackend::open`).
            let env = unsafe { builder.flags(flags).open(path) }?;
            let mut txn = env.write_txn()?;
            let database = env.create_database(&mut txn, None)?;
            txn.commit()?;
            Ok(Self { env, database })
        };
        opened().map_err(|error| translate(Operation::Open, error).at(path))
    }

    #[inline]
    fn begin(&self) -> Result<HeedTxn<'_>, BackendError> {
        match self.env.write_txn() {
            Ok(txn) => Ok(HeedTxn { database: self.database, txn }),
            Err(error) => Err(translate(Operation::Begin, error)),
        }
    }

    fn get(&self, key: &[u8]) -> Result<Option<Vec<u8>>, BackendError> {
        let said = |error| translate(Operation::Get, error);
        let txn = self.env.read_txn().map_err(said)?;
        let value = self.database.get(&txn, key).map_err(said)?;
        Ok(value.map(<[u8]>::to_vec))
    }

    fn info(&self) -> Result<EnvironmentInfo, BackendError> {
        let said = |error| translate(Operation::Info, error);
        let bits = self.env.get_flags().map_err(said)?;
        let info = self.env.info();
        let txn = self.env.read_txn().map_err(said)?;
        Ok(EnvironmentInfo {
            flags: EnvironmentFlags::from_bits(bits),
            map_size: info.map_size,
            last_transaction: info.last_txn_id as u64,
            entries: self.database.len(&txn).map_err(said)?,
        })
    }

    fn resize(&self, _map_size: usize) -> Result<(), BackendError> {
        Err(not_offered(Operation::Resize))
    }
}

struct HeedTxn<'env> {
    database: Database<Bytes, Bytes>,
    txn: RwTxn<'env>,
}

impl WriteTransaction for HeedTxn<'_> {
    type Nested<'txn>
        = Self
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
        let mut wanted = Flags::empty();
        wanted.set(Flags::NO_OVERWRITE, flags.no_overwrite);
        wanted.set(Flags::APPEND, flags.append);
        match self.database.put_with_flags(&mut self.txn, wanted, key, value) {
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

    fn begin_nested(&mut self) -> Result<Self, BackendError> {
        Err(not_offered(Operation::BeginNested))
    }
}

fn not_offered(operation: Operation) -> BackendError {
    let why = "only what is timed by default is written here";
    BackendError::new(operation, ErrorKind::NotOffered, None, why)
}

#[cold]
fn translate(operation: Operation, error: Error) -> BackendError {
    let message = error.to_string();
    match error {
        Error::Mdb(error) => BackendError::from_code(operation, error.to_err_code(), message),
        Error::Io(error) if error.raw_os_error().is_some() => {
            BackendError::from_code(operation, error.raw_os_error().unwrap_or(0), message)
        }
        _ => BackendError::new(operation, ErrorKind::Other, None, message),
    }
}
