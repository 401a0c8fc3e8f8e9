//! Backend `null`: stores nothing. What its row shows is the harness's own floor: the loop and the
//! reading of the input.

use std::hint::black_box;
use std::path::Path;

use write_backend::timed::{self, Loop};
use write_backend::{
    BackendError, Cursors, Engine, EnvironmentFlags, EnvironmentInfo, EnvironmentOptions, Identity,
    PutFlags, Reserves, WriteBackend, WriteTransaction,
};

/// Nothing.
#[derive(Debug)]
pub struct Null {
    options: EnvironmentOptions,
}

impl WriteBackend for Null {
    type Txn<'env> = NullTxn;

    const IDENTITY: Identity = Identity { id: "null", binding: None, engine: None };

    fn engine() -> Option<Engine> {
        None
    }

    unsafe fn open(path: &Path, options: &EnvironmentOptions) -> Result<Self, BackendError> {
        options.check().map_err(|error| error.at(path))?;
        Ok(Self { options: options.clone() })
    }

    fn loops() -> Vec<Loop<Self>> {
        timed::all_loops()
    }

    #[inline]
    fn begin(&self) -> Result<NullTxn, BackendError> {
        Ok(NullTxn)
    }

    fn get(&self, _key: &[u8]) -> Result<Option<Vec<u8>>, BackendError> {
        Ok(None)
    }

    fn info(&self) -> Result<EnvironmentInfo, BackendError> {
        let EnvironmentOptions { sync, writable_map, no_mem_init, no_read_ahead, map_size, .. } =
            self.options;
        let flags = EnvironmentFlags { sync, writable_map, no_mem_init, no_read_ahead };
        Ok(EnvironmentInfo { flags, map_size, last_transaction: 0, entries: 0 })
    }

    fn resize(&self, _map_size: usize) -> Result<(), BackendError> {
        Ok(())
    }
}

impl Reserves for Null {
    #[inline]
    fn put_reserved(
        txn: &mut NullTxn,
        key: &[u8],
        _size: usize,
        content: &[u8],
    ) -> Result<(), BackendError> {
        txn.put(key, content)
    }
}

impl Cursors for Null {
    type Cursor<'txn> = NullTxn;

    #[inline]
    fn cursor(_txn: &mut NullTxn) -> Result<NullTxn, BackendError> {
        Ok(NullTxn)
    }

    #[inline]
    fn cursor_put(
        cursor: &mut NullTxn,
        key: &[u8],
        value: &[u8],
        _flags: PutFlags,
    ) -> Result<(), BackendError> {
        cursor.put(key, value)
    }
}

/// A transaction that forgets.
#[derive(Debug)]
pub struct NullTxn;

impl WriteTransaction for NullTxn {
    type Nested<'txn> = NullTxn;

    #[inline]
    fn put(&mut self, key: &[u8], value: &[u8]) -> Result<(), BackendError> {
        // Without this the compiler removes the loop that the row is there to show.
        black_box((key, value));
        Ok(())
    }

    #[inline]
    fn put_with_flags(
        &mut self,
        key: &[u8],
        value: &[u8],
        _flags: PutFlags,
    ) -> Result<(), BackendError> {
        self.put(key, value)
    }

    #[inline]
    fn commit(self) -> Result<(), BackendError> {
        Ok(())
    }

    #[inline]
    fn abort(self) {}

    fn begin_nested(&mut self) -> Result<NullTxn, BackendError> {
        Ok(NullTxn)
    }
}
