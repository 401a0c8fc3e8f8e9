//! The traits whose calls are measured, and what a backend says of itself.

use std::path::Path;

use crate::encoding::Encoding;
use crate::error::BackendError;
use crate::options::{EnvironmentOptions, PutFlags, SyncMode};
use crate::timed::{self, Loop};

/// One way to write to LMDB from Rust: an open environment with one open database.
///
/// Each method names the LMDB call that it stands for; the meaning is that of
/// [LMDB's own documentation](http://www.lmdb.tech/doc/group__mdb.html). An adapter translates
/// calls and errors and does nothing else: no retry, no cache, no measuring, no printing.
///
/// A backend is used from one thread. Dropping it closes the environment (`mdb_env_close`).
pub trait WriteBackend: Sized {
    /// A write transaction; it cannot outlive its environment.
    type Txn<'env>: WriteTransaction
    where
        Self: 'env;

    /// What this backend is called and which crates it is made of.
    const IDENTITY: Identity;

    /// Whether a put of the value that a key has already is a change, as it is in LMDB. Where it is none,
    /// a batch that is put again leaves no trace.
    const REWRITES_EQUAL_VALUES: bool = true;

    /// What it makes of the values that it is handed.
    const ENCODING: Encoding = Encoding::Bytes;

    /// The LMDB library that this program is linked to, as the library itself states it
    /// (`mdb_version`); `None` for a backend that uses none.
    fn engine() -> Option<Engine>;

    /// Opens the environment in the existing directory `path` and the database that `options`
    /// names, creating the database if need be (`mdb_env_create`, `mdb_env_set_mapsize`,
    /// `mdb_env_set_maxdbs`, `mdb_env_open`, `mdb_dbi_open`).
    ///
    /// # Safety
    /// The data file is mapped into memory. Until the backend is dropped, nobody changes the data
    /// file or the lock file in `path` except through LMDB.
    ///
    /// # Errors
    /// Whatever [`EnvironmentOptions::check`] refuses, and what LMDB or the binding reports; the
    /// error names the path.
    unsafe fn open(path: &Path, options: &EnvironmentOptions) -> Result<Self, BackendError>;

    /// The loops that are timed, one entry for each put that this backend offers. A binding that
    /// lacks the call leaves the put out.
    #[must_use]
    fn loops() -> Vec<Loop<Self>> {
        timed::loops()
    }

    /// Begins a write transaction (`mdb_txn_begin`).
    ///
    /// LMDB allows one write transaction at a time: a second one on the same thread waits for
    /// ever.
    ///
    /// # Errors
    /// What LMDB reports, for example [`crate::ErrorKind::MapResized`].
    fn begin(&self) -> Result<Self::Txn<'_>, BackendError>;

    /// The value stored under `key`, read in a transaction of its own (`mdb_get`).
    ///
    /// # Errors
    /// What LMDB reports; an absent key is `Ok(None)`.
    fn get(&self, key: &[u8]) -> Result<Option<Vec<u8>>, BackendError>;

    /// The environment as LMDB sees it now (`mdb_env_get_flags`, `mdb_env_info`, `mdb_stat`).
    ///
    /// # Errors
    /// What LMDB reports.
    fn info(&self) -> Result<EnvironmentInfo, BackendError>;

    /// Sets the size of the memory map in bytes (`mdb_env_set_mapsize`).
    ///
    /// # Errors
    /// [`crate::ErrorKind::InvalidArgument`] while a write transaction is open.
    fn resize(&self, map_size: usize) -> Result<(), BackendError>;
}

/// A write transaction. Dropping it without [`commit`](Self::commit) aborts it.
pub trait WriteTransaction: Sized {
    /// A transaction within this one.
    type Nested<'txn>: WriteTransaction
    where
        Self: 'txn;

    /// Stores a pair, replacing an old value (`mdb_put` with no flags).
    ///
    /// # Errors
    /// Among others [`MapFull`](crate::ErrorKind::MapFull), after which every further put and the
    /// commit report [`BadTransaction`](crate::ErrorKind::BadTransaction), and
    /// [`BadValueSize`](crate::ErrorKind::BadValueSize) for a key of 0 or more than 511 bytes,
    /// after which the transaction can go on.
    fn put(&mut self, key: &[u8], value: &[u8]) -> Result<(), BackendError>;

    /// Stores a pair as `flags` say (`mdb_put`).
    ///
    /// # Errors
    /// Those of [`put`](Self::put), and [`KeyExists`](crate::ErrorKind::KeyExists) where the flags
    /// forbid the put.
    fn put_with_flags(
        &mut self,
        key: &[u8],
        value: &[u8],
        flags: PutFlags,
    ) -> Result<(), BackendError>;

    /// Makes all puts visible, and durable as the sync mode says (`mdb_txn_commit`). A transaction
    /// that wrote nothing commits without touching the file.
    ///
    /// # Errors
    /// What LMDB reports; nothing of the transaction is visible then.
    fn commit(self) -> Result<(), BackendError>;

    /// Drops all puts (`mdb_txn_abort`).
    fn abort(self);

    /// Begins a transaction within this one (`mdb_txn_begin` with a parent).
    ///
    /// # Errors
    /// What LMDB reports, for example when the environment has a writable map.
    fn begin_nested(&mut self) -> Result<Self::Nested<'_>, BackendError>;
}

/// What a backend is called and which crates it is made of. Which versions they have is not for a
/// program to say: cargo knows what it linked.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Identity {
    /// The backend's stable id, a row of the tables: `raw-ffi`, `heed`, ...
    pub id: &'static str,
    /// The crate that a user adds to use LMDB this way; `None` for a backend without LMDB.
    pub binding: Option<&'static str>,
    /// The crate whose C sources the engine is built from; `None` for a backend without LMDB.
    pub engine: Option<&'static str>,
}

/// The LMDB library in a program, as observed at run time.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Engine {
    /// `major.minor.patch` as `mdb_version` returns it.
    pub version: String,
    /// The address of `mdb_put` in this process; only its remainder modulo 64 is of interest.
    pub put_address: usize,
}

impl Engine {
    /// An engine from the three numbers of `mdb_version` and the address of `mdb_put`.
    #[must_use]
    pub fn new(major: i32, minor: i32, patch: i32, put_address: usize) -> Self {
        Self { version: format!("{major}.{minor}.{patch}"), put_address }
    }
}

/// The flags of an open environment that change what a commit costs.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct EnvironmentFlags {
    /// What a commit waits for.
    pub sync: SyncMode,
    /// Whether the map is writable (`MDB_WRITEMAP`).
    pub writable_map: bool,
    /// Whether its memory is left as it is found (`MDB_NOMEMINIT`).
    pub no_mem_init: bool,
    /// Whether the system was told not to read ahead (`MDB_NORDAHEAD`).
    pub no_read_ahead: bool,
}

impl EnvironmentFlags {
    /// Reads the bits that `mdb_env_get_flags` returns (`lmdb.h`, "Environment Flags").
    ///
    /// ```
    /// use write_backend::{EnvironmentFlags, SyncMode};
    /// let flags = EnvironmentFlags::from_bits(0x9_0000);
    /// assert_eq!(flags.sync, SyncMode::NoSync);
    /// assert!(flags.writable_map);
    /// ```
    #[must_use]
    pub fn from_bits(bits: u32) -> Self {
        const NOSYNC: u32 = 0x1_0000;
        const NOMETASYNC: u32 = 0x4_0000;
        const WRITEMAP: u32 = 0x8_0000;
        const MAPASYNC: u32 = 0x10_0000;
        const NORDAHEAD: u32 = 0x80_0000;
        const NOMEMINIT: u32 = 0x100_0000;
        let sync = if bits & NOSYNC != 0 {
            SyncMode::NoSync
        } else if bits & MAPASYNC != 0 {
            SyncMode::MapAsync
        } else if bits & NOMETASYNC != 0 {
            SyncMode::NoMetaSync
        } else {
            SyncMode::Sync
        };
        let has = |flag| bits & flag != 0;
        Self {
            sync,
            writable_map: has(WRITEMAP),
            no_mem_init: has(NOMEMINIT),
            no_read_ahead: has(NORDAHEAD),
        }
    }
}

/// An open environment as LMDB describes it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct EnvironmentInfo {
    /// The flags it runs with.
    pub flags: EnvironmentFlags,
    /// The size of the memory map in bytes.
    pub map_size: usize,
    /// The id of the last committed transaction that wrote something; each such commit adds one.
    pub last_transaction: u64,
    /// The number of pairs in the open database.
    pub entries: u64,
}
