//! Other processes that have the same environment open.

use std::thread;
use std::time::Duration;

use write_backend::{Probe, WriteTransaction as _};

use crate::case::Case;
use crate::child::step;
use crate::directory::{Directory, Role};
use crate::outcome::{Answer, Outcome};
use crate::steps::{
    KEY, NOTHING, VALUE, must_hold, must_hold_after_reopening, open, options, put_and_commit,
};

pub(crate) fn cases<B: Probe>() -> Vec<Case> {
    vec![
        Case::new(
            "processes/other-reads",
            "Another process has the environment open and reads while this one writes.",
            other_reads::<B>,
        ),
        Case::new(
            "processes/other-writes",
            "Another process writes while this one has the environment open.",
            other_writes::<B>,
        ),
        Case::new(
            "processes/other-holds-a-transaction",
            "A write transaction waits for that of another process.",
            other_holds::<B>,
        ),
        Case::new(
            "processes/killed-in-a-transaction",
            "A process is killed in a write transaction while this one has the environment open.",
            |directory| killed::<B>(directory, true),
        ),
        Case::new(
            "processes/killed-in-a-transaction-before-open",
            "The same, and the environment is opened afterwards.",
            |directory| killed::<B>(directory, false),
        ),
        Case::new(
            "processes/killed-after-commit",
            "A process is killed after its commit without having closed the environment.",
            killed_after_commit::<B>,
        ),
    ]
}

fn other_reads<B: Probe>(directory: &Directory) -> Answer {
    let key = "key of text";
    let mut partner = directory.partner(Role::Read)?;
    partner.wait_for("open")?;
    let backend = open::<B>(directory.path(), &options())?;
    partner.tell(key)?;
    partner.wait_for("nothing")?;
    let mut txn = backend.begin()?;
    txn.put(key.as_bytes(), b"first")?;
    partner.tell(key)?;
    partner.wait_for("nothing")?;
    txn.commit()?;
    partner.tell(key)?;
    partner.wait_for("first")?;
    put_and_commit(&backend, &[(key, "second")])?;
    partner.tell(key)?;
    partner.wait_for("second")?;
    Ok(Outcome::done("it sees each commit, and nothing before it"))
}

fn other_writes<B: Probe>(directory: &Directory) -> Answer {
    let backend = open::<B>(directory.path(), &options())?;
    must_hold(&backend, NOTHING)?;
    let mut partner = directory.partner(Role::HoldEnvironment)?;
    partner.wait_for("committed")?;
    must_hold(&backend, &[(KEY, VALUE)])?;
    put_and_commit(&backend, &[(b"mine", VALUE)])?;
    must_hold(&backend, &[(KEY, VALUE), (b"mine", VALUE)])?;
    Ok(Outcome::done("both pairs are there"))
}

fn other_holds<B: Probe>(directory: &Directory) -> Answer {
    /// How long the other process holds its transaction.
    const HOLDS: Duration = Duration::from_millis(200);
    let backend = open::<B>(directory.path(), &options())?;
    let mut partner = directory.partner(Role::HoldTransaction)?;
    partner.wait_for("holding")?;
    let release = thread::spawn(move || {
        thread::sleep(HOLDS);
        partner.tell("go on")?;
        partner.wait_for("committed")
    });
    step("begin while another process has a write transaction");
    put_and_commit(&backend, &[(b"mine", VALUE)])?;
    match release.join() {
        Ok(released) => released?,
        Err(_) => return Ok(Outcome::wrong("the other process's end panicked")),
    }
    must_hold(&backend, &[(KEY, VALUE), (b"mine", VALUE)])?;
    Ok(Outcome::done("both pairs are there"))
}

fn killed<B: Probe>(directory: &Directory, open_before: bool) -> Answer {
    let before = if open_before { Some(open::<B>(directory.path(), &options())?) } else { None };
    let mut partner = directory.partner(Role::HoldTransaction)?;
    partner.wait_for("holding")?;
    partner.kill()?;
    let backend = match before {
        Some(backend) => backend,
        None => open::<B>(directory.path(), &options())?,
    };
    must_hold(&backend, NOTHING)?;
    step("begin after the holder of the write transaction was killed");
    put_and_commit(&backend, &[(b"mine", VALUE)])?;
    must_hold(&backend, &[(b"mine", VALUE)])?;
    Ok(Outcome::done("nothing of it is there and the next transaction works"))
}

fn killed_after_commit<B: Probe>(directory: &Directory) -> Answer {
    let mut partner = directory.partner(Role::HoldEnvironment)?;
    partner.wait_for("committed")?;
    partner.kill()?;
    must_hold_after_reopening::<B>(directory.path(), &options(), &[(KEY, VALUE)])?;
    Ok(Outcome::done("all pairs are there"))
}
