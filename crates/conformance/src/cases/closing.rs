//! Environments that are closed while a transaction is open. Rust forbids that of one that is still
//! to be used; of one that was forgotten (`mem::forget`, or a cycle of counted references) it does not.

use std::mem;

use write_backend::{Probe, WriteTransaction as _};

use crate::case::Case;
use crate::child::step;
use crate::directory::{Directory, Role};
use crate::outcome::{Answer, Outcome};
use crate::steps::{
    KEY, VALUE, must_hold, must_hold_after_reopening, open, options, put_and_commit,
};

pub(crate) fn cases<B: Probe>() -> Vec<Case> {
    vec![
        Case::new(
            "closing/write-transaction-forgotten",
            "The environment is closed while a forgotten write transaction is open, and opened again.",
            write_transaction::<B>,
        ),
        Case::new(
            "closing/write-transaction-forgotten-beside-another-process",
            "The same while another process has the environment open: the lock is in the file that \
             both use, and stays taken. Opening again waits for it, as it creates a database.",
            beside_another_process::<B>,
        )
        .deadlocks(),
        Case::new(
            "closing/read-transaction-forgotten",
            "A forgotten read transaction, and no other process.",
            read_transaction::<B>,
        ),
    ]
}

fn write_transaction<B: Probe>(directory: &Directory) -> Answer {
    let backend = open::<B>(directory.path(), &options())?;
    put_and_commit(&backend, &[(KEY, VALUE)])?;
    let mut txn = backend.begin()?;
    txn.put(b"another", VALUE)?;
    mem::forget(txn);
    close_and_go_on(directory, backend)
}

fn beside_another_process<B: Probe>(directory: &Directory) -> Answer {
    let mut partner = directory.partner(Role::HoldEnvironment)?;
    partner.wait_for("committed")?;
    let backend = open::<B>(directory.path(), &options())?;
    mem::forget(backend.begin()?);
    close_and_go_on(directory, backend)
}

fn read_transaction<B: Probe>(directory: &Directory) -> Answer {
    let backend = open::<B>(directory.path(), &options())?;
    put_and_commit(&backend, &[(KEY, VALUE)])?;
    // SAFETY: the map is not resized before the environment is closed.
    mem::forget(unsafe { backend.begin_read() }?);
    close_and_go_on(directory, backend)
}

/// Closes an environment that holds one pair, and opens it again.
fn close_and_go_on<B: Probe>(directory: &Directory, backend: B) -> Answer {
    step("close");
    drop(backend);
    step("open again");
    let backend = open::<B>(directory.path(), &options())?;
    must_hold(&backend, &[(KEY, VALUE)])?;
    step("begin a write transaction");
    put_and_commit(&backend, &[(b"next", VALUE)])?;
    drop(backend);
    let pairs = [(KEY, VALUE), (b"next", VALUE)];
    must_hold_after_reopening::<B>(directory.path(), &options(), &pairs)?;
    Ok(Outcome::done("what was committed is there and the next transaction works"))
}
