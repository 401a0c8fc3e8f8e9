//! Steps that many cases are made of, and the ways in which a case ends.

#![expect(
    clippy::unnecessary_wraps,
    reason = "the last line of a case is one of these ends, and a case may also end early by `?`"
)]

use std::path::Path;

use write_backend::batch::value_for;
use write_backend::protocol::behaviour::Outcome;
use write_backend::{
    Access, BackendError, DatabaseOptions, EnvironmentOptions, Probe, WriteBackend,
    WriteTransaction as _,
};

use crate::place::Place;

/// How a case ends: by its last line, or early by `?`.
pub(crate) type Answer = Result<Outcome, Outcome>;

/// A pair of no interest in itself.
pub(crate) const KEY: &[u8] = b"a key";
/// Its value.
pub(crate) const VALUE: &[u8] = b"a value";
/// No pairs, where a list of pairs is asked for.
pub(crate) const NOTHING: &[(&[u8], &[u8])] = &[];

/// The page size that figures in expected outcomes hold for, in bytes.
pub(crate) const USUAL_PAGE_SIZE: usize = 4096;

// What is seen at the end of many cases.
pub(crate) const ALL_THERE: &str = "all pairs are there";
pub(crate) const GOES_ON: &str = "the transaction goes on";
pub(crate) const ENVIRONMENT_GOES_ON: &str = "the environment goes on";
pub(crate) const OUTER_GOES_ON: &str = "the outer transaction goes on";
pub(crate) const NAMES_PATH: &str = "the error names the path";
pub(crate) const NEXT_WORKS: &str = "nothing is there and the next transaction works";
pub(crate) const TWO_AT_A_TIME: &str = "two write transactions at a time";

/// Done, and what was checked is right.
pub(crate) fn done(detail: impl Into<String>) -> Answer {
    Ok(Outcome::done(detail))
}

/// Accepted though wrong.
pub(crate) fn accepted(detail: impl Into<String>) -> Answer {
    Ok(Outcome::accepted(detail))
}

/// A promise was broken.
pub(crate) fn wrong(detail: impl Into<String>) -> Answer {
    Ok(Outcome::wrong(detail))
}

/// Refused with `error`; `then` was seen afterwards.
pub(crate) fn refused(error: &BackendError, then: impl Into<String>) -> Answer {
    Ok(Outcome::refused(error, then))
}

/// Cannot be performed here.
pub(crate) fn not_checked(reason: impl Into<String>) -> Answer {
    Ok(Outcome::not_checked(reason))
}

/// How an environment is opened unless the case is about that: 10 MiB, no sync, unnamed database.
pub(crate) fn options() -> EnvironmentOptions {
    EnvironmentOptions::default()
}

/// The same with another map size.
pub(crate) fn map_of(map_size: usize) -> EnvironmentOptions {
    EnvironmentOptions { map_size, ..options() }
}

/// The same with a writable map.
pub(crate) fn writable_map() -> EnvironmentOptions {
    EnvironmentOptions { writable_map: true, ..options() }
}

/// The same where there may be as many named databases.
pub(crate) fn allowing(max_databases: u32) -> EnvironmentOptions {
    EnvironmentOptions { max_databases, ..options() }
}

/// The same where the database is `name` and there may be `max_databases`.
pub(crate) fn named(name: &str, max_databases: u32) -> EnvironmentOptions {
    let database = DatabaseOptions { name: Some(name.to_owned()), ..DatabaseOptions::default() };
    EnvironmentOptions { database, ..allowing(max_databases) }
}

/// The same where a key may have several values.
pub(crate) fn duplicates() -> EnvironmentOptions {
    let database = DatabaseOptions { duplicates: true, ..DatabaseOptions::default() };
    EnvironmentOptions { database, ..options() }
}

/// For reading only.
pub(crate) const READ_ONLY: Access = Access { read_only: true, max_readers: 0 };

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
pub(crate) fn commit<B: WriteBackend>(
    backend: &B,
    pairs: &[(impl AsRef<[u8]>, impl AsRef<[u8]>)],
) -> Result<(), BackendError> {
    let mut txn = backend.begin()?;
    for (key, value) in pairs {
        txn.put(key.as_ref(), value.as_ref())?;
    }
    txn.commit()
}

/// Begins a read transaction.
#[expect(unsafe_code, reason = "a read transaction must not outlive a resize")]
pub(crate) fn begin_read<B: Probe>(backend: &B) -> Result<B::Reader<'_>, BackendError> {
    // SAFETY: no case resizes the map under a read transaction, except the two of
    // `resize_while_reading`. They break the promise on purpose, to see what happens then, each in a
    // process that does nothing else and ends afterwards.
    unsafe { backend.begin_read() }
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
    must_count(backend, pairs.len())?;
    pairs.iter().try_for_each(|(key, value)| must_be(backend, key.as_ref(), Some(value.as_ref())))
}

/// The environment holds as many pairs.
pub(crate) fn must_count<B: WriteBackend>(backend: &B, entries: usize) -> Result<(), Outcome> {
    match backend.info()?.entries {
        found if found == entries as u64 => Ok(()),
        found => Err(Outcome::wrong(format!("{entries} pair(s) must be there, found {found}"))),
    }
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
    let (key, must, found) = (key.escape_ascii(), shown(value), shown(found.as_deref()));
    Err(Outcome::wrong(format!("key `{key}` must hold {must}, found {found}")))
}

/// A put that must be refused, in a new environment; its transaction takes another pair, which is there
/// after reopening.
pub(crate) fn refused_put<B: Probe>(
    at: &Place<B>,
    put: impl FnOnce(&mut B::Txn<'_>) -> Result<(), BackendError>,
) -> Answer {
    let backend = at.open()?;
    let mut txn = backend.begin()?;
    let error = must_fail(put(&mut txn), "the put succeeded")?;
    txn.put(KEY, VALUE)?;
    txn.commit()?;
    drop(backend);
    at.holds(&[(KEY, VALUE)])?;
    refused(&error, GOES_ON)
}

/// Refused to open `path`, and whether the error says so.
pub(crate) fn refused_path(error: &BackendError, path: &Path) -> Answer {
    let shown = error.to_string().contains(&*path.display().to_string());
    refused(error, if shown && error.path() == Some(path) { NAMES_PATH } else { "" })
}
