//! MDBX as three backends: raw FFI, and the two APIs of signet-libmdbx.
//!
//! It is no LMDB: its file is another, and so is what a transaction has to do. The three are compared with
//! each other. With LMDB only the time for the same pairs can be, and only where they are aborted: of a
//! committed batch every later put finds its value there, and MDBX leaves it alone (`cursor_put` in
//! `mdbx.c`), where LMDB writes it again. `nosync` is `MDBX_UTTERLY_NOSYNC`, which promises as little as
//! `MDB_NOSYNC`.
//!
//! Of workloads with a preload and new keys the check refuses the commits of all three: MDBX numbers one
//! transaction more than there were commits. Why is not known yet.

use std::ffi::CStr;

use signet_mdbx_sys as ffi;
use write_backend::{
    BackendError, DatabaseOptions, Engine, EnvironmentFlags, EnvironmentInfo, EnvironmentOptions,
    ErrorKind, Operation, SyncMode,
};

pub mod raw;
pub mod signet;

/// A new file has this many metas, each with a transaction id (`INITIAL_TXNID` in `mdbx.c`): the first
/// commit gets the next one.
const INITIAL_TXNID: u64 = 3;

/// The library in this program.
fn engine() -> Engine {
    // SAFETY: a constant of the library.
    let version = unsafe { &ffi::mdbx_version };
    let [major, minor, patch] = [version.major, version.minor, version.patch].map(i32::from);
    Engine::new(major, minor, patch, ffi::mdbx_put as *const () as usize)
}

/// Refuses what is not written here.
fn check_options(options: &EnvironmentOptions) -> Result<(), BackendError> {
    options.check()?;
    let is_usual = options.database == DatabaseOptions::default();
    if is_usual && options.sync != SyncMode::MapAsync {
        return Ok(());
    }
    Err(not_offered(
        Operation::Open,
        "the unnamed database alone, and no mapasync, which MDBX has not",
    ))
}

fn not_offered(operation: Operation, why: &str) -> BackendError {
    BackendError::new(operation, ErrorKind::NotOffered, None, why)
}

/// An open environment as MDBX describes it, with `entries`.
///
/// # Safety
/// `env` is open.
unsafe fn info(env: *mut ffi::MDBX_env, entries: u64) -> Result<EnvironmentInfo, BackendError> {
    let mut bits = 0;
    // SAFETY: the environment is open, and the number is valid for writing.
    check(Operation::Info, unsafe { ffi::mdbx_env_get_flags(env, &raw mut bits) })?;
    // SAFETY: a structure of integers; all zero is a value of it.
    let mut info: ffi::MDBX_envinfo = unsafe { std::mem::zeroed() };
    let size = size_of_val(&info);
    // SAFETY: the environment is open, and the structure of that size is valid for writing.
    let code = unsafe { ffi::mdbx_env_info_ex(env, std::ptr::null(), &raw mut info, size) };
    check(Operation::Info, code)?;
    let sync = match bits {
        _ if bits & ffi::MDBX_UTTERLY_NOSYNC == ffi::MDBX_UTTERLY_NOSYNC => SyncMode::NoSync,
        _ if bits & ffi::MDBX_SAFE_NOSYNC != 0 => SyncMode::MapAsync,
        _ if bits & ffi::MDBX_NOMETASYNC != 0 => SyncMode::NoMetaSync,
        _ => SyncMode::Sync,
    };
    Ok(EnvironmentInfo {
        // The other bits are those of LMDB.
        flags: EnvironmentFlags { sync, ..EnvironmentFlags::from_bits(bits) },
        map_size: usize::try_from(info.mi_geo.upper).unwrap_or(usize::MAX),
        last_transaction: info.mi_recent_txnid.saturating_sub(INITIAL_TXNID),
        entries,
    })
}

#[inline]
fn check(operation: Operation, code: i32) -> Result<(), BackendError> {
    if code == ffi::MDBX_SUCCESS { Ok(()) } else { Err(error(operation, code)) }
}

#[cold]
fn error(operation: Operation, code: i32) -> BackendError {
    // SAFETY: takes any integer, and returns a C string that is copied at once.
    let text = unsafe { CStr::from_ptr(ffi::mdbx_strerror(code)) };
    BackendError::from_code(operation, code, text.to_string_lossy())
}
