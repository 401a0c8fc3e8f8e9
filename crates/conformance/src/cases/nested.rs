//! Transactions within transactions.

use write_backend::{BackendError, EnvironmentOptions, Probe, WriteTransaction};

use crate::case::Case;
use crate::child::step;
use crate::directory::Directory;
use crate::outcome::{Answer, Outcome};
use crate::steps::{
    KEY, NOTHING, VALUE, map_of, must_fail, must_hold, must_hold_after_reopening, open, options,
};

/// A small map, in bytes.
const MAP: usize = 1 << 16;

pub(crate) fn cases<B: Probe>() -> Vec<Case> {
    vec![
        Case::new("nested/commit", "Both commit: both puts are there.", |directory| {
            nested::<B>(directory, End::Commit, End::Commit)
        }),
        Case::new("nested/abort", "The inner one aborts: only the outer put is there.", |d| {
            nested::<B>(d, End::Abort, End::Commit)
        }),
        Case::new("nested/drop", "Dropping the inner one is aborting it.", |directory| {
            nested::<B>(directory, End::Drop, End::Commit)
        }),
        Case::new(
            "nested/outer-abort",
            "The outer one aborts: what the inner one committed goes too.",
            |directory| nested::<B>(directory, End::Commit, End::Abort),
        ),
        Case::new("nested/three-deep", "A transaction within one within one.", three_deep::<B>),
        Case::new(
            "nested/map-full-inside",
            "The map fills up in the inner transaction, which is aborted; the outer one commits.",
            map_full_inside::<B>,
        ),
        Case::new(
            "nested/in-a-failed-transaction",
            "A transaction that failed takes no inner one.",
            in_failed::<B>,
        ),
        Case::new(
            "nested/writable-map",
            "With a writable map LMDB has no inner transactions.",
            |directory| writable_map::<B>(directory, Inner::Drop),
        ),
        Case::new(
            "nested/writable-map-put",
            "The same, and the inner transaction is used.",
            |directory| writable_map::<B>(directory, Inner::Put),
        ),
        Case::new(
            "nested/writable-map-commit",
            "The same, and the inner transaction is committed.",
            |directory| writable_map::<B>(directory, Inner::Commit),
        ),
        Case::new(
            "nested/writable-map-deeper",
            "The same, and a further transaction is begun in the inner one.",
            |directory| writable_map::<B>(directory, Inner::Nest),
        ),
    ]
}

/// How a transaction ends.
#[derive(Clone, Copy, PartialEq, Eq)]
enum End {
    Commit,
    Abort,
    Drop,
}

impl End {
    fn of(self, txn: impl WriteTransaction) -> Result<(), Outcome> {
        match self {
            Self::Commit => txn.commit()?,
            Self::Abort => txn.abort(),
            Self::Drop => drop(txn),
        }
        Ok(())
    }
}

fn nested<B: Probe>(directory: &Directory, inner: End, outer: End) -> Answer {
    let backend = open::<B>(directory.path(), &options())?;
    let mut txn = backend.begin()?;
    txn.put(b"outer", VALUE)?;
    let mut within = txn.begin_nested()?;
    within.put(b"inner", VALUE)?;
    inner.of(within)?;
    outer.of(txn)?;
    drop(backend);
    let all: &[(&[u8], &[u8])] = &[(b"outer", VALUE), (b"inner", VALUE)];
    let pairs = match (outer, inner) {
        (End::Commit, End::Commit) => all,
        (End::Commit, _) => &all[..1],
        _ => NOTHING,
    };
    must_hold_after_reopening::<B>(directory.path(), &options(), pairs)?;
    Ok(Outcome::done(format!("{} pair(s)", pairs.len())))
}

fn three_deep<B: Probe>(directory: &Directory) -> Answer {
    let backend = open::<B>(directory.path(), &options())?;
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
    let pairs = [(b"1", VALUE), (b"2", VALUE), (b"3", VALUE)];
    must_hold_after_reopening::<B>(directory.path(), &options(), &pairs)?;
    Ok(Outcome::done("3 pair(s)"))
}

fn map_full_inside<B: Probe>(directory: &Directory) -> Answer {
    let options = map_of(MAP);
    let backend = open::<B>(directory.path(), &options)?;
    let mut txn = backend.begin()?;
    txn.put(KEY, VALUE)?;
    let mut within = txn.begin_nested()?;
    let error = must_fail(within.put(b"large", &vec![1; 2 * MAP]), "the put succeeded")?;
    within.abort();
    txn.put(b"another", VALUE)?;
    txn.commit()?;
    drop(backend);
    let pairs = [(KEY, VALUE), (b"another", VALUE)];
    must_hold_after_reopening::<B>(directory.path(), &options, &pairs)?;
    Ok(Outcome::refused(&error, "the outer transaction goes on"))
}

fn in_failed<B: Probe>(directory: &Directory) -> Answer {
    let backend = open::<B>(directory.path(), &map_of(MAP))?;
    let mut txn = backend.begin()?;
    must_fail(txn.put(b"large", &vec![1; 2 * MAP]), "a value larger than the map was put")?;
    step("begin a transaction within a failed one");
    let mut within = match txn.begin_nested() {
        Ok(within) => within,
        Err(error) => return Ok(Outcome::refused(&error, "")),
    };
    step("put in it");
    let put = said(within.put(KEY, VALUE));
    step("commit it");
    let commit = said(within.commit());
    Ok(Outcome::accepted(format!("handed out; put in it: {put}; commit: {commit}")))
}

/// How a call ended, in short.
fn said(result: Result<(), BackendError>) -> String {
    result.map_or_else(|error| error.kind().to_string(), |()| "ok".to_owned())
}

/// What is done with the inner transaction that LMDB did not give.
#[derive(Clone, Copy)]
enum Inner {
    Drop,
    Put,
    Commit,
    Nest,
}

fn writable_map<B: Probe>(directory: &Directory, inner: Inner) -> Answer {
    let options = EnvironmentOptions { writable_map: true, ..options() };
    let backend = open::<B>(directory.path(), &options)?;
    let mut txn = backend.begin()?;
    txn.put(KEY, VALUE)?;
    step("begin the inner transaction");
    match use_inner(&mut txn, inner) {
        Ok(error) => {
            txn.commit()?;
            must_hold(&backend, &[(KEY, VALUE)])?;
            Ok(Outcome::refused(&error, "the outer transaction goes on"))
        }
        Err(outcome) => Err(outcome),
    }
}

/// The error of beginning a transaction in `txn`. If there is none, the binding has handed out a
/// transaction that does not exist: uses it and says what happened.
fn use_inner(txn: &mut impl WriteTransaction, inner: Inner) -> Result<BackendError, Outcome> {
    let mut within = match txn.begin_nested() {
        Ok(within) => within,
        Err(error) => return Ok(error),
    };
    let then = match inner {
        Inner::Drop => {
            step("drop the inner transaction");
            drop(within);
            "dropping it: ok".to_owned()
        }
        Inner::Put => {
            step("put in the inner transaction");
            format!("put in it: {}", said(within.put(b"inner", VALUE)))
        }
        Inner::Commit => {
            step("commit the inner transaction");
            format!("committing it: {}", said(within.commit()))
        }
        Inner::Nest => {
            step("begin a transaction in the inner one");
            format!("a further one in it: {}", said(within.begin_nested().map(drop)))
        }
    };
    Err(Outcome::accepted(format!("a transaction that does not exist was handed out; {then}")))
}
