//! Environments that are closed while a transaction is open. Rust forbids that of one that is still
//! to be used; of one that was forgotten (`mem::forget`, or a cycle of counted references) it does not.

use std::mem;

use super::prelude::*;

const COMMITTED: &str = "what was committed is there and the next transaction works";

cases! {
    "closing/write-transaction-forgotten":
        "The environment is closed while a forgotten write transaction is open, and opened again.",
        |at| {
            let backend = at.filled(&[(KEY, VALUE)])?;
            let mut txn = backend.begin()?;
            txn.put(b"another", VALUE)?;
            mem::forget(txn);
            close_and_go_on(at, backend)
        } => Done(COMMITTED);
    "closing/write-transaction-forgotten-beside-another-process":
        "The same while another process has the environment open: the lock is in the file that \
         both use, and stays taken. Opening again waits for it, as it creates a database.",
        |at| {
            let _partner = at.partner_that(Role::HoldEnvironment, "committed")?;
            let backend = at.open()?;
            mem::forget(backend.begin()?);
            close_and_go_on(at, backend)
        } => Deadlocks("open again");
    "closing/read-transaction-forgotten": "A forgotten read transaction, and no other process.",
        |at| {
            let backend = at.filled(&[(KEY, VALUE)])?;
            mem::forget(begin_read(&backend)?);
            close_and_go_on(at, backend)
        } => Done(COMMITTED);
}

/// Closes an environment that holds one pair, and opens it again.
fn close_and_go_on<B: Probe>(at: &Place<B>, backend: B) -> Answer {
    step("close");
    drop(backend);
    step("open again");
    let backend = at.open()?;
    must_hold(&backend, &[(KEY, VALUE)])?;
    step("begin a write transaction");
    commit(&backend, &[(b"next", VALUE)])?;
    drop(backend);
    at.holds(&[(KEY, VALUE), (b"next", VALUE)])?;
    done(COMMITTED)
}
