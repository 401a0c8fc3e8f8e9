//! An adapter that is sound except for one defect: a decorator over raw-ffi.

use std::cell::Cell;
use std::marker::PhantomData;
use std::path::{Path, PathBuf};

use backend_raw_ffi::{RawFfi, RawReader, RawTxn};
use write_backend::{
    Access, BackendError, Engine, EnvironmentInfo, EnvironmentOptions, Identity, Probe, PutFlags,
    Reserves, WriteBackend, WriteTransaction,
};

/// What an adapter does wrong. Every method is right unless a defect replaces it.
pub(crate) trait Defect: Sized + 'static {
    /// How the environment is opened when `asked` is asked for.
    fn options(asked: &EnvironmentOptions) -> EnvironmentOptions {
        asked.clone()
    }

    /// Where.
    fn directory(asked: &Path) -> PathBuf {
        asked.to_owned()
    }

    fn put(txn: &mut BrokenTxn<'_, Self>, key: &[u8], value: &[u8]) -> Result<(), BackendError> {
        txn.raw().put(key, value)
    }

    fn commit(txn: BrokenTxn<'_, Self>) -> Result<(), BackendError> {
        txn.into_raw().commit()
    }

    fn abort(txn: BrokenTxn<'_, Self>) {
        txn.into_raw().abort();
    }
}

/// raw-ffi with the defect `D`.
pub(crate) struct Broken<D> {
    raw: RawFfi,
    /// How many transactions were begun.
    begun: Cell<usize>,
    defect: PhantomData<D>,
}

impl<D: Defect> WriteBackend for Broken<D> {
    type Txn<'env> = BrokenTxn<'env, D>;

    const IDENTITY: Identity = RawFfi::IDENTITY;

    fn engine() -> Option<Engine> {
        RawFfi::engine()
    }

    unsafe fn open(path: &Path, options: &EnvironmentOptions) -> Result<Self, BackendError> {
        // SAFETY: the caller promises the same.
        unsafe { Self::open_with(path, options, Access::default()) }
    }

    fn begin(&self) -> Result<BrokenTxn<'_, D>, BackendError> {
        self.begun.set(self.begun.get() + 1);
        Ok(BrokenTxn::new(&self.raw, self.raw.begin()?, self.begun.get()))
    }

    fn get(&self, key: &[u8]) -> Result<Option<Vec<u8>>, BackendError> {
        self.raw.get(key)
    }

    fn info(&self) -> Result<EnvironmentInfo, BackendError> {
        self.raw.info()
    }

    fn resize(&self, map_size: usize) -> Result<(), BackendError> {
        self.raw.resize(map_size)
    }
}

impl<D: Defect> Reserves for Broken<D> {
    fn put_reserved(
        txn: &mut BrokenTxn<'_, D>,
        key: &[u8],
        size: usize,
        content: &[u8],
    ) -> Result<(), BackendError> {
        RawFfi::put_reserved(txn.raw(), key, size, content)
    }
}

impl<D: Defect> Probe for Broken<D> {
    type Reader<'env> = RawReader<'env>;

    unsafe fn open_with(
        path: &Path,
        options: &EnvironmentOptions,
        access: Access,
    ) -> Result<Self, BackendError> {
        // SAFETY: a case is told of its own directory; a defect may choose another one of the test's.
        let raw = unsafe { RawFfi::open_with(&D::directory(path), &D::options(options), access) };
        Ok(Self { raw: raw?, begun: Cell::new(0), defect: PhantomData })
    }

    unsafe fn begin_read(&self) -> Result<RawReader<'_>, BackendError> {
        // SAFETY: the caller promises the same.
        unsafe { self.raw.begin_read() }
    }

    fn clear_stale_readers(&self) -> Result<usize, BackendError> {
        self.raw.clear_stale_readers()
    }

    fn create_database(&self, name: &str) -> Result<(), BackendError> {
        self.raw.create_database(name)
    }

    fn begin_with_handle_of<'env>(
        &'env self,
        other: &'env Self,
    ) -> Result<BrokenTxn<'env, D>, BackendError> {
        let raw = self.raw.begin_with_handle_of(&other.raw)?;
        Ok(BrokenTxn::new(&self.raw, raw, self.begun.get()))
    }
}

/// A transaction with the defect `D`.
pub(crate) struct BrokenTxn<'env, D> {
    environment: &'env RawFfi,
    /// Always there, except inside [`commit_and_go_on`](Self::commit_and_go_on).
    raw: Option<RawTxn<'env>>,
    /// How many transactions of this environment were begun, this one included.
    pub(crate) number: usize,
    /// How many puts were asked for.
    pub(crate) puts: usize,
    defect: PhantomData<D>,
}

impl<'env, D> BrokenTxn<'env, D> {
    fn new(environment: &'env RawFfi, raw: RawTxn<'env>, number: usize) -> Self {
        Self { environment, raw: Some(raw), number, puts: 0, defect: PhantomData }
    }

    pub(crate) fn raw(&mut self) -> &mut RawTxn<'env> {
        self.raw.as_mut().expect("a transaction is open")
    }

    pub(crate) fn into_raw(self) -> RawTxn<'env> {
        self.raw.expect("a transaction is open")
    }

    /// Commits, and goes on in a new transaction as if nothing had been.
    pub(crate) fn commit_and_go_on(&mut self) -> Result<(), BackendError> {
        self.raw.take().expect("a transaction is open").commit()?;
        self.raw = Some(self.environment.begin()?);
        Ok(())
    }
}

impl<D: Defect> WriteTransaction for BrokenTxn<'_, D> {
    type Nested<'txn>
        = RawTxn<'txn>
    where
        Self: 'txn;

    fn put(&mut self, key: &[u8], value: &[u8]) -> Result<(), BackendError> {
        self.puts += 1;
        D::put(self, key, value)
    }

    fn put_with_flags(
        &mut self,
        key: &[u8],
        value: &[u8],
        flags: PutFlags,
    ) -> Result<(), BackendError> {
        self.raw().put_with_flags(key, value, flags)
    }

    fn commit(self) -> Result<(), BackendError> {
        D::commit(self)
    }

    fn abort(self) {
        D::abort(self);
    }

    fn begin_nested(&mut self) -> Result<RawTxn<'_>, BackendError> {
        self.raw().begin_nested()
    }
}
