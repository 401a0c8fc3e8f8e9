//! How a transaction ends, and what is there then.

use std::panic::{self, AssertUnwindSafe};

use super::prelude::*;

cases! {
    "commit/keeps": "What was committed is there after reopening.",
        |at| kept(at, 100, 64) => Done(ALL_THERE);
    "commit/10000-pairs": "A transaction of 10,000 puts.",
        |at| kept(at, 10_000, 100) => Done(ALL_THERE);
    "commit/empty-transaction": "A transaction without puts commits without touching the file.",
        |at| transaction_ids(at, |backend| backend.begin()?.commit())
            => Done("the last transaction's number rises by 0");
    "commit/two-transactions":
        "Each transaction that wrote is numbered: this is how skipped commits are found.",
        |at| transaction_ids(at, |backend| {
            commit(backend, &[(KEY, VALUE)])?;
            commit(backend, &[(KEY, VALUE)])
        }) => Done("the last transaction's number rises by 2");
    "commit/thousand-aborts": "Aborted transactions are not numbered.",
        |at| transaction_ids(at, |backend| {
            (0..1000).try_for_each(|_| put(backend).map(WriteTransaction::abort))
        }) => Done("the last transaction's number rises by 0");
    "commit/invisible-before":
        "Puts are not seen by others before the commit, and are right after.",
        |at| {
            let backend = at.open()?;
            let txn = put(&backend)?;
            must_be(&backend, KEY, None)?;
            txn.commit()?;
            must_be(&backend, KEY, Some(VALUE))?;
            done("")
        } => Done("");
    "abort/leaves-nothing": "Aborting drops all puts.",
        |at| left_nothing(at, |backend| put(backend).map(WriteTransaction::abort))
            => Done(NEXT_WORKS);
    "drop/leaves-nothing": "A transaction that is dropped without commit is aborted.",
        |at| left_nothing(at, |backend| put(backend).map(drop)) => Done(NEXT_WORKS);
    "drop/by-a-panic":
        "A panic while a transaction is open aborts it; the environment stays usable.",
        |at| left_nothing(at, panics_within) => Done(NEXT_WORKS);
    "second-transaction/same-thread":
        "LMDB has one write transaction at a time; a second one on the same thread waits for \
         the first for ever.",
        |at| {
            let backend = at.open()?;
            let _first = put(&backend)?;
            step("begin a second write transaction");
            refused(&must_fail(backend.begin(), TWO_AT_A_TIME)?, "")
        } => Deadlocks("begin a second write transaction");
    "second-transaction/create-database":
        "Creating a database needs a write transaction of its own: the same deadlock.",
        |at| {
            let backend = at.with(allowing(1)).open()?;
            let _first = put(&backend)?;
            step("create a database while a write transaction is open");
            backend.create_database("name")?;
            accepted(TWO_AT_A_TIME)
        } => Deadlocks("create a database while a write transaction is open");
}

fn kept<B: Probe>(at: &Place<B>, count: usize, value_size: usize) -> Answer {
    let pairs = pairs(count, value_size);
    let backend = at.filled(&pairs)?;
    must_hold(&backend, &pairs)?;
    drop(backend);
    at.holds(&pairs)?;
    done(ALL_THERE)
}

/// A transaction with one put.
fn put<B: Probe>(backend: &B) -> Result<B::Txn<'_>, BackendError> {
    let mut txn = backend.begin()?;
    txn.put(KEY, VALUE)?;
    Ok(txn)
}

/// By how much `what` raises the number of the last transaction, before and after reopening.
fn transaction_ids<B: Probe>(at: &Place<B>, what: fn(&B) -> Result<(), BackendError>) -> Answer {
    let backend = at.open()?;
    let before = backend.info()?.last_transaction;
    what(&backend)?;
    let after = backend.info()?.last_transaction;
    drop(backend);
    match at.open()?.info()?.last_transaction {
        reopened if reopened == after => {
            done(format!("the last transaction's number rises by {}", after - before))
        }
        reopened => wrong(format!("the last transaction is {after}, after reopening {reopened}")),
    }
}

/// After `what` nothing is there, and the next transaction works.
fn left_nothing<B: Probe>(at: &Place<B>, what: fn(&B) -> Result<(), BackendError>) -> Answer {
    let backend = at.open()?;
    what(&backend)?;
    must_hold(&backend, NOTHING)?;
    drop(backend);
    let backend = at.open()?;
    must_hold(&backend, NOTHING)?;
    commit(&backend, &[(b"next", VALUE)])?;
    must_hold(&backend, &[(b"next", VALUE)])?;
    done(NEXT_WORKS)
}

fn panics_within<B: Probe>(backend: &B) -> Result<(), BackendError> {
    let result = panic::catch_unwind(AssertUnwindSafe(|| -> Result<(), BackendError> {
        let _txn = put(backend)?;
        // Unlike `panic!` this prints nothing.
        panic::resume_unwind(Box::new("on purpose"));
    }));
    // An `Err` of `catch_unwind` is the panic above.
    result.unwrap_or(Ok(()))
}
