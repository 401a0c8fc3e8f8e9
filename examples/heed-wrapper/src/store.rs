//! What a program may have around heed: a store with one database, and batches of changes to it.

use std::path::Path;

use heed::types::Bytes;
use heed::{CommitOrAbort, Database, Env, EnvFlags, EnvOpenOptions, Error, PutFlags, RwTxn};

/// An open store.
pub struct Store {
    env: Env,
    pairs: Database<'static, Bytes, Bytes>,
}

impl Store {
    /// Opens the store in `path` with a map of `map_size` bytes.
    ///
    /// # Safety
    /// While it is open, nobody may change its files except through LMDB.
    ///
    /// # Errors
    /// What heed reports.
    pub unsafe fn open(path: &Path, map_size: usize, flags: EnvFlags) -> Result<Self, Error> {
        let mut options = EnvOpenOptions::new();
        options.map_size(map_size);
        // SAFETY: the flags give up durability alone, as the caller wants.
        unsafe { options.flags(flags) };
        // SAFETY: the caller keeps others off the files.
        let env = unsafe { options.open(path)? };
        let txn = env.write_txn()?;
        let created = env.create_databases_and_commit(txn, |opener, txn| {
            let options = opener.database_options().types::<Bytes, Bytes>();
            options.create(txn).map(CommitOrAbort::<_, std::convert::Infallible>::Commit)
        })?;
        match created {
            CommitOrAbort::Commit(pairs) => Ok(Self { env, pairs }),
            CommitOrAbort::Abort(never) => match never {},
        }
    }

    /// Begins a batch of changes.
    ///
    /// # Errors
    /// What heed reports.
    pub fn batch(&self) -> Result<Batch<'_>, Error> {
        Ok(Batch { store: self, txn: self.env.write_txn()? })
    }

    /// The value of `key`.
    ///
    /// # Errors
    /// What heed reports.
    pub fn get(&self, key: &[u8]) -> Result<Option<Vec<u8>>, Error> {
        let txn = self.env.read_txn()?;
        Ok(self.pairs.get(&txn, key)?.map(<[u8]>::to_vec))
    }

    /// The environment, and the number of pairs in it.
    ///
    /// # Errors
    /// What heed reports.
    pub fn describe(&self) -> Result<(&Env, u64), Error> {
        let txn = self.env.read_txn()?;
        Ok((&self.env, self.pairs.len(&txn)?))
    }
}

/// Changes that take effect together; dropped, they take none.
pub struct Batch<'store> {
    store: &'store Store,
    txn: RwTxn<'store>,
}

impl Batch<'_> {
    /// Sets the value of `key`, as `flags` say.
    ///
    /// # Errors
    /// What heed reports.
    #[inline]
    pub fn set(&mut self, key: &[u8], value: &[u8], flags: PutFlags) -> Result<(), Error> {
        self.store.pairs.put_with_flags(&mut self.txn, flags, key, value)
    }

    /// Makes the changes.
    ///
    /// # Errors
    /// What heed reports.
    #[inline]
    pub fn commit(self) -> Result<(), Error> {
        self.txn.commit()
    }
}
