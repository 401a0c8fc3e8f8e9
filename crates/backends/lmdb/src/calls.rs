//! What the binding has no call for.

use std::mem;

use crate::binding::{Database, Environment, Error, RoTransaction, Transaction as _};
use crate::ffi;

/// Sets the size of the map in bytes.
pub(crate) fn resize(env: &Environment, map_size: usize) -> Result<(), Error> {
    // SAFETY: the environment is open. LMDB refuses while it has a write transaction; who calls this
    // answers for read transactions.
    check(unsafe { ffi::mdb_env_set_mapsize(env.env(), map_size) })
}

/// The size of the map in bytes, and the last transaction.
pub(crate) fn info(env: &Environment) -> Result<(usize, usize), Error> {
    // SAFETY: a structure of integers and a pointer; all zero is a value of it.
    let mut info: ffi::MDB_envinfo = unsafe { mem::zeroed() };
    // SAFETY: the environment is open and `info` is valid for writing.
    check(unsafe { ffi::mdb_env_info(env.env(), &raw mut info) })?;
    Ok((info.me_mapsize, info.me_last_txnid))
}

/// How many pairs `database` holds.
pub(crate) fn entries(txn: &RoTransaction<'_>, database: Database) -> Result<usize, Error> {
    // SAFETY: a structure of integers; all zero is a value of it.
    let mut stat: ffi::MDB_stat = unsafe { mem::zeroed() };
    // SAFETY: the transaction is open and `stat` is valid for writing.
    check(unsafe { ffi::mdb_stat(txn.txn(), database.dbi(), &raw mut stat) })?;
    Ok(stat.ms_entries)
}

fn check(code: i32) -> Result<(), Error> {
    if code == ffi::MDB_SUCCESS { Ok(()) } else { Err(Error::from_err_code(code)) }
}
