//! A map that is too small.

use write_backend::{Operation, Probe, PutFlags, WriteTransaction as _};

use crate::case::Case;
use crate::directory::Directory;
use crate::outcome::{Answer, Outcome};
use crate::steps::{
    KEY, NOTHING, USUAL_PAGE_SIZE, VALUE, map_of, must_fail, must_hold, must_hold_after_reopening,
    nth_key, open, pairs, put_and_commit,
};

/// The map of most cases here, in bytes: 16 pages.
const MAP: usize = 1 << 16;
/// The values of most cases here, in bytes.
const VALUE_SIZE: usize = 256;
/// More pairs than fit [`MAP`].
const TOO_MANY: usize = 1000;

pub(crate) fn cases<B: Probe>() -> Vec<Case> {
    vec![
        Case::new(
            "map-full/how-many-puts",
            "How many pairs of 4 + 256 bytes a map of 65,536 bytes takes.",
            how_many::<B>,
        ),
        Case::new("map-full/put-after", "A put after the map was full.", |directory| {
            after::<B>(directory, |txn| txn.put(KEY, VALUE))
        }),
        Case::new(
            "map-full/no-overwrite-put-after",
            "The same where the put asks for new keys only.",
            |directory| {
                after::<B>(directory, |txn| txn.put_with_flags(KEY, VALUE, PutFlags::NO_OVERWRITE))
            },
        ),
        Case::new("map-full/commit-after", "A commit after the map was full.", commit_after::<B>),
        Case::new(
            "map-full/abort-after",
            "Aborting after the map was full; then a transaction that fits.",
            abort_after::<B>,
        ),
        Case::new(
            "map-full/older-pairs-stay",
            "What was committed before the map was full stays.",
            older_stay::<B>,
        ),
        Case::new(
            "map-full/value-larger-than-map",
            "A value of 2 MiB in a map of 1 MiB.",
            large_value::<B>,
        ),
        Case::new(
            "map-full/reported-by-commit",
            "In a nearly full map a put can succeed and the commit still find the map full.",
            by_commit::<B>,
        ),
        Case::new(
            "map-full/resize-and-replay",
            "The remedy: end the transaction, make the map four times as large, put all again.",
            resize_and_replay::<B>,
        ),
        Case::new("map-full/writable-map", "The same limit with a writable map.", |directory| {
            let options = write_backend::EnvironmentOptions { writable_map: true, ..map_of(MAP) };
            let backend = open::<B>(directory.path(), &options)?;
            let (_txn, error, puts) = fill(&backend)?;
            Ok(Outcome::refused(&error, fitted(directory, puts)?))
        }),
    ]
}

/// Puts until the map is full: the open transaction, the error and the number of puts before it.
fn fill<B: Probe>(
    backend: &B,
) -> Result<(B::Txn<'_>, write_backend::BackendError, usize), Outcome> {
    let mut txn = backend.begin()?;
    for (index, (key, value)) in pairs(TOO_MANY, VALUE_SIZE).iter().enumerate() {
        if let Err(error) = txn.put(key, value) {
            return Ok((txn, error, index));
        }
    }
    Err(Outcome::accepted(format!("{TOO_MANY} puts in a map of {MAP} bytes")))
}

/// A number of puts that holds for the usual page size.
fn fitted(directory: &Directory, puts: usize) -> Result<String, Outcome> {
    let page_size = directory.page_size()?;
    if page_size == USUAL_PAGE_SIZE {
        Ok(format!("after {puts} puts"))
    } else {
        Err(Outcome::not_checked(format!("after {puts} puts, but a page has {page_size} bytes")))
    }
}

fn how_many<B: Probe>(directory: &Directory) -> Answer {
    let backend = open::<B>(directory.path(), &map_of(MAP))?;
    let (_txn, error, puts) = fill(&backend)?;
    Ok(Outcome::refused(&error, fitted(directory, puts)?))
}

fn after<B: Probe>(
    directory: &Directory,
    put: for<'a, 'env> fn(&'a mut B::Txn<'env>) -> Result<(), write_backend::BackendError>,
) -> Answer {
    let backend = open::<B>(directory.path(), &map_of(MAP))?;
    let (mut txn, _, _) = fill(&backend)?;
    let error = must_fail(put(&mut txn), "the put succeeded")?;
    let again = must_fail(put(&mut txn), "the second put succeeded")?;
    let same = if again.kind() == error.kind() { "every time" } else { "the first time" };
    Ok(Outcome::refused(&error, same))
}

fn commit_after<B: Probe>(directory: &Directory) -> Answer {
    let backend = open::<B>(directory.path(), &map_of(MAP))?;
    let (txn, _, _) = fill(&backend)?;
    let error = must_fail(txn.commit(), "the commit succeeded")?;
    drop(backend);
    must_hold_after_reopening::<B>(directory.path(), &map_of(MAP), NOTHING)?;
    Ok(Outcome::refused(&error, "nothing is there after reopening"))
}

fn abort_after<B: Probe>(directory: &Directory) -> Answer {
    let backend = open::<B>(directory.path(), &map_of(MAP))?;
    let (txn, _, _) = fill(&backend)?;
    txn.abort();
    must_hold(&backend, NOTHING)?;
    put_and_commit(&backend, &[(KEY, VALUE)])?;
    must_hold(&backend, &[(KEY, VALUE)])?;
    Ok(Outcome::done("nothing is there and the next transaction works"))
}

fn older_stay<B: Probe>(directory: &Directory) -> Answer {
    let backend = open::<B>(directory.path(), &map_of(MAP))?;
    let older: Vec<_> = (5000..5010).map(|index| (nth_key(index), vec![7; VALUE_SIZE])).collect();
    put_and_commit(&backend, &older)?;
    let (txn, _, _) = fill(&backend)?;
    must_fail(txn.commit(), "the commit succeeded")?;
    must_hold(&backend, &older)?;
    drop(backend);
    must_hold_after_reopening::<B>(directory.path(), &map_of(MAP), &older)?;
    Ok(Outcome::done("all pairs are there"))
}

fn large_value<B: Probe>(directory: &Directory) -> Answer {
    let backend = open::<B>(directory.path(), &map_of(1 << 20))?;
    let mut txn = backend.begin()?;
    let error = must_fail(txn.put(KEY, &vec![1; 2 << 20]), "the put succeeded")?;
    let later = must_fail(txn.put(KEY, VALUE), "a put after that succeeded")?;
    Ok(Outcome::refused(&error, format!("a later put: {}", later.kind())))
}

/// Transactions of one new pair each until one fails: its put finds room, its commit, which also has
/// to write down the pages it no longer needs, does not.
fn by_commit<B: Probe>(directory: &Directory) -> Answer {
    let pairs = pairs(TOO_MANY, VALUE_SIZE);
    let backend = open::<B>(directory.path(), &map_of(MAP))?;
    let mut committed = 0;
    let error = loop {
        let Some(next) = pairs.get(committed..=committed) else {
            return Ok(Outcome::accepted(format!("{committed} puts in a map of {MAP} bytes")));
        };
        match put_and_commit(&backend, next) {
            Ok(()) => committed += 1,
            Err(error) => break error,
        }
    };
    if error.operation() != Operation::Commit {
        // How the pages fill up depends on their size.
        fitted(directory, committed)?;
        return Err(error.into());
    }
    must_hold(&backend, &pairs[..committed])?;
    drop(backend);
    let backend = open::<B>(directory.path(), &map_of(MAP))?;
    must_hold(&backend, &pairs[..committed])?;
    backend.resize(MAP * 16)?;
    put_and_commit(&backend, &pairs[committed..])?;
    must_hold(&backend, &pairs)?;
    Ok(Outcome::refused(&error, "the old state is whole, and a larger map helps"))
}

fn resize_and_replay<B: Probe>(directory: &Directory) -> Answer {
    let pairs = pairs(500, VALUE_SIZE);
    let backend = open::<B>(directory.path(), &map_of(MAP))?;
    let error = must_fail(put_and_commit(&backend, &pairs), "the batch fits the small map")?;
    if error.operation() != Operation::Put {
        return Err(error.into());
    }
    backend.resize(MAP * 4)?;
    put_and_commit(&backend, &pairs)?;
    must_hold(&backend, &pairs)?;
    drop(backend);
    must_hold_after_reopening::<B>(directory.path(), &map_of(MAP * 4), &pairs)?;
    Ok(Outcome::done("all pairs are there"))
}
