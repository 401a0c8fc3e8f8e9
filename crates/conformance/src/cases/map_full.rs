//! A map that is too small.

use super::prelude::*;

/// The map of most cases here, in bytes: 16 pages.
const MAP: usize = 1 << 16;
/// The values of most cases here, in bytes.
const VALUE_SIZE: usize = 256;
/// More pairs than fit [`MAP`].
const TOO_MANY: usize = 1000;

cases! {
    "map-full/how-many-puts": "How many pairs of 4 + 256 bytes a map of 65,536 bytes takes.",
        |at| how_many(&at.with(map_of(MAP))) => Refused(Put, MapFull, "after 169 puts");
    "map-full/put-after": "A put after the map was full.",
        |at| after(at, |txn| txn.put(KEY, VALUE)) => Refused(Put, BadTransaction, "every time");
    "map-full/no-overwrite-put-after": "The same where the put asks for new keys only.",
        |at| after(at, |txn| txn.put_with_flags(KEY, VALUE, PutFlags::NO_OVERWRITE))
            => Refused(Put, BadTransaction, "every time");
    "map-full/commit-after": "A commit after the map was full.",
        |at| {
            let backend = at.with(map_of(MAP)).open()?;
            let (txn, _, _) = fill(&backend)?;
            let error = must_fail(txn.commit(), "the commit succeeded")?;
            drop(backend);
            at.with(map_of(MAP)).holds(NOTHING)?;
            refused(&error, "nothing is there after reopening")
        } => Refused(Commit, BadTransaction, "nothing is there after reopening");
    "map-full/abort-after": "Aborting after the map was full; then a transaction that fits.",
        |at| {
            let backend = at.with(map_of(MAP)).open()?;
            fill(&backend)?.0.abort();
            must_hold(&backend, NOTHING)?;
            commit(&backend, &[(KEY, VALUE)])?;
            must_hold(&backend, &[(KEY, VALUE)])?;
            done(NEXT_WORKS)
        } => Done(NEXT_WORKS);
    "map-full/older-pairs-stay": "What was committed before the map was full stays.",
        |at| {
            let at = at.with(map_of(MAP));
            let older: Vec<_> = (5000..5010).map(|n| (nth_key(n), [7; VALUE_SIZE])).collect();
            let backend = at.filled(&older)?;
            let (txn, _, _) = fill(&backend)?;
            must_fail(txn.commit(), "the commit succeeded")?;
            must_hold(&backend, &older)?;
            drop(backend);
            at.holds(&older)?;
            done(ALL_THERE)
        } => Done(ALL_THERE);
    "map-full/value-larger-than-map": "A value of 2 MiB in a map of 1 MiB.",
        |at| {
            let backend = at.with(map_of(1 << 20)).open()?;
            let mut txn = backend.begin()?;
            let error = must_fail(txn.put(KEY, &vec![1; 2 << 20]), "the put succeeded")?;
            let later = must_fail(txn.put(KEY, VALUE), "a put after that succeeded")?;
            refused(&error, format!("a later put: {}", later.kind()))
        } => Refused(Put, MapFull, "a later put: bad transaction");
    "map-full/reported-by-commit":
        "In a nearly full map a put can succeed and the commit still find the map full.",
        by_commit => Refused(Commit, MapFull, "the old state is whole, and a larger map helps");
    "map-full/resize-and-replay":
        "The remedy: end the transaction, make the map four times as large, put all again.",
        |at| {
            let pairs = pairs(500, VALUE_SIZE);
            let backend = at.with(map_of(MAP)).open()?;
            let error = must_fail(commit(&backend, &pairs), "the batch fits the small map")?;
            if error.operation() != Put {
                return Err(error.into());
            }
            backend.resize(MAP * 4)?;
            commit(&backend, &pairs)?;
            must_hold(&backend, &pairs)?;
            drop(backend);
            at.with(map_of(MAP * 4)).holds(&pairs)?;
            done(ALL_THERE)
        } => Done(ALL_THERE);
    "map-full/writable-map": "The same limit with a writable map.",
        |at| how_many(&at.with(EnvironmentOptions { map_size: MAP, ..writable_map() }))
            => Refused(Put, MapFull, "after 169 puts");
}

/// Puts until the map is full: the open transaction, the error and the number of puts before it.
fn fill<B: Probe>(backend: &B) -> Result<(B::Txn<'_>, BackendError, usize), Outcome> {
    let mut txn = backend.begin()?;
    for (index, (key, value)) in pairs(TOO_MANY, VALUE_SIZE).iter().enumerate() {
        if let Err(error) = txn.put(key, value) {
            return Ok((txn, error, index));
        }
    }
    Err(Outcome::accepted(format!("{TOO_MANY} puts in a map of {MAP} bytes")))
}

/// A number of puts that holds for the usual page size.
fn fitted<B>(at: &Place<B>, puts: usize) -> Result<String, Outcome> {
    match at.page_size()? {
        USUAL_PAGE_SIZE => Ok(format!("after {puts} puts")),
        other => {
            Err(Outcome::not_checked(format!("after {puts} puts, but a page has {other} bytes")))
        }
    }
}

fn how_many<B: Probe>(at: &Place<B>) -> Answer {
    let backend = at.open()?;
    let (_txn, error, puts) = fill(&backend)?;
    refused(&error, fitted(at, puts)?)
}

fn after<B: Probe>(
    at: &Place<B>,
    put: impl Fn(&mut B::Txn<'_>) -> Result<(), BackendError>,
) -> Answer {
    let backend = at.with(map_of(MAP)).open()?;
    let (mut txn, _, _) = fill(&backend)?;
    let error = must_fail(put(&mut txn), "the put succeeded")?;
    let again = must_fail(put(&mut txn), "the second put succeeded")?;
    refused(&error, if again.kind() == error.kind() { "every time" } else { "the first time" })
}

/// Transactions of one new pair each until one fails: its put finds room, its commit, which also has
/// to write down the pages it no longer needs, does not.
fn by_commit<B: Probe>(at: &Place<B>) -> Answer {
    let pairs = pairs(TOO_MANY, VALUE_SIZE);
    let backend = at.with(map_of(MAP)).open()?;
    let mut committed = 0;
    let error = loop {
        let Some(next) = pairs.get(committed..=committed) else {
            return accepted(format!("{committed} puts in a map of {MAP} bytes"));
        };
        match commit(&backend, next) {
            Ok(()) => committed += 1,
            Err(error) => break error,
        }
    };
    if error.operation() != Commit {
        // How the pages fill up depends on their size.
        fitted(at, committed)?;
        return Err(error.into());
    }
    must_hold(&backend, &pairs[..committed])?;
    drop(backend);
    let backend = at.with(map_of(MAP)).open()?;
    must_hold(&backend, &pairs[..committed])?;
    backend.resize(MAP * 16)?;
    commit(&backend, &pairs[committed..])?;
    must_hold(&backend, &pairs)?;
    refused(&error, "the old state is whole, and a larger map helps")
}
