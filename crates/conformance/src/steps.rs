//! Steps that many cases are made of.

use std::path::Path;

use write_backend::{
    Access, BackendError, EnvironmentOptions, Probe, WriteBackend, WriteTransaction,
    batch::value_for,
};

use crate::outcome::Outcome;

/// A pair of no interest in itself.
pub(crate) const KEY: &[u8] = b"a key";
/// Its value.
pub(crate) const VALUE: &[u8] = b"a value";

/// The page size that figures in expected outcomes hold for, in bytes.
pub(crate) const USUAL_PAGE_SIZE: usize = 4096;

/// How an environment is opened unless the case is about that: 10 MiB, no sync, unnamed database.
pub(crate) fn options() -> EnvironmentOptions {
    EnvironmentOptions::default()
}

/// The same with another map size.
pub(crate) fn map_of(map_size: usize) -> EnvironmentOptions {
    EnvironmentOptions { map_size, ..options() }
}

/// Opens the environment of a case.
pub(crate) fn open<B: WriteBackend>(
    path: &Path,
    options: &EnvironmentOptions,
) -> Result<B, BackendError> {
    // SAFETY: the directory was made for one case and is known to its processes alone. They change
    // the files through LMDB, or they do so to see what LMDB makes of it: then nothing else depends on
    // the process that has them open.
    unsafe { B::open(path, options) }
}

/// The same with `access`.
pub(crate) fn open_with<B: Probe>(
    path: &Path,
    options: &EnvironmentOptions,
    access: Access,
) -> Result<B, BackendError> {
    // SAFETY: as in `open`.
    unsafe { B::open_with(path, options, access) }
}

/// The key of four bytes that is `index` as a big-endian number: ascending for LMDB.
pub(crate) fn nth_key(index: usize) -> [u8; 4] {
    // No case has as many keys as would be needed to overflow.
    u32::try_from(index).unwrap_or(u32::MAX).to_be_bytes()
}

/// `count` ascending keys with values of `value_size` bytes derived from them.
pub(crate) fn pairs(count: usize, value_size: usize) -> Vec<(Vec<u8>, Vec<u8>)> {
    let pair = |index| (nth_key(index).to_vec(), value_for(&nth_key(index), value_size));
    (0..count).map(pair).collect()
}

/// Puts `pairs` in one transaction and commits it.
pub(crate) fn put_and_commit<B: WriteBackend>(
    backend: &B,
    pairs: &[(impl AsRef<[u8]>, impl AsRef<[u8]>)],
) -> Result<(), BackendError> {
    let mut txn = backend.begin()?;
    for (key, value) in pairs {
        txn.put(key.as_ref(), value.as_ref())?;
    }
    txn.commit()
}

/// The error of a call that must fail; a success ends the case, told as `though`.
pub(crate) fn must_fail<T>(
    result: Result<T, BackendError>,
    though: &str,
) -> Result<BackendError, Outcome> {
    match result {
        Ok(_) => Err(Outcome::accepted(though)),
        Err(error) => Ok(error),
    }
}

/// The environment holds exactly `pairs`.
pub(crate) fn must_hold<B: WriteBackend>(
    backend: &B,
    pairs: &[(impl AsRef<[u8]>, impl AsRef<[u8]>)],
) -> Result<(), Outcome> {
    let entries = backend.info()?.entries;
    if entries != pairs.len() as u64 {
        let must = pairs.len();
        return Err(Outcome::wrong(format!("{must} pair(s) must be there, found {entries}")));
    }
    for (key, value) in pairs {
        must_be(backend, key.as_ref(), Some(value.as_ref()))?;
    }
    Ok(())
}

/// `key` leads to `value`, or to nothing.
pub(crate) fn must_be<B: WriteBackend>(
    backend: &B,
    key: &[u8],
    value: Option<&[u8]>,
) -> Result<(), Outcome> {
    let found = backend.get(key)?;
    if found.as_deref() == value {
        return Ok(());
    }
    let shown = |value: Option<&[u8]>| match value {
        None => "nothing".to_owned(),
        Some(value) if value.len() > 20 => format!("{} bytes", value.len()),
        Some(value) => format!("`{}`", value.escape_ascii()),
    };
    Err(Outcome::wrong(format!(
        "key `{}` must hold {}, found {}",
        key.escape_ascii(),
        shown(value),
        shown(found.as_deref())
    )))
}

/// The closed environment in `path`, opened again, holds exactly `pairs`.
pub(crate) fn must_hold_after_reopening<B: WriteBackend>(
    path: &Path,
    options: &EnvironmentOptions,
    pairs: &[(impl AsRef<[u8]>, impl AsRef<[u8]>)],
) -> Result<(), Outcome> {
    must_hold(&open::<B>(path, options)?, pairs)
}

/// No pairs, where a list of pairs is asked for.
pub(crate) const NOTHING: &[(&[u8], &[u8])] = &[];
