//! Puts that reserve space and let the caller write into it.

use write_backend::{DatabaseOptions, EnvironmentOptions, Operation, Probe, WriteTransaction as _};

use crate::case::Case;
use crate::child::step;
use crate::directory::Directory;
use crate::outcome::{Answer, Outcome};
use crate::steps::{
    KEY, VALUE, map_of, must_fail, must_hold, must_hold_after_reopening, open, options,
    put_and_commit,
};

/// How much is reserved where less is written, in bytes.
const RESERVED: usize = 64;

pub(crate) fn cases<B: Probe>() -> Vec<Case> {
    vec![
        Case::new("reserve/filled", "Space is reserved and filled.", |directory| {
            filled::<B>(directory, &[7; RESERVED])
        }),
        Case::new("reserve/nothing", "No space is reserved.", |d| filled::<B>(d, &[])),
        Case::new("reserve/many-pages", "Space over many pages.", |directory| {
            filled::<B>(directory, &[7; 100_000])
        }),
        Case::new("reserve/existing-key", "Space for a key that has a value.", |directory| {
            let backend = open::<B>(directory.path(), &options())?;
            put_and_commit(&backend, &[(KEY, VALUE)])?;
            drop(backend);
            filled::<B>(directory, &[7; RESERVED])
        }),
        Case::new(
            "reserve/written-in-part",
            "64 bytes are reserved, 4 are written, and the transaction is committed.",
            in_part::<B>,
        ),
        Case::new("reserve/empty-key", "Space for a key of no bytes.", |directory| {
            let backend = open::<B>(directory.path(), &options())?;
            let mut txn = backend.begin()?;
            let reserved = B::put_reserved(&mut txn, &[], VALUE.len(), VALUE);
            let error = must_fail(reserved, "the put succeeded")?;
            txn.put(KEY, VALUE)?;
            txn.commit()?;
            must_hold(&backend, &[(KEY, VALUE)])?;
            Ok(Outcome::refused(&error, "the transaction goes on"))
        }),
        Case::new("reserve/larger-than-map", "2 MiB in a map of 1 MiB.", |directory| {
            let backend = open::<B>(directory.path(), &map_of(1 << 20))?;
            let mut txn = backend.begin()?;
            let reserved = B::put_reserved(&mut txn, KEY, 2 << 20, &[]);
            Ok(Outcome::refused(&must_fail(reserved, "the put succeeded")?, ""))
        }),
        Case::new(
            "reserve/4-GiB",
            "Space for a value one byte longer than LMDB's longest, which has 4,294,967,295.",
            longer_than_any::<B>,
        ),
        Case::new(
            "reserve/second-duplicate",
            "Space for a second value of a key in a database with duplicates, which LMDB forbids: \
             it compares the new value before it is written.",
            second_duplicate::<B>,
        ),
    ]
}

/// Space for `value` is reserved and filled; the value is there after reopening.
fn filled<B: Probe>(directory: &Directory, value: &[u8]) -> Answer {
    let backend = open::<B>(directory.path(), &options())?;
    let mut txn = backend.begin()?;
    B::put_reserved(&mut txn, KEY, value.len(), value)?;
    txn.commit()?;
    drop(backend);
    must_hold_after_reopening::<B>(directory.path(), &options(), &[(KEY, value)])?;
    Ok(Outcome::done("kept"))
}

fn in_part<B: Probe>(directory: &Directory) -> Answer {
    const WRITTEN: &[u8] = b"four";
    let backend = open::<B>(directory.path(), &options())?;
    let mut txn = backend.begin()?;
    let reserved = B::put_reserved(&mut txn, KEY, RESERVED, WRITTEN);
    txn.commit()?;
    drop(backend);
    let value = open::<B>(directory.path(), &options())?.get(KEY)?;
    let then = match value {
        Some(value) if value.len() == RESERVED && value.starts_with(WRITTEN) => {
            "the rest of the value is whatever was there"
        }
        Some(_) => "another value is there",
        None => "nothing is there",
    };
    Ok(match reserved {
        Ok(()) => Outcome::accepted(then),
        Err(error) => Outcome::refused(&error, then),
    })
}

fn longer_than_any<B: Probe>(directory: &Directory) -> Answer {
    let Ok(size) = usize::try_from(u64::from(u32::MAX) + 1) else {
        return Ok(Outcome::not_checked("no value is that long on a machine of 32 bits"));
    };
    let backend = open::<B>(directory.path(), &options())?;
    let mut txn = backend.begin()?;
    let error = must_fail(B::put_reserved(&mut txn, KEY, size, &[]), "the put succeeded")?;
    txn.put(KEY, VALUE)?;
    txn.commit()?;
    must_hold(&backend, &[(KEY, VALUE)])?;
    Ok(Outcome::refused(&error, "the transaction goes on"))
}

fn second_duplicate<B: Probe>(directory: &Directory) -> Answer {
    let database = DatabaseOptions { name: None, duplicates: true };
    let options = EnvironmentOptions { database, ..options() };
    let backend = open::<B>(directory.path(), &options)?;
    put_and_commit(&backend, &[(KEY, b"a")])?;
    let mut txn = backend.begin()?;
    step("reserve space for a second value");
    match B::put_reserved(&mut txn, KEY, 1, b"b") {
        Ok(()) => Ok(Outcome::accepted("the put succeeded")),
        Err(error) if error.operation() == Operation::Reserve => Ok(Outcome::refused(&error, "")),
        Err(error) => Err(error.into()),
    }
}
