//! Databases in which a key may have several values.

use write_backend::{DatabaseOptions, EnvironmentOptions, Probe, PutFlags, WriteTransaction as _};

use crate::case::Case;
use crate::directory::Directory;
use crate::outcome::{Answer, Outcome};
use crate::steps::{KEY, must_be, must_fail, open, options, put_and_commit};

pub(crate) fn cases<B: Probe>() -> Vec<Case> {
    vec![
        Case::new(
            "duplicates/value-511-bytes",
            "With duplicates a value is limited like a key: the longest one.",
            |directory| kept::<B>(directory, &[&[7; 511]], 1),
        ),
        Case::new(
            "duplicates/value-512-bytes",
            "With duplicates a value is limited like a key: one byte more.",
            too_long::<B>,
        ),
        Case::new("duplicates/two-values", "Two values of one key are two pairs.", |directory| {
            kept::<B>(directory, &[b"a", b"b"], 2)
        }),
        Case::new(
            "duplicates/same-pair-twice",
            "The same pair again changes nothing.",
            |directory| kept::<B>(directory, &[b"a", b"a"], 1),
        ),
        Case::new(
            "duplicates/thousand-values",
            "So many values of one key that they need a tree of their own.",
            thousand::<B>,
        ),
        Case::new("duplicates/empty-value", "One empty value.", |directory| {
            kept::<B>(directory, &[b""], 1)
        }),
        Case::new(
            "duplicates/empty-value-and-another",
            "An empty value beside another of the same key.",
            empty_and_another::<B>,
        ),
        Case::new(
            "duplicates/empty-value-after-another",
            "The same in the other order.",
            empty_after_another::<B>,
        ),
        Case::new(
            "duplicates/no-overwrite",
            "New keys only: a further value of an existing key is refused.",
            no_overwrite::<B>,
        ),
        Case::new(
            "duplicates/append-highest-key",
            "Appending a further value of the highest key.",
            append::<B>,
        ),
        Case::new(
            "duplicates/switched-off-later",
            "A database with duplicates is reopened as one without.",
            switched_off::<B>,
        ),
        Case::new(
            "duplicates/switched-on-later",
            "A database with pairs is reopened as one with duplicates.",
            switched_on::<B>,
        ),
    ]
}

fn duplicates() -> EnvironmentOptions {
    EnvironmentOptions { database: DatabaseOptions { name: None, duplicates: true }, ..options() }
}

/// Puts ascending values under one key; `entries` pairs are there after reopening, and a get finds
/// the lowest value.
fn kept<B: Probe>(directory: &Directory, values: &[&[u8]], entries: u64) -> Answer {
    let backend = open::<B>(directory.path(), &duplicates())?;
    let pairs: Vec<(&[u8], &[u8])> = values.iter().map(|value| (KEY, *value)).collect();
    put_and_commit(&backend, &pairs)?;
    drop(backend);
    let backend = open::<B>(directory.path(), &duplicates())?;
    let found = backend.info()?.entries;
    if found != entries {
        return Ok(Outcome::wrong(format!("{entries} pair(s) must be there, found {found}")));
    }
    must_be(&backend, KEY, values.first().copied())?;
    Ok(Outcome::done(format!("{entries} pair(s)")))
}

fn empty_and_another<B: Probe>(directory: &Directory) -> Answer {
    let backend = open::<B>(directory.path(), &duplicates())?;
    put_and_commit(&backend, &[(KEY, &b""[..]), (KEY, b"a")])?;
    drop(backend);
    let backend = open::<B>(directory.path(), &duplicates())?;
    let entries = backend.info()?.entries;
    match backend.get(KEY)?.as_deref() {
        Some(b"") => Ok(Outcome::done(format!("{entries} pair(s)"))),
        _ => Ok(Outcome::wrong(format!("the empty value is gone; {entries} pairs are counted"))),
    }
}

fn empty_after_another<B: Probe>(directory: &Directory) -> Answer {
    let backend = open::<B>(directory.path(), &duplicates())?;
    let mut txn = backend.begin()?;
    txn.put(KEY, b"a")?;
    let put = txn.put(KEY, b"");
    txn.commit()?;
    drop(backend);
    let backend = open::<B>(directory.path(), &duplicates())?;
    let entries = backend.info()?.entries;
    let first = if put.is_ok() { &b""[..] } else { b"a" };
    must_be(&backend, KEY, Some(first))?;
    match put {
        Ok(()) => Ok(Outcome::done(format!("{entries} pair(s)"))),
        Err(error) => Ok(Outcome::refused(&error, format!("{entries} pair(s)"))),
    }
}

fn too_long<B: Probe>(directory: &Directory) -> Answer {
    let backend = open::<B>(directory.path(), &duplicates())?;
    let mut txn = backend.begin()?;
    let error = must_fail(txn.put(KEY, &[7; 512]), "the put succeeded")?;
    txn.put(KEY, b"a")?;
    txn.commit()?;
    must_be(&backend, KEY, Some(b"a"))?;
    Ok(Outcome::refused(&error, "the transaction goes on"))
}

fn thousand<B: Probe>(directory: &Directory) -> Answer {
    let values: Vec<Vec<u8>> = (0..1000).map(|n| format!("{n:020}").into_bytes()).collect();
    let values: Vec<&[u8]> = values.iter().map(Vec::as_slice).collect();
    kept::<B>(directory, &values, 1000)
}

fn no_overwrite<B: Probe>(directory: &Directory) -> Answer {
    let backend = open::<B>(directory.path(), &duplicates())?;
    put_and_commit(&backend, &[(KEY, b"a")])?;
    let mut txn = backend.begin()?;
    let again = txn.put_with_flags(KEY, b"b", PutFlags::NO_OVERWRITE);
    let error = must_fail(again, "the put succeeded")?;
    txn.put(KEY, b"c")?;
    txn.commit()?;
    let entries = backend.info()?.entries;
    if entries != 2 {
        return Ok(Outcome::wrong(format!("2 pairs must be there, found {entries}")));
    }
    Ok(Outcome::refused(&error, "the transaction goes on"))
}

fn append<B: Probe>(directory: &Directory) -> Answer {
    let backend = open::<B>(directory.path(), &duplicates())?;
    put_and_commit(&backend, &[(KEY, b"a")])?;
    let mut txn = backend.begin()?;
    let again = txn.put_with_flags(KEY, b"b", PutFlags::APPEND);
    let error = must_fail(again, "the put succeeded")?;
    txn.put(KEY, b"c")?;
    txn.commit()?;
    Ok(Outcome::refused(&error, "the transaction goes on"))
}

fn switched_off<B: Probe>(directory: &Directory) -> Answer {
    let backend = open::<B>(directory.path(), &duplicates())?;
    put_and_commit(&backend, &[(KEY, b"a")])?;
    drop(backend);
    let backend = open::<B>(directory.path(), &options())?;
    put_and_commit(&backend, &[(KEY, b"b")])?;
    let entries = backend.info()?.entries;
    Ok(Outcome::accepted(format!("keys go on having several values: {entries} pairs")))
}

fn switched_on<B: Probe>(directory: &Directory) -> Answer {
    let backend = open::<B>(directory.path(), &options())?;
    put_and_commit(&backend, &[(KEY, b"a")])?;
    drop(backend);
    let backend = open::<B>(directory.path(), &duplicates())?;
    put_and_commit(&backend, &[(KEY, b"b")])?;
    let entries = backend.info()?.entries;
    must_be(&backend, KEY, Some(b"a"))?;
    Ok(Outcome::accepted(format!("from then on keys have several values: {entries} pairs")))
}
