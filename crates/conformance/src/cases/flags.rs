//! Puts that ask for new keys only, or for the end of the tree.

use write_backend::Batch;

use super::prelude::*;

const BOTH: PutFlags = PutFlags { no_overwrite: true, append: true };
const OLD_STAY: &str = "the old values stay and the transaction goes on";

cases! {
    "no-overwrite/new-key": "New keys only: a new key is stored.",
        |at| ascending(at, PutFlags::NO_OVERWRITE) => Done(ALL_THERE);
    "no-overwrite/existing-key": "New keys only: an existing key keeps its value.",
        |at| refused_key(at, 1, PutFlags::NO_OVERWRITE) => Refused(Put, KeyExists, OLD_STAY);
    "no-overwrite/key-of-this-transaction":
        "New keys only: a key put earlier in the same transaction exists too.",
        |at| {
            let backend = at.open()?;
            let mut txn = backend.begin()?;
            txn.put(KEY, VALUE)?;
            let again = txn.put_with_flags(KEY, b"another", PutFlags::NO_OVERWRITE);
            let error = must_fail(again, "the put succeeded")?;
            txn.commit()?;
            drop(backend);
            at.holds(&[(KEY, VALUE)])?;
            refused(&error, OLD_STAY)
        } => Refused(Put, KeyExists, OLD_STAY);
    "append/ascending": "Appending keys in ascending big-endian order.",
        |at| ascending(at, PutFlags::APPEND) => Done(ALL_THERE);
    "append/lower-key": "Appending a key below the highest.",
        |at| refused_key(at, 0, PutFlags::APPEND) => Refused(Put, KeyExists, OLD_STAY);
    "append/equal-key": "Appending the highest key again.",
        |at| refused_key(at, 2, PutFlags::APPEND) => Refused(Put, KeyExists, OLD_STAY);
    "append/little-endian-keys":
        "Appending counters in little-endian order: ascending for LMDB up to 256 only.",
        little_endian => Refused(Put, KeyExists, "after 256 puts, which are kept");
    "append/after-plain-puts": "Appending after puts in another order in the same transaction.",
        |at| {
            let pairs = pairs(600, 20);
            let (first, rest) = pairs.split_at(300);
            let backend = at.open()?;
            let mut txn = backend.begin()?;
            first.iter().rev().try_for_each(|(key, value)| txn.put(key, value))?;
            put_all(&mut txn, rest, PutFlags::APPEND)?;
            txn.commit()?;
            drop(backend);
            at.holds(&pairs)?;
            done(ALL_THERE)
        } => Done(ALL_THERE);
    "append-no-overwrite/ascending": "Both wishes at once, with new ascending keys.",
        |at| ascending(at, BOTH) => Done(ALL_THERE);
    "append-no-overwrite/equal-key": "Both wishes at once, with the highest key again.",
        |at| refused_key(at, 2, BOTH) => Refused(Put, KeyExists, OLD_STAY);
}

fn put_all(
    txn: &mut impl WriteTransaction,
    pairs: &[(Vec<u8>, Vec<u8>)],
    flags: PutFlags,
) -> Result<(), BackendError> {
    pairs.iter().try_for_each(|(key, value)| txn.put_with_flags(key, value, flags))
}

fn ascending<B: Probe>(at: &Place<B>, flags: PutFlags) -> Answer {
    let pairs = pairs(1000, 20);
    let backend = at.open()?;
    let mut txn = backend.begin()?;
    put_all(&mut txn, &pairs, flags)?;
    txn.commit()?;
    drop(backend);
    at.holds(&pairs)?;
    done(ALL_THERE)
}

/// The database holds keys 1 and 2; a put of `key` with `flags` is refused, and the transaction
/// takes key 3.
fn refused_key<B: Probe>(at: &Place<B>, key: usize, flags: PutFlags) -> Answer {
    let old = [1, 2, 3].map(|index| (nth_key(index), b"old"));
    let backend = at.filled(&old[..2])?;
    let mut txn = backend.begin()?;
    let put = txn.put_with_flags(&nth_key(key), b"new", flags);
    let error = must_fail(put, "the put succeeded")?;
    txn.put_with_flags(&nth_key(3), b"old", flags)?;
    txn.commit()?;
    drop(backend);
    at.holds(&old)?;
    refused(&error, OLD_STAY)
}

fn little_endian<B: Probe>(at: &Place<B>) -> Answer {
    // The name is a constant that the workload's own tests read.
    let workload = "commit-n300-v8-k4-sequential-le-nosync".parse().map_err(Outcome::wrong)?;
    let batch = Batch::new(&workload, 0);
    let backend = at.open()?;
    let mut txn = backend.begin()?;
    for (index, (key, value)) in batch.pairs().iter().enumerate() {
        if let Err(error) = txn.put_with_flags(key, value, PutFlags::APPEND) {
            txn.commit()?;
            drop(backend);
            at.holds(&batch.pairs()[..index])?;
            return refused(&error, format!("after {index} puts, which are kept"));
        }
    }
    accepted("keys were appended out of order")
}
