//! Opens an environment, puts one pair and commits it, through heed or heed3.

use std::convert::Infallible;
use std::error::Error;

use binding::types::Bytes;
use binding::{CommitOrAbort, EnvOpenOptions};

fn main() -> Result<(), Box<dyn Error>> {
    let directory = std::env::args().nth(1).ok_or("a directory is needed")?;
    if !std::path::Path::new(&directory).is_dir() {
        return Err("that is no directory".into());
    }
    // SAFETY: nobody else changes the files while they are mapped.
    let env = unsafe { EnvOpenOptions::new().open(&directory)? };
    let txn = env.write_txn()?;
    let created = env.create_databases_and_commit(txn, |opener, txn| {
        let options = opener.database_options().types::<Bytes, Bytes>();
        options.create(txn).map(CommitOrAbort::<_, Infallible>::Commit)
    })?;
    let database = match created {
        CommitOrAbort::Commit(database) => database,
        CommitOrAbort::Abort(never) => match never {},
    };
    let mut txn = env.write_txn()?;
    database.put(&mut txn, b"key", b"value")?;
    txn.commit()?;
    Ok(())
}
