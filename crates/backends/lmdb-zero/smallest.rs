//! Opens an environment, puts one pair and commits it, through lmdb-zero.

use std::error::Error;

use binding::{Database, DatabaseOptions, EnvBuilder, WriteTransaction, open, put};

fn main() -> Result<(), Box<dyn Error>> {
    let directory = std::env::args().nth(1).ok_or("a directory is needed")?;
    if !std::path::Path::new(&directory).is_dir() {
        return Err("that is no directory".into());
    }
    // SAFETY: nobody else changes the files while they are mapped.
    let env = unsafe { EnvBuilder::new()?.open(&directory, open::Flags::empty(), 0o600)? };
    let database = Database::open(&env, None, &DatabaseOptions::defaults())?;
    let txn = WriteTransaction::new(&env)?;
    txn.access().put(&database, b"key", b"value", put::Flags::empty())?;
    txn.commit()?;
    Ok(())
}
