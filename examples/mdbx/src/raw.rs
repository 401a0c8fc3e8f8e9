//! Raw FFI on the engine of signet-libmdbx: the control.

use std::ffi::{CString, c_uint, c_void};
use std::marker::PhantomData;
use std::os::unix::ffi::OsStrExt as _;
use std::path::Path;
use std::{mem, ptr};

use signet_mdbx_sys as ffi;
use write_backend::{
    BackendError, Engine, EnvironmentInfo, EnvironmentOptions, ErrorKind, Identity, Operation,
    PutFlags, SyncMode, WriteBackend, WriteTransaction,
};

use crate::{check, check_options, not_offered};

/// Permissions of the files.
const FILE_MODE: u32 = 0o600;

/// An open environment with the unnamed database; closed when dropped.
#[derive(Debug)]
pub struct Raw {
    env: *mut ffi::MDBX_env,
    dbi: ffi::MDBX_dbi,
}

impl WriteBackend for Raw {
    type Txn<'env> = RawTxn<'env>;

    const IDENTITY: Identity = Identity {
        id: "raw-ffi@signet-mdbx-sys",
        binding: Some("signet-mdbx-sys"),
        engine: Some("signet-mdbx-sys"),
    };

    // `cursor_put` in `mdbx.c` returns at once where key and value are there.
    const REWRITES_EQUAL_VALUES: bool = false;

    fn engine() -> Option<Engine> {
        Some(crate::engine())
    }

    unsafe fn open(path: &Path, options: &EnvironmentOptions) -> Result<Self, BackendError> {
        check_options(options)?;
        Self::open_at(path, options).map_err(|error| error.at(path))
    }

    #[inline]
    fn begin(&self) -> Result<RawTxn<'_>, BackendError> {
        self.begin_as(ffi::MDBX_TXN_READWRITE, Operation::Begin)
    }

    fn get(&self, key: &[u8]) -> Result<Option<Vec<u8>>, BackendError> {
        let txn = self.begin_as(ffi::MDBX_TXN_RDONLY, Operation::Get)?;
        let (key, mut value) = (val(key), val(&[]));
        // SAFETY: the transaction is open and both structures outlive the call.
        let code = unsafe { ffi::mdbx_get(txn.txn, txn.dbi, &raw const key, &raw mut value) };
        if code == ffi::MDBX_NOTFOUND {
            return Ok(None);
        }
        check(Operation::Get, code)?;
        if value.iov_len == 0 {
            return Ok(Some(Vec::new()));
        }
        // SAFETY: MDBX returned that many bytes, which stay until the transaction ends.
        let found = unsafe { std::slice::from_raw_parts(value.iov_base.cast(), value.iov_len) };
        Ok(Some(found.to_vec()))
    }

    fn info(&self) -> Result<EnvironmentInfo, BackendError> {
        let txn = self.begin_as(ffi::MDBX_TXN_RDONLY, Operation::Info)?;
        // SAFETY: a structure of integers; all zero is a value of it.
        let mut stat: ffi::MDBX_stat = unsafe { mem::zeroed() };
        let size = size_of_val(&stat);
        // SAFETY: the transaction is open, and the structure of that size is valid for writing.
        let code = unsafe { ffi::mdbx_dbi_stat(txn.txn, txn.dbi, &raw mut stat, size) };
        check(Operation::Info, code)?;
        // SAFETY: the environment is open.
        unsafe { crate::info(self.env, stat.ms_entries) }
    }

    fn resize(&self, _map_size: usize) -> Result<(), BackendError> {
        Err(not_offered(
            Operation::Resize,
            "MDBX grows by itself up to the size it was opened with",
        ))
    }
}

impl Raw {
    fn open_at(path: &Path, options: &EnvironmentOptions) -> Result<Self, BackendError> {
        let path = CString::new(path.as_os_str().as_bytes()).map_err(|_| {
            let why = "the path contains a NUL byte";
            BackendError::new(Operation::Open, ErrorKind::InvalidArgument, None, why)
        })?;
        // A handle is one thread's as in the binding, which asks for it.
        let flags = ffi::MDBX_NOTLS
            | match options.sync {
                SyncMode::Sync => ffi::MDBX_SYNC_DURABLE,
                SyncMode::NoMetaSync => ffi::MDBX_NOMETASYNC,
                SyncMode::NoSync | SyncMode::MapAsync => ffi::MDBX_UTTERLY_NOSYNC,
            }
            | if options.writable_map { ffi::MDBX_WRITEMAP } else { 0 }
            | if options.no_mem_init { ffi::MDBX_NOMEMINIT } else { 0 }
            | if options.no_read_ahead { ffi::MDBX_NORDAHEAD } else { 0 };
        let mut env = ptr::null_mut();
        // SAFETY: the pointer is valid for writing.
        check(Operation::Open, unsafe { ffi::mdbx_env_create(&raw mut env) })?;
        // From here on the handle is closed also when a call fails.
        let mut this = Self { env, dbi: 0 };
        let upper = isize::try_from(options.map_size).unwrap_or(isize::MAX);
        // SAFETY: the handle is created and not open yet.
        let code = unsafe { ffi::mdbx_env_set_geometry(env, -1, -1, upper, -1, -1, -1) };
        check(Operation::Open, code)?;
        // SAFETY: as above; the path is a C string that outlives the call. That nobody changes the file but
        // MDBX is the caller's to see to (`WriteBackend::open`).
        let code = unsafe { ffi::mdbx_env_open(env, path.as_ptr(), flags, FILE_MODE) };
        check(Operation::Open, code)?;
        let txn = this.begin_as(ffi::MDBX_TXN_READWRITE, Operation::OpenDatabase)?;
        let mut dbi = 0;
        // SAFETY: the transaction is open, null is the name of the unnamed database, and the handle is
        // valid for writing.
        let code =
            unsafe { ffi::mdbx_dbi_open(txn.txn, ptr::null(), ffi::MDBX_CREATE, &raw mut dbi) };
        check(Operation::OpenDatabase, code)?;
        txn.commit()?;
        this.dbi = dbi;
        Ok(this)
    }

    #[inline]
    fn begin_as(
        &self,
        flags: ffi::MDBX_txn_flags_t,
        operation: Operation,
    ) -> Result<RawTxn<'_>, BackendError> {
        let (mut txn, null) = (ptr::null_mut(), ptr::null_mut());
        // SAFETY: the environment is open as long as the transaction borrows it, there is no parent and no
        // context, and the pointer is valid for writing.
        let code =
            unsafe { ffi::mdbx_txn_begin_ex(self.env, null, flags, &raw mut txn, ptr::null_mut()) };
        check(operation, code)?;
        Ok(RawTxn { txn, dbi: self.dbi, within: PhantomData })
    }
}

impl Drop for Raw {
    fn drop(&mut self) {
        // SAFETY: created and never closed before; transactions borrow it, and so are gone.
        unsafe { ffi::mdbx_env_close_ex(self.env, false) };
    }
}

/// A transaction; aborted when dropped.
#[derive(Debug)]
pub struct RawTxn<'env> {
    txn: *mut ffi::MDBX_txn,
    dbi: ffi::MDBX_dbi,
    within: PhantomData<&'env Raw>,
}

impl RawTxn<'_> {
    #[inline]
    fn put_bits(&mut self, key: &[u8], value: &[u8], bits: c_uint) -> Result<(), BackendError> {
        let (key, mut value) = (val(key), val(value));
        // SAFETY: the transaction is open, both structures outlive the call, and MDBX only reads what
        // they point to.
        let code =
            unsafe { ffi::mdbx_put(self.txn, self.dbi, &raw const key, &raw mut value, bits) };
        check(Operation::Put, code)
    }
}

impl WriteTransaction for RawTxn<'_> {
    type Nested<'txn>
        = Self
    where
        Self: 'txn;

    #[inline]
    fn put(&mut self, key: &[u8], value: &[u8]) -> Result<(), BackendError> {
        self.put_bits(key, value, ffi::MDBX_UPSERT)
    }

    #[inline]
    fn put_with_flags(
        &mut self,
        key: &[u8],
        value: &[u8],
        flags: PutFlags,
    ) -> Result<(), BackendError> {
        // The bits of both flags are those of LMDB.
        self.put_bits(key, value, flags.bits())
    }

    #[inline]
    fn commit(self) -> Result<(), BackendError> {
        let txn = self.txn;
        // MDBX frees the transaction, whether the commit succeeds or not.
        mem::forget(self);
        // SAFETY: the transaction was open, nobody uses it after this, and no latencies are asked for.
        check(Operation::Commit, unsafe { ffi::mdbx_txn_commit_ex(txn, ptr::null_mut()) })
    }

    #[inline]
    fn abort(self) {}

    fn begin_nested(&mut self) -> Result<Self, BackendError> {
        Err(not_offered(Operation::BeginNested, "only what is timed is written here"))
    }
}

impl Drop for RawTxn<'_> {
    #[inline]
    fn drop(&mut self) {
        // SAFETY: the transaction is open: `commit` forgets this value before it ends it.
        unsafe { ffi::mdbx_txn_abort(self.txn) };
    }
}

/// The bytes as MDBX takes them; what is put is only read.
#[inline]
fn val(bytes: &[u8]) -> ffi::MDBX_val {
    ffi::MDBX_val { iov_base: bytes.as_ptr().cast::<c_void>().cast_mut(), iov_len: bytes.len() }
}
