//! Mistakes with the C calls. What the compiler says to each stands above it, and is checked.

use std::ptr::null_mut;

use binding::{MDB_dbi, MDB_env, MDB_txn, MDB_val};

fn main() {}

fn val(bytes: &[u8]) -> MDB_val {
    MDB_val { mv_size: bytes.len(), mv_data: bytes.as_ptr().cast_mut().cast() }
}

/// # Safety
/// The transaction is open.
pub unsafe fn put(txn: *mut MDB_txn, pairs: MDB_dbi, key: &[u8], value: &[u8]) -> i32 {
    // SAFETY: the caller's.
    unsafe { binding::mdb_put(txn, pairs, &mut val(key), &mut val(value), 0) }
}

/// # Safety
/// The transaction is open, and not changed or ended while the value is used.
pub unsafe fn get<'a>(txn: *mut MDB_txn, pairs: MDB_dbi, key: &[u8]) -> &'a [u8] {
    let mut value = val(&[]);
    // SAFETY: the caller's.
    unsafe {
        binding::mdb_get(txn, pairs, &mut val(key), &mut value);
        std::slice::from_raw_parts(value.mv_data.cast(), value.mv_size)
    }
}

/// # Safety
/// The environment is open.
pub unsafe fn begin(env: *mut MDB_env) -> *mut MDB_txn {
    let mut txn = null_mut();
    // SAFETY: the caller's.
    unsafe { binding::mdb_txn_begin(env, null_mut(), 0, &mut txn) };
    txn
}

// refused: E0277
#[cfg(mistake = "transaction-moved")]
pub unsafe fn mistake(env: *mut MDB_env, pairs: MDB_dbi) {
    let txn = unsafe { begin(env) };
    let put = move || unsafe { put({ txn }, pairs, b"key", b"value") };
    std::thread::scope(|scope| scope.spawn(put).join().is_ok());
}

// allowed
#[cfg(mistake = "value-put-again")]
pub unsafe fn mistake(env: *mut MDB_env, pairs: MDB_dbi) {
    unsafe {
        let txn = begin(env);
        let value = get(txn, pairs, b"key");
        put(txn, pairs, b"other", value);
    }
}

// allowed
#[cfg(mistake = "value-kept")]
pub unsafe fn mistake(env: *mut MDB_env, pairs: MDB_dbi) -> usize {
    unsafe {
        let txn = begin(env);
        let value = get(txn, pairs, b"key");
        binding::mdb_txn_abort(txn);
        value.len()
    }
}

// allowed
#[cfg(mistake = "environment-closed")]
pub unsafe fn mistake(env: *mut MDB_env) {
    unsafe {
        let txn = begin(env);
        binding::mdb_env_close(env);
        binding::mdb_txn_commit(txn);
    }
}

// allowed
#[cfg(mistake = "transaction-ended")]
pub unsafe fn mistake(env: *mut MDB_env, pairs: MDB_dbi) {
    unsafe {
        let txn = begin(env);
        binding::mdb_txn_commit(txn);
        put(txn, pairs, b"key", b"value");
    }
}

// refused: E0277
#[cfg(mistake = "environment-shared")]
pub unsafe fn mistake(env: *mut MDB_env) {
    let begin = move || unsafe { begin({ env }) }.is_null();
    std::thread::scope(|scope| scope.spawn(begin).join().is_ok());
}
