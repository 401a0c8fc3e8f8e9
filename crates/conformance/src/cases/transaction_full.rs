//! Transactions of more changed pages than LMDB keeps a list of.

use std::ops::Range;

use write_backend::{BackendError, ErrorKind, Probe, WriteBackend, WriteTransaction};

use crate::case::Case;
use crate::child::step;
use crate::directory::Directory;
use crate::outcome::{Answer, Outcome};
use crate::steps::{KEY, USUAL_PAGE_SIZE, VALUE, map_of, must_be, nth_key, open};

/// How many changed pages one transaction can have in memory (`MDB_IDL_UM_MAX` in `midl.h`).
const MOST_PAGES: usize = (1 << 17) - 1;
/// How many pairs the cases here put, each on a page of its own. LMDB's limit is passed with the
/// first of them still in memory, and one eighth of the limit, those around it, written early.
const PAIRS: usize = 140_000;
/// Of these an inner transaction changes more than there is room for, and all were written early.
const WRITTEN_EARLY: Range<usize> = MOST_PAGES - 15_000..MOST_PAGES - 2_000;
/// A value that fills a page of the usual size behind its header.
const VALUE_SIZE: usize = USUAL_PAGE_SIZE - 16;
/// Room for all that, in bytes.
const MAP: usize = 1 << 30;
/// Every how many pairs one is read again.
const READ_EVERY: usize = 500;

pub(crate) fn cases<B: Probe>() -> Vec<Case> {
    vec![
        Case::new(
            "transaction-full/pages-written-early",
            "A transaction changes more pages than LMDB keeps in memory (131,071): it writes some \
             into the file before the commit, and goes on.",
            in_one_transaction::<B>,
        ),
        Case::new(
            "transaction-full/inner-transaction",
            "An inner transaction cannot write early what the outer one has written early: it \
             can have too many changed pages.",
            inner_transaction::<B>,
        ),
    ]
}

fn in_one_transaction<B: Probe>(directory: &Directory) -> Answer {
    let backend = opened::<B>(directory)?;
    let empty = directory.data_file().metadata()?.len();
    let mut txn = backend.begin()?;
    put_all(&mut txn, 0..PAIRS, 1)?;
    if directory.data_file().metadata()?.len() == empty {
        return Ok(Outcome::wrong("nothing was written early"));
    }
    step("commit");
    txn.commit().map_err(told)?;
    drop(backend);
    must_hold_pairs(&open::<B>(directory.path(), &map_of(MAP))?, PAIRS)?;
    Ok(Outcome::done("all pairs are there"))
}

fn inner_transaction<B: Probe>(directory: &Directory) -> Answer {
    let backend = opened::<B>(directory)?;
    let mut txn = backend.begin()?;
    put_all(&mut txn, 0..PAIRS, 1)?;
    let mut within = txn.begin_nested()?;
    let refused = match put_all(&mut within, WRITTEN_EARLY, 2) {
        Ok(()) => return Ok(Outcome::accepted("there was room")),
        Err(outcome) => outcome,
    };
    within.abort();
    step("go on in the outer transaction");
    txn.put(KEY, VALUE).map_err(told)?;
    txn.commit().map_err(told)?;
    drop(backend);
    let backend = open::<B>(directory.path(), &map_of(MAP))?;
    must_be(&backend, KEY, Some(VALUE))?;
    must_hold_pairs(&backend, PAIRS + 1)?;
    Ok(match refused {
        Outcome::Refused { operation, kind, message, .. } => {
            let then = "the outer transaction goes on and keeps its pairs".to_owned();
            Outcome::Refused { operation, kind, message, then }
        }
        other => other,
    })
}

/// An environment for these cases, where pages have the size that they are made for.
fn opened<B: Probe>(directory: &Directory) -> Result<B, Outcome> {
    let backend = open::<B>(directory.path(), &map_of(MAP))?;
    match directory.page_size()? {
        USUAL_PAGE_SIZE => Ok(backend),
        other => Err(Outcome::not_checked(format!("a page has {other} bytes"))),
    }
}

/// Makes `value` that of the pair with this number, whatever it is full of.
fn begin_with_key(value: &mut [u8], index: usize) {
    let key = nth_key(index);
    value[..key.len()].copy_from_slice(&key);
}

/// Puts the pairs with these numbers, with values full of `fill`.
fn put_all(
    txn: &mut impl WriteTransaction,
    indices: Range<usize>,
    fill: u8,
) -> Result<(), Outcome> {
    let mut value = vec![fill; VALUE_SIZE];
    for index in indices {
        if index % 10_000 == 0 {
            step("put pages and pages");
        }
        begin_with_key(&mut value, index);
        txn.put(&nth_key(index), &value).map_err(told)?;
    }
    Ok(())
}

/// An error as an outcome; that there is no room on the disk says nothing about the backend.
fn told(error: BackendError) -> Outcome {
    match error.kind() {
        ErrorKind::Io(std::io::ErrorKind::StorageFull) => {
            Outcome::not_checked("there is no room for a file of 600 MB")
        }
        _ => error.into(),
    }
}

/// There are `entries` pairs, and the first [`PAIRS`] of them have their first values.
fn must_hold_pairs<B: WriteBackend>(backend: &B, entries: usize) -> Result<(), Outcome> {
    step("read");
    let found = backend.info()?.entries;
    if found != entries as u64 {
        return Err(Outcome::wrong(format!("{entries} pair(s) must be there, found {found}")));
    }
    let mut value = vec![1; VALUE_SIZE];
    for index in (0..PAIRS).step_by(READ_EVERY) {
        begin_with_key(&mut value, index);
        must_be(backend, &nth_key(index), Some(&value))?;
    }
    Ok(())
}
