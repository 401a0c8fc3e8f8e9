//! Opens an environment, puts one pair and commits it, through the C calls.

use std::error::Error;
use std::ffi::{CStr, CString};
use std::ptr;

use binding as ffi;

fn check(code: i32) -> Result<(), Box<dyn Error>> {
    if code == 0 {
        return Ok(());
    }
    // SAFETY: `mdb_strerror` returns a string for every code, valid until the next call.
    let message = unsafe { CStr::from_ptr(ffi::mdb_strerror(code)) };
    Err(message.to_string_lossy().into_owned().into())
}

fn main() -> Result<(), Box<dyn Error>> {
    let directory = std::env::args().nth(1).ok_or("a directory is needed")?;
    if !std::path::Path::new(&directory).is_dir() {
        return Err("that is no directory".into());
    }
    let path = CString::new(directory)?;
    let mut env = ptr::null_mut();
    // SAFETY: `env` is valid for writing.
    check(unsafe { ffi::mdb_env_create(&mut env) })?;
    // SAFETY: the environment was created and `path` ends with NUL.
    check(unsafe { ffi::mdb_env_open(env, path.as_ptr(), 0, 0o600) })?;
    let mut txn = ptr::null_mut();
    // SAFETY: the environment is open and `txn` is valid for writing.
    check(unsafe { ffi::mdb_txn_begin(env, ptr::null_mut(), 0, &mut txn) })?;
    let mut dbi = 0;
    // SAFETY: the transaction is open, no name is the unnamed database, `dbi` is valid for writing.
    check(unsafe { ffi::mdb_dbi_open(txn, ptr::null(), 0, &mut dbi) })?;
    let (key, value) = (b"key", b"value");
    let mut key = ffi::MDB_val { mv_size: key.len(), mv_data: key.as_ptr().cast_mut().cast() };
    let mut value = ffi::MDB_val { mv_size: value.len(), mv_data: value.as_ptr().cast_mut().cast() };
    // SAFETY: the transaction is open, LMDB only reads what both structures point to.
    check(unsafe { ffi::mdb_put(txn, dbi, &mut key, &mut value, 0) })?;
    // SAFETY: the transaction is open and not used after this.
    check(unsafe { ffi::mdb_txn_commit(txn) })?;
    // SAFETY: no transaction is open and the environment is not used after this.
    unsafe { ffi::mdb_env_close(env) };
    Ok(())
}
