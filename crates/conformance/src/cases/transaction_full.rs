//! Transactions of more changed pages than LMDB keeps a list of.

use std::ops::Range;

use super::prelude::*;

/// How many changed pages one transaction can have in memory (`MDB_IDL_UM_MAX` in `midl.h`).
const MOST_PAGES: usize = (1 << 17) - 1;
/// How many pairs the cases here put, each on a page of its own. LMDB's limit is passed with the
/// first of them still in memory, and one eighth of the limit, those around it, written early.
const PAIRS: usize = 140_000;
/// Of these an inner transaction changes more than there is room for, and all were written early.
const WRITTEN_EARLY: Range<usize> = MOST_PAGES - 15_000..MOST_PAGES - 2_000;
/// A value that fills a page of the usual size behind the longest header there is.
const VALUE_SIZE: usize = USUAL_PAGE_SIZE - 24;
/// Room for all that, in bytes.
const MAP: usize = 1 << 30;
/// Every how many pairs one is read again.
const READ_EVERY: usize = 500;
const KEEPS: &str = "the outer transaction goes on and keeps its pairs";

cases! {
    "transaction-full/pages-written-early":
        "A transaction changes more pages than LMDB keeps in memory (131,071): it writes some \
         into the file before the commit, and goes on.",
        in_one_transaction => Done(ALL_THERE);
    "transaction-full/inner-transaction":
        "An inner transaction cannot write early what the outer one has written early: it \
         can have too many changed pages.",
        inner_transaction => Refused(Put, TransactionFull, KEEPS);
}

fn in_one_transaction<B: Probe>(at: &Place<B>) -> Answer {
    let backend = opened(at)?;
    let empty = at.data_file().metadata()?.len();
    let mut txn = backend.begin()?;
    put_all(&mut txn, 0..PAIRS, 1).map_err(told)?;
    if at.data_file().metadata()?.len() == empty {
        return wrong("nothing was written early");
    }
    step("commit");
    txn.commit().map_err(told)?;
    drop(backend);
    must_hold_pairs(&at.with(map_of(MAP)).open()?, PAIRS)?;
    done(ALL_THERE)
}

fn inner_transaction<B: Probe>(at: &Place<B>) -> Answer {
    let backend = opened(at)?;
    let mut txn = backend.begin()?;
    put_all(&mut txn, 0..PAIRS, 1).map_err(told)?;
    let mut within = txn.begin_nested()?;
    let error = must_fail(put_all(&mut within, WRITTEN_EARLY, 2), "there was room")?;
    if error.kind() != TransactionFull {
        return Err(told(error));
    }
    within.abort();
    step("go on in the outer transaction");
    txn.put(KEY, VALUE).map_err(told)?;
    txn.commit().map_err(told)?;
    drop(backend);
    let backend = at.with(map_of(MAP)).open()?;
    must_be(&backend, KEY, Some(VALUE))?;
    must_hold_pairs(&backend, PAIRS + 1)?;
    refused(&error, KEEPS)
}

/// An environment for these cases, where pages have the size that they are made for.
fn opened<B: Probe>(at: &Place<B>) -> Result<B, Outcome> {
    let backend = at.with(map_of(MAP)).open()?;
    match at.page_size()? {
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
) -> Result<(), BackendError> {
    let mut value = vec![fill; VALUE_SIZE];
    for index in indices {
        if index % 10_000 == 0 {
            step("put pages and pages");
        }
        begin_with_key(&mut value, index);
        txn.put(&nth_key(index), &value)?;
    }
    Ok(())
}

/// An error as an outcome; that there is no room on the disk says nothing about the backend.
fn told(error: BackendError) -> Outcome {
    match error.kind() {
        Io(IoKind::StorageFull) => Outcome::not_checked("there is no room for a file of 600 MB"),
        _ => error.into(),
    }
}

/// There are `entries` pairs, and the first [`PAIRS`] of them have their first values.
fn must_hold_pairs<B: WriteBackend>(backend: &B, entries: usize) -> Result<(), Outcome> {
    step("read");
    must_count(backend, entries)?;
    let mut value = vec![1; VALUE_SIZE];
    for index in (0..PAIRS).step_by(READ_EVERY) {
        begin_with_key(&mut value, index);
        must_be(backend, &nth_key(index), Some(&value))?;
    }
    Ok(())
}
