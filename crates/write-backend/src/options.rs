//! How an environment is opened and how a pair is put: the defaults of every measurement.

use serde::{Deserialize, Serialize};

use crate::error::{BackendError, ErrorKind, Operation};
use crate::named::named;

/// The map size that is used unless another is asked for, in bytes: LMDB's own default in the
/// benchmark this project grew from.
pub const DEFAULT_MAP_SIZE: usize = 10 * 1024 * 1024;

/// How an environment and its database are opened.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct EnvironmentOptions {
    /// Size of the memory map in bytes (`mdb_env_set_mapsize`); 0 leaves LMDB's default of 1 MiB.
    pub map_size: usize,
    /// What a commit waits for.
    pub sync: SyncMode,
    /// Whether pages are written through a writable map (`MDB_WRITEMAP`).
    pub writable_map: bool,
    /// Whether memory that is written to the file is left as it is found (`MDB_NOMEMINIT`).
    #[serde(default)]
    pub no_mem_init: bool,
    /// Whether the system is told not to read ahead (`MDB_NORDAHEAD`).
    #[serde(default)]
    pub no_read_ahead: bool,
    /// How many named databases may be open (`mdb_env_set_maxdbs`); 0 for the unnamed one alone.
    pub max_databases: u32,
    /// The database that is opened with the environment.
    pub database: DatabaseOptions,
}

impl Default for EnvironmentOptions {
    /// The defaults of the measurements: 10 MiB, no sync, read-only map, the unnamed database.
    fn default() -> Self {
        Self {
            map_size: DEFAULT_MAP_SIZE,
            sync: SyncMode::NoSync,
            writable_map: false,
            no_mem_init: false,
            no_read_ahead: false,
            max_databases: 0,
            database: DatabaseOptions::default(),
        }
    }
}

impl EnvironmentOptions {
    /// Refuses what LMDB would accept without doing what its name says.
    ///
    /// ```
    /// use write_backend::{EnvironmentOptions, SyncMode};
    /// let options = EnvironmentOptions { sync: SyncMode::MapAsync, ..Default::default() };
    /// assert!(options.check().is_err());
    /// assert!(EnvironmentOptions { writable_map: true, ..options }.check().is_ok());
    /// ```
    ///
    /// # Errors
    /// [`ErrorKind::InvalidArgument`] for [`SyncMode::MapAsync`] without a writable map, which
    /// LMDB ignores (`lmdb.h`: "When using `MDB_WRITEMAP`, use asynchronous flushes"), for a named
    /// database when none is allowed, and for a database name with a NUL byte.
    pub fn check(&self) -> Result<(), BackendError> {
        let refuse = |message: &str| {
            Err(BackendError::new(Operation::Open, ErrorKind::InvalidArgument, None, message))
        };
        if self.sync == SyncMode::MapAsync && !self.writable_map {
            return refuse(
                "sync mode `mapasync` needs a writable map: without one LMDB ignores it and \
                 every commit waits for the disk",
            );
        }
        if let Some(name) = &self.database.name {
            if self.max_databases == 0 {
                return refuse("a named database needs `max_databases` of at least 1");
            }
            if name.contains('\0') {
                return refuse("a database name may not contain a NUL byte");
            }
        }
        Ok(())
    }
}

/// Which database is opened, and how (`mdb_dbi_open`).
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct DatabaseOptions {
    /// The database's name; `None` for the unnamed one.
    pub name: Option<String>,
    /// Whether a key may have several values, sorted (`MDB_DUPSORT`).
    pub duplicates: bool,
    /// Whether keys are integers of the machine (`MDB_INTEGERKEY`).
    #[serde(default)]
    pub integer_keys: bool,
}

/// What a commit waits for.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum SyncMode {
    /// Nothing: a commit ends when the kernel has the pages (`MDB_NOSYNC`). The default here, so
    /// that the disk does not hide the binding. A crash of the machine can lose commits or more.
    NoSync,
    /// The data pages, not the meta page (`MDB_NOMETASYNC`): a crash can lose the last commit.
    NoMetaSync,
    /// Data and meta page (LMDB's default): a commit that returned is durable.
    Sync,
    /// An asynchronous flush of the writable map (`MDB_WRITEMAP` with `MDB_MAPASYNC`).
    MapAsync,
}

named!(
    SyncMode,
    "sync mode",
    [NoSync = "nosync", NoMetaSync = "nometasync", Sync = "sync", MapAsync = "mapasync"]
);

/// How a single put treats what is already there.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct PutFlags {
    /// Fail when the key exists (`MDB_NOOVERWRITE`).
    pub no_overwrite: bool,
    /// Put at the end without searching; fail when the key is not the highest (`MDB_APPEND`).
    pub append: bool,
}

impl PutFlags {
    /// Only new keys.
    pub const NO_OVERWRITE: Self = Self { no_overwrite: true, append: false };
    /// Only keys higher than all others.
    pub const APPEND: Self = Self { no_overwrite: false, append: true };

    /// The flags as the bits of `mdb_put` (`lmdb.h`, "Write Flags").
    #[must_use]
    pub const fn bits(self) -> u32 {
        const NOOVERWRITE: u32 = 0x10;
        const APPEND: u32 = 0x2_0000;
        (if self.no_overwrite { NOOVERWRITE } else { 0 }) | (if self.append { APPEND } else { 0 })
    }
}
