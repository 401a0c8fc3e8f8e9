//! Puts that ask for new keys only, or for the end of the tree.

use write_backend::{Batch, Probe, PutFlags, WriteTransaction as _};

use crate::case::Case;
use crate::directory::Directory;
use crate::outcome::{Answer, Outcome};
use crate::steps::{
    KEY, VALUE, must_fail, must_hold_after_reopening, nth_key, open, options, pairs, put_and_commit,
};

const BOTH: PutFlags = PutFlags { no_overwrite: true, append: true };

pub(crate) fn cases<B: Probe>() -> Vec<Case> {
    vec![
        Case::new("no-overwrite/new-key", "New keys only: a new key is stored.", |directory| {
            ascending::<B>(directory, PutFlags::NO_OVERWRITE)
        }),
        Case::new(
            "no-overwrite/existing-key",
            "New keys only: an existing key keeps its value.",
            |directory| refused_on_existing::<B>(directory, nth_key(1), PutFlags::NO_OVERWRITE),
        ),
        Case::new(
            "no-overwrite/key-of-this-transaction",
            "New keys only: a key put earlier in the same transaction exists too.",
            same_transaction::<B>,
        ),
        Case::new(
            "append/ascending",
            "Appending keys in ascending big-endian order.",
            |directory| ascending::<B>(directory, PutFlags::APPEND),
        ),
        Case::new("append/lower-key", "Appending a key below the highest.", |directory| {
            refused_on_existing::<B>(directory, nth_key(0), PutFlags::APPEND)
        }),
        Case::new("append/equal-key", "Appending the highest key again.", |directory| {
            refused_on_existing::<B>(directory, nth_key(2), PutFlags::APPEND)
        }),
        Case::new(
            "append/little-endian-keys",
            "Appending counters in little-endian order: ascending for LMDB up to 256 only.",
            little_endian::<B>,
        ),
        Case::new(
            "append/after-plain-puts",
            "Appending after puts in another order in the same transaction.",
            after_plain_puts::<B>,
        ),
        Case::new(
            "append-no-overwrite/ascending",
            "Both wishes at once, with new ascending keys.",
            |directory| ascending::<B>(directory, BOTH),
        ),
        Case::new(
            "append-no-overwrite/equal-key",
            "Both wishes at once, with the highest key again.",
            |directory| refused_on_existing::<B>(directory, nth_key(2), BOTH),
        ),
    ]
}

fn ascending<B: Probe>(directory: &Directory, flags: PutFlags) -> Answer {
    let pairs = pairs(1000, 20);
    let backend = open::<B>(directory.path(), &options())?;
    let mut txn = backend.begin()?;
    for (key, value) in &pairs {
        txn.put_with_flags(key, value, flags)?;
    }
    txn.commit()?;
    drop(backend);
    must_hold_after_reopening::<B>(directory.path(), &options(), &pairs)?;
    Ok(Outcome::done("all pairs are there"))
}

/// The database holds keys 1 and 2; a put of `key` with `flags` is refused, and the transaction
/// takes key 3.
fn refused_on_existing<B: Probe>(directory: &Directory, key: [u8; 4], flags: PutFlags) -> Answer {
    let [one, two, three] = [1, 2, 3].map(nth_key);
    let backend = open::<B>(directory.path(), &options())?;
    put_and_commit(&backend, &[(one, b"old"), (two, b"old")])?;
    let mut txn = backend.begin()?;
    let error = must_fail(txn.put_with_flags(&key, b"new", flags), "the put succeeded")?;
    txn.put_with_flags(&three, b"old", flags)?;
    txn.commit()?;
    drop(backend);
    let old = [(one, b"old"), (two, b"old"), (three, b"old")];
    must_hold_after_reopening::<B>(directory.path(), &options(), &old)?;
    Ok(Outcome::refused(&error, "the old values stay and the transaction goes on"))
}

fn same_transaction<B: Probe>(directory: &Directory) -> Answer {
    let backend = open::<B>(directory.path(), &options())?;
    let mut txn = backend.begin()?;
    txn.put(KEY, VALUE)?;
    let again = txn.put_with_flags(KEY, b"another", PutFlags::NO_OVERWRITE);
    let error = must_fail(again, "the put succeeded")?;
    txn.commit()?;
    drop(backend);
    must_hold_after_reopening::<B>(directory.path(), &options(), &[(KEY, VALUE)])?;
    Ok(Outcome::refused(&error, "the old values stay and the transaction goes on"))
}

fn little_endian<B: Probe>(directory: &Directory) -> Answer {
    // The name is a constant that the workload's own tests read.
    let workload = "commit-n300-v8-k4-sequential-le-nosync".parse().map_err(Outcome::wrong)?;
    let batch = Batch::new(&workload, 0);
    let backend = open::<B>(directory.path(), &options())?;
    let mut txn = backend.begin()?;
    for (index, (key, value)) in batch.pairs().iter().enumerate() {
        if let Err(error) = txn.put_with_flags(key, value, PutFlags::APPEND) {
            txn.commit()?;
            drop(backend);
            let kept = &batch.pairs()[..index];
            must_hold_after_reopening::<B>(directory.path(), &options(), kept)?;
            return Ok(Outcome::refused(&error, format!("after {index} puts, which are kept")));
        }
    }
    Ok(Outcome::accepted("keys were appended out of order"))
}

fn after_plain_puts<B: Probe>(directory: &Directory) -> Answer {
    let pairs = pairs(600, 20);
    let backend = open::<B>(directory.path(), &options())?;
    let mut txn = backend.begin()?;
    let (first, rest) = pairs.split_at(300);
    for (key, value) in first.iter().rev() {
        txn.put(key, value)?;
    }
    for (key, value) in rest {
        txn.put_with_flags(key, value, PutFlags::APPEND)?;
    }
    txn.commit()?;
    drop(backend);
    must_hold_after_reopening::<B>(directory.path(), &options(), &pairs)?;
    Ok(Outcome::done("all pairs are there"))
}
