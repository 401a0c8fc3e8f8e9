//! What the forks have calls for, and `lmdb` has not.

use crate::binding::{Database, Environment, Error, RoTransaction, Transaction as _};

/// Sets the size of the map in bytes.
pub(crate) fn resize(env: &Environment, map_size: usize) -> Result<(), Error> {
    env.set_map_size(map_size)
}

/// The size of the map in bytes, and the last transaction.
pub(crate) fn info(env: &Environment) -> Result<(usize, usize), Error> {
    env.info().map(|info| (info.map_size(), info.last_txnid()))
}

/// How many pairs `database` holds.
pub(crate) fn entries(txn: &RoTransaction<'_>, database: Database) -> Result<usize, Error> {
    txn.stat(database).map(|stat| stat.entries())
}
