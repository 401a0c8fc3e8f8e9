//! Puts that reserve space and let the caller write into it.

use super::prelude::*;

/// How much is reserved where less is written, in bytes.
const RESERVED: usize = 64;
const REST: &str = "the rest of the value is whatever was there";

cases! {
    "reserve/filled": "Space is reserved and filled.",
        |at| filled(at, &[7; RESERVED]) => Done("kept");
    "reserve/nothing": "No space is reserved.",
        |at| filled(at, &[]) => Done("kept");
    "reserve/many-pages": "Space over many pages.",
        |at| filled(at, &[7; 100_000]) => Done("kept");
    "reserve/existing-key": "Space for a key that has a value.",
        |at| {
            drop(at.filled(&[(KEY, VALUE)])?);
            filled(at, &[7; RESERVED])
        } => Done("kept");
    "reserve/written-in-part":
        "64 bytes are reserved, 4 are written, and the transaction is committed.",
        in_part => Accepted(REST);
    "reserve/empty-key": "Space for a key of no bytes.",
        |at| refused_put(at, |txn| B::put_reserved(txn, &[], VALUE.len(), VALUE))
            => Refused(Reserve, BadValueSize, GOES_ON);
    "reserve/larger-than-map": "2 MiB in a map of 1 MiB.",
        |at| {
            let backend = at.with(map_of(1 << 20)).open()?;
            let reserved = B::put_reserved(&mut backend.begin()?, KEY, 2 << 20, &[]);
            refused(&must_fail(reserved, "the put succeeded")?, "")
        } => Refused(Reserve, MapFull, "");
    "reserve/4-GiB":
        "Space for a value one byte longer than LMDB's longest, which has 4,294,967,295.",
        |at| match usize::try_from(u64::from(u32::MAX) + 1) {
            Ok(size) => {
                refused_put(at, |txn| B::put_reserved(txn, KEY, size, &[]))
            }
            Err(_) => not_checked("no value is that long on a machine of 32 bits"),
        } => Refused(Reserve, BadValueSize, GOES_ON);
    "reserve/second-duplicate":
        "Space for a second value of a key in a database with duplicates, which LMDB forbids: \
         it compares the new value before it is written.",
        |at| {
            let backend = at.with(duplicates()).filled(&[(KEY, b"a")])?;
            let mut txn = backend.begin()?;
            step("reserve space for a second value");
            refused(&must_fail(B::put_reserved(&mut txn, KEY, 1, b"b"), "the put succeeded")?, "")
        } => Crashes("reserve space for a second value");
}

/// Space for `value` is reserved and filled; the value is there after reopening.
fn filled<B: Probe>(at: &Place<B>, value: &[u8]) -> Answer {
    let backend = at.open()?;
    let mut txn = backend.begin()?;
    B::put_reserved(&mut txn, KEY, value.len(), value)?;
    txn.commit()?;
    drop(backend);
    at.holds(&[(KEY, value)])?;
    done("kept")
}

fn in_part<B: Probe>(at: &Place<B>) -> Answer {
    const WRITTEN: &[u8] = b"four";
    let backend = at.open()?;
    let mut txn = backend.begin()?;
    let reserved = B::put_reserved(&mut txn, KEY, RESERVED, WRITTEN);
    txn.commit()?;
    drop(backend);
    let then = match at.open()?.get(KEY)? {
        Some(value) if value.len() == RESERVED && value.starts_with(WRITTEN) => REST,
        Some(_) => "another value is there",
        None => "nothing is there",
    };
    reserved.map_or_else(|error| refused(&error, then), |()| accepted(then))
}
