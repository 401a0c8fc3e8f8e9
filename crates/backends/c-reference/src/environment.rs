//! An open environment and the C loop that writes to it.

use std::ffi::{CStr, CString, c_int, c_uint};
use std::marker::PhantomData;
use std::ptr;

use lmdb_sys as ffi;
use write_backend::protocol::Prepare;
use write_backend::{EnvironmentFlags, Finish, SyncMode};

/// Permissions of the files that LMDB creates.
const FILE_MODE: u32 = 0o600;

/// Bytes as the C loop takes them; the lifetime is that of the bytes.
#[repr(C)]
#[derive(Debug, Clone, Copy)]
struct Slice<'bytes> {
    start: *const u8,
    length: usize,
    bytes: PhantomData<&'bytes [u8]>,
}

impl<'bytes> Slice<'bytes> {
    fn new(bytes: &'bytes [u8]) -> Self {
        Self { start: bytes.as_ptr(), length: bytes.len(), bytes: PhantomData }
    }
}

/// Key and value of one put.
#[repr(C)]
#[derive(Debug, Clone, Copy)]
pub(crate) struct Pair<'bytes> {
    key: Slice<'bytes>,
    value: Slice<'bytes>,
}

impl<'bytes> Pair<'bytes> {
    /// A pair as the C loop takes it.
    pub(crate) fn new((key, value): (&'bytes [u8], &'bytes [u8])) -> Self {
        Self { key: Slice::new(key), value: Slice::new(value) }
    }
}

/// What both C loops look like.
type Loop =
    unsafe extern "C" fn(*mut ffi::MDB_env, ffi::MDB_dbi, *const Pair<'_>, usize, u64) -> c_int;

// SAFETY: both are defined in reference.c with these types; `Pair` and `Slice` are laid out as the
// structures there.
unsafe extern "C" {
    fn c_reference_abort_loop(
        env: *mut ffi::MDB_env,
        dbi: ffi::MDB_dbi,
        pairs: *const Pair<'_>,
        count: usize,
        transactions: u64,
    ) -> c_int;
    fn c_reference_commit_loop(
        env: *mut ffi::MDB_env,
        dbi: ffi::MDB_dbi,
        pairs: *const Pair<'_>,
        count: usize,
        transactions: u64,
    ) -> c_int;
}

/// The addresses of the C loops: abort and commit.
pub(crate) fn loop_addresses() -> [usize; 2] {
    [c_reference_abort_loop as Loop as usize, c_reference_commit_loop as Loop as usize]
}

/// The version that the library states, and the address of `mdb_put`.
pub(crate) fn engine() -> (String, usize) {
    let (mut major, mut minor, mut patch) = (0, 0, 0);
    // SAFETY: `mdb_version` writes the three numbers through valid pointers.
    unsafe { ffi::mdb_version(&raw mut major, &raw mut minor, &raw mut patch) };
    (format!("{major}.{minor}.{patch}"), ffi::mdb_put as *const () as usize)
}

/// An open environment with its unnamed database; closed when dropped.
#[derive(Debug)]
pub(crate) struct Environment {
    env: *mut ffi::MDB_env,
    dbi: ffi::MDB_dbi,
}

impl Environment {
    /// Opens the environment that `prepare` describes.
    ///
    /// # Errors
    /// What LMDB reports, or that something is asked for which only backends have.
    pub(crate) fn open(prepare: &Prepare) -> Result<Self, String> {
        let options = &prepare.environment;
        options.check().map_err(|error| error.to_string())?;
        if options.database.name.is_some() || options.database.duplicates {
            return Err("c-reference knows the unnamed database without duplicates only".to_owned());
        }
        let path = prepare.directory.to_str().and_then(|path| CString::new(path).ok());
        let path = path.ok_or_else(|| {
            let path = prepare.directory.display();
            format!("{path}: a path must be UTF-8 without NUL")
        })?;
        let sync = match options.sync {
            SyncMode::Sync => 0,
            SyncMode::NoMetaSync => ffi::MDB_NOMETASYNC,
            SyncMode::NoSync => ffi::MDB_NOSYNC,
            SyncMode::MapAsync => ffi::MDB_MAPASYNC,
        };
        let flags = sync | if options.writable_map { ffi::MDB_WRITEMAP } else { 0 };
        let mut env = ptr::null_mut();
        // SAFETY: `env` is valid for writing.
        check("create", unsafe { ffi::mdb_env_create(&raw mut env) })?;
        // From here on the handle is closed also when a call fails, as LMDB asks for.
        let mut this = Self { env, dbi: 0 };
        // SAFETY: the handle is created and not open yet.
        check("map size", unsafe { ffi::mdb_env_set_mapsize(env, options.map_size) })?;
        // SAFETY: as above.
        check("databases", unsafe { ffi::mdb_env_set_maxdbs(env, options.max_databases) })?;
        // SAFETY: as above; the path is a C string that outlives the call.
        let code = unsafe { ffi::mdb_env_open(env, path.as_ptr(), flags, FILE_MODE as _) };
        check("open", code)?;
        this.open_database()?;
        Ok(this)
    }

    fn open_database(&mut self) -> Result<(), String> {
        let mut txn = ptr::null_mut();
        // SAFETY: the environment is open and `txn` is valid for writing.
        let code = unsafe { ffi::mdb_txn_begin(self.env, ptr::null_mut(), 0, &raw mut txn) };
        check("begin", code)?;
        let dbi = &raw mut self.dbi;
        // SAFETY: the transaction is open, a null name is the unnamed database, `dbi` is valid for
        // writing.
        let code = unsafe { ffi::mdb_dbi_open(txn, ptr::null(), ffi::MDB_CREATE, dbi) };
        if code != ffi::MDB_SUCCESS {
            // SAFETY: the transaction is open and not used after this.
            unsafe { ffi::mdb_txn_abort(txn) };
            return check("open database", code);
        }
        // SAFETY: the transaction is open and not used after this.
        check("commit", unsafe { ffi::mdb_txn_commit(txn) })
    }

    /// The flags that the environment has.
    ///
    /// Reads in a transaction too, as the backends do when they are asked about their environment:
    /// it enters this process into LMDB's table of readers, which every later write transaction
    /// looks through.
    ///
    /// # Errors
    /// What LMDB reports.
    pub(crate) fn flags(&self) -> Result<EnvironmentFlags, String> {
        let mut bits: c_uint = 0;
        // SAFETY: the environment is open and `bits` is valid for writing.
        check("flags", unsafe { ffi::mdb_env_get_flags(self.env, &raw mut bits) })?;
        let mut txn = ptr::null_mut();
        let (none, flags) = (ptr::null_mut(), ffi::MDB_RDONLY);
        // SAFETY: the environment is open and `txn` is valid for writing.
        check("read", unsafe { ffi::mdb_txn_begin(self.env, none, flags, &raw mut txn) })?;
        // SAFETY: the transaction is open and not used after this.
        unsafe { ffi::mdb_txn_abort(txn) };
        Ok(EnvironmentFlags::from_bits(bits))
    }

    /// Runs the C loop.
    ///
    /// # Errors
    /// What LMDB reports.
    pub(crate) fn run(
        &self,
        pairs: &[Pair<'_>],
        finish: Finish,
        transactions: u64,
    ) -> Result<(), String> {
        let run: Loop = match finish {
            Finish::Abort => c_reference_abort_loop,
            Finish::Commit => c_reference_commit_loop,
        };
        // SAFETY: the environment and its database are open, the pairs and their bytes outlive the
        // call, LMDB only reads them, and this type stays on one thread.
        let code = unsafe { run(self.env, self.dbi, pairs.as_ptr(), pairs.len(), transactions) };
        check("run", code)
    }
}

impl Drop for Environment {
    fn drop(&mut self) {
        // SAFETY: created and never closed before; no transaction outlives a call.
        unsafe { ffi::mdb_env_close(self.env) };
    }
}

fn check(operation: &str, code: c_int) -> Result<(), String> {
    if code == ffi::MDB_SUCCESS {
        return Ok(());
    }
    // SAFETY: takes any integer.
    let text = unsafe { ffi::mdb_strerror(code) };
    // SAFETY: a C string, a constant or a buffer that the next such call writes to; this process makes
    // one at a time.
    let text = unsafe { CStr::from_ptr(text) };
    Err(format!("{operation}: {} ({code})", text.to_string_lossy()))
}
