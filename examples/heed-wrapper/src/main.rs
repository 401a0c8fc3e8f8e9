//! A wrapper around heed as a backend: what does the wrapper add?
//!
//! Everything that the harness needs is here: `WriteBackend` and `WriteTransaction` for the wrapper, and
//! a `main` that serves the protocol.

use std::path::Path;
use std::process::ExitCode;

use heed::{EnvFlags, Error, PutFlags as Flags};
use write_backend::{
    BackendError, DatabaseOptions, Engine, EnvironmentFlags, EnvironmentInfo, EnvironmentOptions, ErrorKind,
    Identity, Operation, PutFlags, SyncMode, WriteBackend, WriteTransaction,
};

mod store;

use store::{Batch, Store};

fn main() -> ExitCode {
    write_backend::worker::main::<Store>()
}

impl WriteBackend for Store {
    type Txn<'env> = Batch<'env>;

    const IDENTITY: Identity =
        Identity { id: "heed-wrapper", binding: Some("heed"), engine: Some("lmdb-master-sys") };

    fn engine() -> Option<Engine> {
        let version = heed::lmdb_version();
        // The address of mdb_put is not known here: nothing is said of its alignment.
        Some(Engine::new(version.major, version.minor, version.patch, 0))
    }

    unsafe fn open(path: &Path, options: &EnvironmentOptions) -> Result<Self, BackendError> {
        options.check()?;
        if options.database != DatabaseOptions::default() {
            let why = "the wrapper has the unnamed database without duplicates and integers alone";
            return Err(BackendError::new(Operation::Open, ErrorKind::NotOffered, None, why));
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
        // SAFETY: the caller promises the same.
        let opened = unsafe { Self::open(path, options.map_size, flags) };
        opened.map_err(|error| translate(Operation::Open, &error).at(path))
    }

    #[inline]
    fn begin(&self) -> Result<Batch<'_>, BackendError> {
        self.batch().map_err(|error| translate(Operation::Begin, &error))
    }

    fn get(&self, key: &[u8]) -> Result<Option<Vec<u8>>, BackendError> {
        Self::get(self, key).map_err(|error| translate(Operation::Get, &error))
    }

    fn info(&self) -> Result<EnvironmentInfo, BackendError> {
        let said = |error| translate(Operation::Info, &error);
        let (env, entries) = self.describe().map_err(said)?;
        let info = env.info();
        Ok(EnvironmentInfo {
            flags: EnvironmentFlags::from_bits(env.get_flags().map_err(said)?),
            map_size: info.map_size,
            last_transaction: info.last_txn_id as u64,
            entries,
        })
    }

    fn resize(&self, _map_size: usize) -> Result<(), BackendError> {
        let why = "the wrapper does not resize";
        Err(BackendError::new(Operation::Resize, ErrorKind::NotOffered, None, why))
    }
}

impl WriteTransaction for Batch<'_> {
    type Nested<'txn>
        = Self
    where
        Self: 'txn;

    #[inline]
    fn put(&mut self, key: &[u8], value: &[u8]) -> Result<(), BackendError> {
        let set = self.set(key, value, Flags::empty());
        set.map_err(|error| translate(Operation::Put, &error))
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
        self.set(key, value, wanted).map_err(|error| translate(Operation::Put, &error))
    }

    #[inline]
    fn commit(self) -> Result<(), BackendError> {
        Batch::commit(self).map_err(|error| translate(Operation::Commit, &error))
    }

    #[inline]
    fn abort(self) {}

    fn begin_nested(&mut self) -> Result<Self, BackendError> {
        let why = "the wrapper does not nest batches";
        Err(BackendError::new(Operation::BeginNested, ErrorKind::NotOffered, None, why))
    }
}

#[cold]
fn translate(operation: Operation, error: &Error) -> BackendError {
    let message = error.to_string();
    match error {
        Error::Mdb(error) => BackendError::from_code(operation, error.to_err_code(), message),
        Error::Io(error) if error.raw_os_error().is_some() => {
            BackendError::from_code(operation, error.raw_os_error().unwrap_or(0), message)
        }
        _ => BackendError::new(operation, ErrorKind::Other, None, message),
    }
}
