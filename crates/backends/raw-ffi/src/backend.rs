//! The adapter over the C calls. The module around this one says which engine `ffi` is.

use std::ffi::{CStr, CString, c_int, c_uint, c_void};
use std::marker::PhantomData;
use std::mem;
use std::path::Path;
use std::ptr;

use write_backend::timed::{self, Loop};
use write_backend::{
    Access, BackendError, Engine, EnvironmentFlags, EnvironmentInfo, EnvironmentOptions, ErrorKind,
    Identity, Operation, PutFlags, SyncMode, WriteBackend, WriteTransaction,
};

use super::ffi;

#[path = "offers.rs"]
mod offers;
#[path = "probe.rs"]
mod probe;

pub use offers::RawCursor;
pub use probe::RawReader;

/// Permissions of the files that LMDB creates.
const FILE_MODE: u32 = 0o600;

/// An open environment with one open database.
#[derive(Debug)]
pub struct RawFfi {
    env: Env,
    /// Every call that takes a handle looks whether its transaction knows it (`TXN_DBI_EXIST` in
    /// `mdb.c`), so that a wrong one is a mistake and never unsafe.
    dbi: ffi::MDB_dbi,
}

impl WriteBackend for RawFfi {
    type Txn<'env> = RawTxn<'env>;

    const IDENTITY: Identity = super::IDENTITY;

    fn engine() -> Option<Engine> {
        let (mut major, mut minor, mut patch) = (0, 0, 0);
        // SAFETY: `mdb_version` writes the three numbers through valid pointers.
        unsafe { ffi::mdb_version(&raw mut major, &raw mut minor, &raw mut patch) };
        Some(Engine::new(major, minor, patch, ffi::mdb_put as *const () as usize))
    }

    unsafe fn open(path: &Path, options: &EnvironmentOptions) -> Result<Self, BackendError> {
        // SAFETY: the caller promises the same.
        unsafe { Self::open_as(path, options, Access::default()) }.map_err(|error| error.at(path))
    }

    fn loops() -> Vec<Loop<Self>> {
        timed::all_loops()
    }

    #[inline]
    fn begin(&self) -> Result<RawTxn<'_>, BackendError> {
        self.env.begin(0, self.dbi, Operation::Begin)
    }

    fn get(&self, key: &[u8]) -> Result<Option<Vec<u8>>, BackendError> {
        self.env.begin(ffi::MDB_RDONLY, self.dbi, Operation::Get)?.get(key)
    }

    fn info(&self) -> Result<EnvironmentInfo, BackendError> {
        let mut flags: c_uint = 0;
        // SAFETY: the environment is open and `flags` is valid for writing.
        let code = unsafe { ffi::mdb_env_get_flags(self.env.env, &raw mut flags) };
        check(Operation::Info, code)?;
        // SAFETY: a structure of integers and a pointer; all zero is a value of it.
        let mut info: ffi::MDB_envinfo = unsafe { mem::zeroed() };
        // SAFETY: the environment is open and `info` is valid for writing.
        let code = unsafe { ffi::mdb_env_info(self.env.env, &raw mut info) };
        check(Operation::Info, code)?;
        let txn = self.env.begin(ffi::MDB_RDONLY, self.dbi, Operation::Info)?;
        // SAFETY: a structure of integers; all zero is a value of it.
        let mut stat: ffi::MDB_stat = unsafe { mem::zeroed() };
        // SAFETY: the transaction is open and `stat` is valid for writing.
        let code = unsafe { ffi::mdb_stat(txn.txn, txn.dbi, &raw mut stat) };
        check(Operation::Info, code)?;
        Ok(EnvironmentInfo {
            flags: EnvironmentFlags::from_bits(flags),
            map_size: info.me_mapsize,
            last_transaction: info.me_last_txnid as u64,
            entries: stat.ms_entries as u64,
        })
    }

    fn resize(&self, map_size: usize) -> Result<(), BackendError> {
        // SAFETY: the environment is open. LMDB refuses while it has a write transaction; read
        // transactions are open only inside `get` and `info`, and this type is not `Sync`; whoever
        // begins another (`begin_read`) has promised not to come here while it is used.
        let code = unsafe { ffi::mdb_env_set_mapsize(self.env.env, map_size) };
        check(Operation::Resize, code)
    }
}

impl RawFfi {
    /// The handles of the open environment and database, for C code. The environment must not be
    /// closed with them.
    #[must_use]
    pub fn as_raw(&self) -> (*mut ffi::MDB_env, ffi::MDB_dbi) {
        (self.env.env, self.dbi)
    }

    /// # Safety
    /// That of [`WriteBackend::open`].
    unsafe fn open_as(
        path: &Path,
        options: &EnvironmentOptions,
        access: Access,
    ) -> Result<Self, BackendError> {
        options.check()?;
        // SAFETY: the caller promises the same.
        let env = unsafe { Env::open(path, options, access) }?;
        let kind = if options.database.duplicates { ffi::MDB_DUPSORT } else { 0 }
            | if options.database.integer_keys { ffi::MDB_INTEGERKEY } else { 0 };
        let (within, create) =
            if access.read_only { (ffi::MDB_RDONLY, 0) } else { (0, ffi::MDB_CREATE) };
        let name = options.database.name.as_deref();
        let dbi = env.open_database(name, create | kind, within)?;
        Ok(Self { env, dbi })
    }
}

/// A write transaction; aborted when dropped.
#[derive(Debug)]
pub struct RawTxn<'env> {
    txn: *mut ffi::MDB_txn,
    dbi: ffi::MDB_dbi,
    /// A transaction cannot outlive its environment, nor a nested one its parent.
    within: PhantomData<&'env RawFfi>,
}

impl RawTxn<'_> {
    fn get(&self, key: &[u8]) -> Result<Option<Vec<u8>>, BackendError> {
        Ok(self.find(key)?.map(<[u8]>::to_vec))
    }

    /// The value where it is in the map.
    fn find(&self, key: &[u8]) -> Result<Option<&[u8]>, BackendError> {
        let mut key = val(key);
        let mut value = val(&[]);
        // SAFETY: the transaction is open and both structures outlive the call.
        let code = unsafe { ffi::mdb_get(self.txn, self.dbi, &raw mut key, &raw mut value) };
        if code == ffi::MDB_NOTFOUND {
            return Ok(None);
        }
        check(Operation::Get, code)?;
        if value.mv_size == 0 {
            return Ok(Some(&[]));
        }
        // SAFETY: LMDB returned that many bytes. They stay until the transaction is written to or ends,
        // for which this borrow of it has to end, or the map is resized: see `resize`.
        let bytes = unsafe { std::slice::from_raw_parts(value.mv_data.cast(), value.mv_size) };
        Ok(Some(bytes))
    }

    #[inline]
    fn put_bits(&mut self, key: &[u8], value: &[u8], bits: c_uint) -> Result<(), BackendError> {
        let mut key = val(key);
        let mut value = val(value);
        // SAFETY: the transaction is open, both structures outlive the call, and LMDB only reads
        // what they point to.
        let code = unsafe { ffi::mdb_put(self.txn, self.dbi, &raw mut key, &raw mut value, bits) };
        check(Operation::Put, code)
    }
}

impl WriteTransaction for RawTxn<'_> {
    type Nested<'txn>
        = RawTxn<'txn>
    where
        Self: 'txn;

    #[inline]
    fn put(&mut self, key: &[u8], value: &[u8]) -> Result<(), BackendError> {
        self.put_bits(key, value, 0)
    }

    #[inline]
    fn put_with_flags(
        &mut self,
        key: &[u8],
        value: &[u8],
        flags: PutFlags,
    ) -> Result<(), BackendError> {
        self.put_bits(key, value, flags.bits())
    }

    #[inline]
    fn commit(self) -> Result<(), BackendError> {
        let txn = self.txn;
        // LMDB frees the transaction, whether the commit succeeds or not.
        mem::forget(self);
        // SAFETY: the transaction was open and nobody uses it after this. An inner one that is still
        // open was forgotten, as it borrows this one: LMDB commits it first, and nobody uses it either.
        let code = unsafe { ffi::mdb_txn_commit(txn) };
        check(Operation::Commit, code)
    }

    #[inline]
    fn abort(self) {
        drop(self);
    }

    fn begin_nested(&mut self) -> Result<RawTxn<'_>, BackendError> {
        // SAFETY: the transaction is open.
        let env = unsafe { ffi::mdb_txn_env(self.txn) };
        // SAFETY: the environment is this transaction's, which is open and cannot end or be used while
        // the inner one borrows it. An earlier inner one has ended or was forgotten.
        unsafe { begin(env, self.txn, 0, self.dbi, Operation::BeginNested) }
    }
}

impl Drop for RawTxn<'_> {
    #[inline]
    fn drop(&mut self) {
        // SAFETY: the transaction is open: `commit` forgets this value before it ends it, and its
        // environment, or the outer transaction, is borrowed until now. As for an inner one see `commit`.
        unsafe { ffi::mdb_txn_abort(self.txn) };
    }
}

/// An environment, closed when dropped.
#[derive(Debug)]
struct Env {
    env: *mut ffi::MDB_env,
}

impl Env {
    /// # Safety
    /// That of [`WriteBackend::open`].
    unsafe fn open(
        path: &Path,
        options: &EnvironmentOptions,
        access: Access,
    ) -> Result<Self, BackendError> {
        let path = c_path(path)?;
        let flags = match options.sync {
            SyncMode::Sync => 0,
            SyncMode::NoMetaSync => ffi::MDB_NOMETASYNC,
            SyncMode::NoSync => ffi::MDB_NOSYNC,
            SyncMode::MapAsync => ffi::MDB_MAPASYNC,
        } | if options.writable_map { ffi::MDB_WRITEMAP } else { 0 }
            | if options.no_mem_init { ffi::MDB_NOMEMINIT } else { 0 }
            | if options.no_read_ahead { ffi::MDB_NORDAHEAD } else { 0 }
            | if access.read_only { ffi::MDB_RDONLY } else { 0 };
        let mut env = ptr::null_mut();
        // SAFETY: `env` is valid for writing.
        check(Operation::Open, unsafe { ffi::mdb_env_create(&raw mut env) })?;
        // From here on the handle is closed also when a call fails, as LMDB asks for.
        let this = Self { env };
        // SAFETY: the handle is created and not open yet.
        let code = unsafe { ffi::mdb_env_set_mapsize(env, options.map_size) };
        check(Operation::Open, code)?;
        // SAFETY: as above.
        let code = unsafe { ffi::mdb_env_set_maxdbs(env, options.max_databases) };
        check(Operation::Open, code)?;
        if access.max_readers > 0 {
            // SAFETY: as above.
            let code = unsafe { ffi::mdb_env_set_maxreaders(env, access.max_readers) };
            check(Operation::Open, code)?;
        }
        // SAFETY: as above; the path is a C string that outlives the call. That nobody changes the files
        // under the map but LMDB is the caller's to see to (`WriteBackend::open`).
        let code = unsafe { ffi::mdb_env_open(env, path.as_ptr(), flags, FILE_MODE as _) };
        check(Operation::Open, code)?;
        Ok(this)
    }

    /// Opens a database in a transaction of its own with the flags `within` and keeps the handle.
    fn open_database(
        &self,
        name: Option<&str>,
        flags: c_uint,
        within: c_uint,
    ) -> Result<ffi::MDB_dbi, BackendError> {
        let name = match name {
            Some(name) => Some(CString::new(name).map_err(|_| {
                let message = "a database name may not contain a NUL byte";
                let kind = ErrorKind::InvalidArgument;
                BackendError::new(Operation::OpenDatabase, kind, None, message)
            })?),
            None => None,
        };
        let name = name.as_ref().map_or(ptr::null(), |name| name.as_ptr());
        let txn = self.begin(within, 0, Operation::OpenDatabase)?;
        let mut dbi = 0;
        // SAFETY: the transaction is open; the name is null or a C string that outlives the call; `dbi`
        // is valid for writing. No other transaction of this process opens a database meanwhile: each
        // that does ends in this function, and this type stays on one thread.
        let code = unsafe { ffi::mdb_dbi_open(txn.txn, name, flags, &raw mut dbi) };
        check(Operation::OpenDatabase, code)?;
        txn.commit()?;
        Ok(dbi)
    }

    #[inline]
    fn begin(
        &self,
        flags: c_uint,
        dbi: ffi::MDB_dbi,
        operation: Operation,
    ) -> Result<RawTxn<'_>, BackendError> {
        // SAFETY: the environment is open as long as the transaction borrows it; no parent.
        unsafe { begin(self.env, ptr::null_mut(), flags, dbi, operation) }
    }
}

impl Drop for Env {
    fn drop(&mut self) {
        // SAFETY: created and never closed before. Transactions borrow the backend: they are gone, or
        // were forgotten and are never used again.
        unsafe { ffi::mdb_env_close(self.env) };
    }
}

/// # Safety
/// `env` is open, `parent` is null or a write transaction open in it, and both stay so for `'env`, in
/// which nobody else uses `parent`. If `parent` has an inner transaction, nobody uses that any more.
#[inline]
unsafe fn begin<'env>(
    env: *mut ffi::MDB_env,
    parent: *mut ffi::MDB_txn,
    flags: c_uint,
    dbi: ffi::MDB_dbi,
    operation: Operation,
) -> Result<RawTxn<'env>, BackendError> {
    let mut txn = ptr::null_mut();
    // SAFETY: the caller's promise for `env` and `parent`; `txn` is valid for writing.
    let code = unsafe { ffi::mdb_txn_begin(env, parent, flags, &raw mut txn) };
    check(operation, code)?;
    Ok(RawTxn { txn, dbi, within: PhantomData })
}

/// The bytes as LMDB takes them. LMDB's structure has no `const`, but keys and values that are put
/// are only read.
#[inline]
fn val(bytes: &[u8]) -> ffi::MDB_val {
    ffi::MDB_val { mv_size: bytes.len(), mv_data: bytes.as_ptr().cast::<c_void>().cast_mut() }
}

#[inline]
fn check(operation: Operation, code: c_int) -> Result<(), BackendError> {
    if code == ffi::MDB_SUCCESS { Ok(()) } else { Err(error(operation, code)) }
}

#[cold]
fn error(operation: Operation, code: c_int) -> BackendError {
    // SAFETY: takes any integer.
    let text = unsafe { ffi::mdb_strerror(code) };
    // SAFETY: a C string: a constant for each code that LMDB and the system document. For other codes
    // it may be a buffer that the next such call writes to; it is copied at once.
    let text = unsafe { CStr::from_ptr(text) };
    BackendError::from_code(operation, code, text.to_string_lossy())
}

#[cfg(unix)]
fn c_path(path: &Path) -> Result<CString, BackendError> {
    use std::os::unix::ffi::OsStrExt as _;
    CString::new(path.as_os_str().as_bytes()).map_err(|_| bad_path("contains a NUL byte"))
}

#[cfg(not(unix))]
fn c_path(path: &Path) -> Result<CString, BackendError> {
    let text = path.to_str().ok_or_else(|| bad_path("is not valid UTF-8"))?;
    CString::new(text).map_err(|_| bad_path("contains a NUL byte"))
}

fn bad_path(why: &str) -> BackendError {
    let message = format!("the path {why}");
    BackendError::new(Operation::Open, ErrorKind::InvalidArgument, None, message)
}
