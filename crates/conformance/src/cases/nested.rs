//! Transactions within transactions.

use super::prelude::*;

/// A small map, in bytes.
const MAP: usize = 1 << 16;

cases! {
    "nested/commit": "Both commit: both puts are there.",
        |at| nested(at, End::Commit, End::Commit) => Done("2 pair(s)");
    "nested/abort": "The inner one aborts: only the outer put is there.",
        |at| nested(at, End::Abort, End::Commit) => Done("1 pair(s)");
    "nested/drop": "Dropping the inner one is aborting it.",
        |at| nested(at, End::Drop, End::Commit) => Done("1 pair(s)");
    "nested/outer-abort": "The outer one aborts: what the inner one committed goes too.",
        |at| nested(at, End::Commit, End::Abort) => Done("0 pair(s)");
    "nested/three-deep": "A transaction within one within one.",
        three_deep => Done("3 pair(s)");
    "nested/map-full-inside":
        "The map fills up in the inner transaction, which is aborted; the outer one commits.",
        map_full_inside => Refused(Put, MapFull, OUTER_GOES_ON);
    "nested/in-a-failed-transaction": "A transaction that failed takes no inner one.",
        in_failed => Refused(BeginNested, BadTransaction, "");
    "nested/writable-map": "With a writable map LMDB has no inner transactions.",
        |at| with_writable_map(at, |txn| {
            let within = txn.begin_nested()?;
            step("drop the inner transaction");
            drop(within);
            Ok("dropping it: ok".to_owned())
        }) => Refused(BeginNested, BadTransaction, OUTER_GOES_ON);
    "nested/writable-map-put": "The same, and the inner transaction is used.",
        |at| with_writable_map(at, |txn| {
            let mut within = txn.begin_nested()?;
            step("put in the inner transaction");
            Ok(format!("put in it: {}", said(within.put(b"inner", VALUE))))
        }) => Refused(BeginNested, BadTransaction, OUTER_GOES_ON);
    "nested/writable-map-commit": "The same, and the inner transaction is committed.",
        |at| with_writable_map(at, |txn| {
            let within = txn.begin_nested()?;
            step("commit the inner transaction");
            Ok(format!("committing it: {}", said(within.commit())))
        }) => Refused(BeginNested, BadTransaction, OUTER_GOES_ON);
    "nested/writable-map-deeper":
        "The same, and a further transaction is begun in the inner one.",
        |at| with_writable_map(at, |txn| {
            let mut within = txn.begin_nested()?;
            step("begin a transaction in the inner one");
            Ok(format!("a further one in it: {}", said(within.begin_nested().map(drop))))
        }) => Refused(BeginNested, BadTransaction, OUTER_GOES_ON);
}

/// How a transaction ends.
#[derive(Clone, Copy, PartialEq, Eq)]
enum End {
    Commit,
    Abort,
    Drop,
}

impl End {
    fn of(self, txn: impl WriteTransaction) -> Result<(), BackendError> {
        match self {
            Self::Commit => txn.commit()?,
            Self::Abort => txn.abort(),
            Self::Drop => drop(txn),
        }
        Ok(())
    }
}

fn nested<B: Probe>(at: &Place<B>, inner: End, outer: End) -> Answer {
    let backend = at.open()?;
    let mut txn = backend.begin()?;
    txn.put(b"outer", VALUE)?;
    let mut within = txn.begin_nested()?;
    within.put(b"inner", VALUE)?;
    inner.of(within)?;
    outer.of(txn)?;
    drop(backend);
    let pairs = match (outer, inner) {
        (End::Commit, End::Commit) => &[(b"outer", VALUE), (b"inner", VALUE)][..],
        (End::Commit, _) => &[(b"outer", VALUE)],
        _ => &[],
    };
    at.holds(pairs)?;
    done(format!("{} pair(s)", pairs.len()))
}

fn three_deep<B: Probe>(at: &Place<B>) -> Answer {
    let backend = at.open()?;
    let mut outer = backend.begin()?;
    outer.put(b"1", VALUE)?;
    let mut middle = outer.begin_nested()?;
    middle.put(b"2", VALUE)?;
    let mut inner = middle.begin_nested()?;
    inner.put(b"3", VALUE)?;
    inner.commit()?;
    middle.commit()?;
    outer.commit()?;
    drop(backend);
    at.holds(&[(b"1", VALUE), (b"2", VALUE), (b"3", VALUE)])?;
    done("3 pair(s)")
}

fn map_full_inside<B: Probe>(at: &Place<B>) -> Answer {
    let backend = at.with(map_of(MAP)).open()?;
    let mut txn = backend.begin()?;
    txn.put(KEY, VALUE)?;
    let mut within = txn.begin_nested()?;
    let error = must_fail(within.put(b"large", &vec![1; 2 * MAP]), "the put succeeded")?;
    within.abort();
    txn.put(b"another", VALUE)?;
    txn.commit()?;
    drop(backend);
    at.with(map_of(MAP)).holds(&[(KEY, VALUE), (b"another", VALUE)])?;
    refused(&error, OUTER_GOES_ON)
}

fn in_failed<B: Probe>(at: &Place<B>) -> Answer {
    let backend = at.with(map_of(MAP)).open()?;
    let mut txn = backend.begin()?;
    must_fail(txn.put(b"large", &vec![1; 2 * MAP]), "a value larger than the map was put")?;
    step("begin a transaction within a failed one");
    let mut within = match txn.begin_nested() {
        Ok(within) => within,
        Err(error) => return refused(&error, ""),
    };
    step("put in it");
    let put = said(within.put(KEY, VALUE));
    step("commit it");
    let commit = said(within.commit());
    accepted(format!("handed out; put in it: {put}; commit: {commit}"))
}

/// How a call ended, in short.
fn said(result: Result<(), BackendError>) -> String {
    result.map_or_else(|error| error.kind().to_string(), |()| "ok".to_owned())
}

/// LMDB gives no inner transaction. If the binding hands one out all the same, `inner` uses it and says
/// what happened.
fn with_writable_map<B: Probe>(
    at: &Place<B>,
    inner: impl FnOnce(&mut B::Txn<'_>) -> Result<String, BackendError>,
) -> Answer {
    let backend = at.with(writable_map()).open()?;
    let mut txn = backend.begin()?;
    txn.put(KEY, VALUE)?;
    step("begin the inner transaction");
    match inner(&mut txn) {
        Ok(then) => accepted(format!("a transaction that does not exist was handed out; {then}")),
        Err(error) => {
            txn.commit()?;
            must_hold(&backend, &[(KEY, VALUE)])?;
            refused(&error, OUTER_GOES_ON)
        }
    }
}
