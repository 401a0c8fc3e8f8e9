//! How a transaction ends, and what is there then.

use std::panic::{self, AssertUnwindSafe};

use write_backend::{BackendError, Probe, WriteTransaction as _};

use crate::case::Case;
use crate::child::step;
use crate::directory::Directory;
use crate::outcome::{Answer, Outcome};
use crate::steps::{
    KEY, NOTHING, VALUE, must_be, must_hold, must_hold_after_reopening, open, options, pairs,
    put_and_commit,
};

pub(crate) fn cases<B: Probe>() -> Vec<Case> {
    vec![
        Case::new("commit/keeps", "What was committed is there after reopening.", keeps::<B>),
        Case::new("commit/10000-pairs", "A transaction of 10,000 puts.", |directory| {
            let pairs = pairs(10_000, 100);
            let backend = open::<B>(directory.path(), &options())?;
            put_and_commit(&backend, &pairs)?;
            drop(backend);
            must_hold_after_reopening::<B>(directory.path(), &options(), &pairs)?;
            Ok(Outcome::done("all pairs are there"))
        }),
        Case::new(
            "commit/empty-transaction",
            "A transaction without puts commits without touching the file.",
            |directory| transaction_ids::<B>(directory, |backend| backend.begin()?.commit()),
        ),
        Case::new(
            "commit/two-transactions",
            "Each transaction that wrote is numbered: this is how skipped commits are found.",
            |directory| {
                transaction_ids::<B>(directory, |backend| {
                    put_and_commit(backend, &[(KEY, VALUE)])?;
                    put_and_commit(backend, &[(KEY, VALUE)])
                })
            },
        ),
        Case::new(
            "commit/thousand-aborts",
            "Aborted transactions are not numbered.",
            |directory| {
                transaction_ids::<B>(directory, |backend| {
                    for _ in 0..1000 {
                        let mut txn = backend.begin()?;
                        txn.put(KEY, VALUE)?;
                        txn.abort();
                    }
                    Ok(())
                })
            },
        ),
        Case::new(
            "commit/invisible-before",
            "Puts are not seen by others before the commit, and are right after.",
            invisible_before::<B>,
        ),
        Case::new("abort/leaves-nothing", "Aborting drops all puts.", |directory| {
            left_nothing::<B>(directory, |backend| {
                let mut txn = backend.begin()?;
                txn.put(KEY, VALUE)?;
                txn.abort();
                Ok(())
            })
        }),
        Case::new(
            "drop/leaves-nothing",
            "A transaction that is dropped without commit is aborted.",
            |directory| {
                left_nothing::<B>(directory, |backend| {
                    let mut txn = backend.begin()?;
                    txn.put(KEY, VALUE)?;
                    drop(txn);
                    Ok(())
                })
            },
        ),
        Case::new(
            "drop/by-a-panic",
            "A panic while a transaction is open aborts it; the environment stays usable.",
            |directory| left_nothing::<B>(directory, panics_within),
        ),
        Case::new(
            "second-transaction/same-thread",
            "LMDB has one write transaction at a time; a second one on the same thread waits for \
             the first for ever.",
            second_transaction::<B>,
        )
        .deadlocks(),
        Case::new(
            "second-transaction/create-database",
            "Creating a database needs a write transaction of its own: the same deadlock.",
            create_database_within::<B>,
        )
        .deadlocks(),
    ]
}

fn keeps<B: Probe>(directory: &Directory) -> Answer {
    let pairs = pairs(100, 64);
    let backend = open::<B>(directory.path(), &options())?;
    put_and_commit(&backend, &pairs)?;
    must_hold(&backend, &pairs)?;
    drop(backend);
    must_hold_after_reopening::<B>(directory.path(), &options(), &pairs)?;
    Ok(Outcome::done("all pairs are there"))
}

/// By how much `what` raises the number of the last transaction, before and after reopening.
fn transaction_ids<B: Probe>(
    directory: &Directory,
    what: fn(&B) -> Result<(), BackendError>,
) -> Answer {
    let backend = open::<B>(directory.path(), &options())?;
    let before = backend.info()?.last_transaction;
    what(&backend)?;
    let after = backend.info()?.last_transaction;
    drop(backend);
    let reopened = open::<B>(directory.path(), &options())?.info()?.last_transaction;
    if reopened != after {
        let text = format!("the last transaction is {after}, after reopening {reopened}");
        return Ok(Outcome::wrong(text));
    }
    Ok(Outcome::done(format!("the last transaction's number rises by {}", after - before)))
}

fn invisible_before<B: Probe>(directory: &Directory) -> Answer {
    let backend = open::<B>(directory.path(), &options())?;
    let mut txn = backend.begin()?;
    txn.put(KEY, VALUE)?;
    must_be(&backend, KEY, None)?;
    txn.commit()?;
    must_be(&backend, KEY, Some(VALUE))?;
    Ok(Outcome::done(""))
}

/// After `what` nothing is there, and the next transaction works.
fn left_nothing<B: Probe>(
    directory: &Directory,
    what: fn(&B) -> Result<(), BackendError>,
) -> Answer {
    let backend = open::<B>(directory.path(), &options())?;
    what(&backend)?;
    must_hold(&backend, NOTHING)?;
    drop(backend);
    let backend = open::<B>(directory.path(), &options())?;
    must_hold(&backend, NOTHING)?;
    put_and_commit(&backend, &[(b"next", VALUE)])?;
    must_hold(&backend, &[(b"next", VALUE)])?;
    Ok(Outcome::done("nothing is there and the next transaction works"))
}

fn panics_within<B: Probe>(backend: &B) -> Result<(), BackendError> {
    let result = panic::catch_unwind(AssertUnwindSafe(|| -> Result<(), BackendError> {
        let mut txn = backend.begin()?;
        txn.put(KEY, VALUE)?;
        // Unlike `panic!` this prints nothing.
        panic::resume_unwind(Box::new("on purpose"));
    }));
    // An `Err` of `catch_unwind` is the panic above.
    result.unwrap_or(Ok(()))
}

fn second_transaction<B: Probe>(directory: &Directory) -> Answer {
    let backend = open::<B>(directory.path(), &options())?;
    let mut first = backend.begin()?;
    first.put(KEY, VALUE)?;
    step("begin a second write transaction");
    let second = backend.begin();
    match second {
        Err(error) => Ok(Outcome::refused(&error, "")),
        Ok(_) => Ok(Outcome::accepted("two write transactions at a time")),
    }
}

fn create_database_within<B: Probe>(directory: &Directory) -> Answer {
    let options = write_backend::EnvironmentOptions { max_databases: 1, ..options() };
    let backend = open::<B>(directory.path(), &options)?;
    let mut first = backend.begin()?;
    first.put(KEY, VALUE)?;
    step("create a database while a write transaction is open");
    backend.create_database("name")?;
    Ok(Outcome::accepted("two write transactions at a time"))
}
