//! `c-reference`: the measured loop written in C over the library of lmdb-sys.
//!
//! Nobody writes to LMDB from Rust this way: it is the floor that `raw-ffi` is held against. Everything
//! but the loop is raw-ffi's, and nothing of Rust runs between two calls of the loop.

use std::ffi::{CStr, c_int};
use std::marker::PhantomData;
use std::path::Path;
use std::time::{Duration, Instant};

use backend_raw_ffi::{RawFfi, RawTxn};
use lmdb_sys as ffi;
use write_backend::timed::Loop;
use write_backend::{
    BackendError, Engine, EnvironmentInfo, EnvironmentOptions, Identity, Nesting, Operation,
    PutKind, WriteBackend,
};

/// An open environment with one open database.
#[derive(Debug)]
pub struct CReference {
    raw: RawFfi,
}

impl WriteBackend for CReference {
    type Txn<'env> = RawTxn<'env>;

    const IDENTITY: Identity =
        Identity { id: "c-reference", binding: None, engine: Some("lmdb-sys") };

    fn engine() -> Option<Engine> {
        RawFfi::engine()
    }

    unsafe fn open(path: &Path, options: &EnvironmentOptions) -> Result<Self, BackendError> {
        // SAFETY: the caller promises the same.
        Ok(Self { raw: unsafe { RawFfi::open(path, options) }? })
    }

    fn loops() -> Vec<Loop<Self>> {
        let (put, nesting) = (PutKind::Plain, Nesting::None);
        vec![Loop { put, nesting, abort, commit, shares: None }]
    }

    fn begin(&self) -> Result<RawTxn<'_>, BackendError> {
        self.raw.begin()
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
struct Pair<'bytes> {
    key: Slice<'bytes>,
    value: Slice<'bytes>,
}

/// What both C loops look like.
type CLoop =
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

fn abort(
    backend: &CReference,
    pairs: &[(&[u8], &[u8])],
    transactions: u64,
) -> Result<Duration, BackendError> {
    run(c_reference_abort_loop, backend, pairs, transactions)
}

fn commit(
    backend: &CReference,
    pairs: &[(&[u8], &[u8])],
    transactions: u64,
) -> Result<Duration, BackendError> {
    run(c_reference_commit_loop, backend, pairs, transactions)
}

fn run(
    c_loop: CLoop,
    backend: &CReference,
    pairs: &[(&[u8], &[u8])],
    transactions: u64,
) -> Result<Duration, BackendError> {
    let pairs: Vec<Pair<'_>> = pairs
        .iter()
        .map(|(key, value)| Pair { key: Slice::new(key), value: Slice::new(value) })
        .collect();
    let (env, dbi) = backend.raw.as_raw();
    let start = Instant::now();
    // SAFETY: the environment and its database are open, the pairs and their bytes outlive the call,
    // LMDB only reads them, and this type stays on one thread.
    let code = unsafe { c_loop(env, dbi, pairs.as_ptr(), pairs.len(), transactions) };
    let elapsed = start.elapsed();
    if code == ffi::MDB_SUCCESS {
        return Ok(elapsed);
    }
    // SAFETY: takes any integer.
    let text = unsafe { ffi::mdb_strerror(code) };
    // SAFETY: a C string, a constant or a buffer that the next such call writes to; this process makes
    // one at a time.
    let text = unsafe { CStr::from_ptr(text) };
    // The loop does not say which of its calls failed; nearly all of them are puts.
    Err(BackendError::from_code(Operation::Put, code, text.to_string_lossy()))
}

#[cfg(test)]
mod tests {
    use write_backend::{Batch, Encoding, Finish, PutKind, Workload, check, timed};

    use super::*;

    #[test]
    fn both_loops_write_what_their_finish_says() {
        for finish in Finish::ALL {
            let workload = Workload { finish, batch_size: 3, ..Workload::default() };
            let batch = Batch::new(&workload, 1);
            let directory = tempfile::tempdir().unwrap();
            // SAFETY: the directory is this test's alone.
            let backend =
                unsafe { CReference::open(directory.path(), &EnvironmentOptions::default()) };
            let backend = backend.unwrap();
            timed::find::<CReference>(&workload).unwrap()(&backend, &batch.pairs(), 5).unwrap();
            let expected = check::Expected {
                workload: &workload,
                seed: 1,
                encoding: Encoding::Bytes,
                transactions: 5,
            };
            check::verify(&backend, &expected).unwrap();
        }
    }

    #[test]
    fn an_error_of_the_engine_is_reported_with_its_text() {
        let directory = tempfile::tempdir().unwrap();
        let options = EnvironmentOptions { map_size: 1 << 16, ..Default::default() };
        // SAFETY: the directory is this test's alone.
        let backend = unsafe { CReference::open(directory.path(), &options) }.unwrap();
        let error = commit(&backend, &[(b"key", &vec![0; 1 << 17])], 1).unwrap_err();
        assert!(error.to_string().contains("(map full, code -30792)"), "{error}");
    }

    #[test]
    fn a_put_that_it_lacks_is_refused_with_what_it_has() {
        let workload = Workload { put: PutKind::Append, ..Workload::default() };
        assert_eq!(
            timed::find::<CReference>(&workload).unwrap_err(),
            "c-reference does not offer put `append` with nesting `none`: it offers plain"
        );
    }
}
