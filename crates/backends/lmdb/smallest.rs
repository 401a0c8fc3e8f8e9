//! Opens an environment, puts one pair and commits it, through lmdb or one of its forks.

use std::error::Error;
use std::path::Path;

use binding::{Environment, Transaction, WriteFlags};

fn main() -> Result<(), Box<dyn Error>> {
    let directory = std::env::args().nth(1).ok_or("a directory is needed")?;
    if !Path::new(&directory).is_dir() {
        return Err("that is no directory".into());
    }
    let env = Environment::new().open(Path::new(&directory))?;
    let database = env.open_db(None)?;
    let mut txn = env.begin_rw_txn()?;
    txn.put(database, b"key", b"value", WriteFlags::empty())?;
    txn.commit()?;
    Ok(())
}
