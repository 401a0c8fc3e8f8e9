//! Databases in which a key may have several values.

use super::prelude::*;

cases! {
    "duplicates/value-511-bytes": "With duplicates a value is limited like a key: the longest one.",
        |at| kept(at, &[&[7; 511]], 1) => Done("1 pair(s)");
    "duplicates/value-512-bytes": "With duplicates a value is limited like a key: one byte more.",
        |at| refused_put(&at.with(duplicates()), |txn| txn.put(KEY, &[7; 512]))
            => Refused(Put, BadValueSize, GOES_ON);
    "duplicates/two-values": "Two values of one key are two pairs.",
        |at| kept(at, &[b"a", b"b"], 2) => Done("2 pair(s)");
    "duplicates/same-pair-twice": "The same pair again changes nothing.",
        |at| kept(at, &[b"a", b"a"], 1) => Done("1 pair(s)");
    "duplicates/thousand-values": "So many values of one key that they need a tree of their own.",
        |at| {
            let values: Vec<_> = (0..1000).map(|n| format!("{n:020}").into_bytes()).collect();
            kept(at, &values.iter().map(Vec::as_slice).collect::<Vec<_>>(), 1000)
        } => Done("1000 pair(s)");
    "duplicates/empty-value": "One empty value.",
        |at| kept(at, &[b""], 1) => Done("1 pair(s)");
    "duplicates/empty-value-and-another": "An empty value beside another of the same key.",
        |at| {
            let at = at.with(duplicates());
            drop(at.filled(&[(KEY, &b""[..]), (KEY, b"a")])?);
            let backend = at.open()?;
            let entries = backend.info()?.entries;
            match backend.get(KEY)?.as_deref() {
                Some(b"") => done(format!("{entries} pair(s)")),
                _ => wrong(format!("the empty value is gone; {entries} pairs are counted")),
            }
        } => Wrong("the empty value is gone; 2 pairs are counted");
    "duplicates/empty-value-after-another": "The same in the other order.",
        |at| {
            let at = at.with(duplicates());
            let backend = at.open()?;
            let mut txn = backend.begin()?;
            txn.put(KEY, b"a")?;
            let put = txn.put(KEY, b"");
            txn.commit()?;
            drop(backend);
            let backend = at.open()?;
            let pairs = format!("{} pair(s)", backend.info()?.entries);
            must_be(&backend, KEY, Some(if put.is_ok() { b"" } else { b"a" }))?;
            put.map_or_else(|error| refused(&error, &pairs), |()| done(&pairs))
        } => Refused(Put, BadValueSize, "1 pair(s)");
    "duplicates/no-overwrite": "New keys only: a further value of an existing key is refused.",
        |at| refused_further(at, PutFlags::NO_OVERWRITE) => Refused(Put, KeyExists, GOES_ON);
    "duplicates/append-highest-key": "Appending a further value of the highest key.",
        |at| refused_further(at, PutFlags::APPEND) => Refused(Put, KeyExists, GOES_ON);
    "duplicates/switched-off-later": "A database with duplicates is reopened as one without.",
        |at| {
            let entries = switched(&at.with(duplicates()), at)?;
            accepted(format!("keys go on having several values: {entries} pairs"))
        } => Accepted("keys go on having several values: 2 pairs");
    "duplicates/switched-on-later": "A database with pairs is reopened as one with duplicates.",
        |at| {
            let entries = switched(at, &at.with(duplicates()))?;
            accepted(format!("from then on keys have several values: {entries} pairs"))
        } => Accepted("from then on keys have several values: 2 pairs");
}

/// Puts ascending values under one key; `entries` pairs are there after reopening, and a get finds
/// the lowest value.
fn kept<B: Probe>(at: &Place<B>, values: &[&[u8]], entries: usize) -> Answer {
    let pairs: Vec<_> = values.iter().map(|value| (KEY, *value)).collect();
    let at = at.with(duplicates());
    drop(at.filled(&pairs)?);
    let backend = at.open()?;
    must_count(&backend, entries)?;
    must_be(&backend, KEY, values.first().copied())?;
    done(format!("{entries} pair(s)"))
}

/// A put with `flags` of a second value is refused; a plain put of one is not.
fn refused_further<B: Probe>(at: &Place<B>, flags: PutFlags) -> Answer {
    let backend = at.with(duplicates()).filled(&[(KEY, b"a")])?;
    let mut txn = backend.begin()?;
    let error = must_fail(txn.put_with_flags(KEY, b"b", flags), "the put succeeded")?;
    txn.put(KEY, b"c")?;
    txn.commit()?;
    must_count(&backend, 2)?;
    refused(&error, GOES_ON)
}

/// How many pairs there are after a put in a database opened in one way and a put of another value in the
/// same opened in the other.
fn switched<B: Probe>(first: &Place<B>, second: &Place<B>) -> Result<u64, Outcome> {
    drop(first.filled(&[(KEY, b"a")])?);
    let backend = second.filled(&[(KEY, b"b")])?;
    must_be(&backend, KEY, Some(b"a"))?;
    Ok(backend.info()?.entries)
}
