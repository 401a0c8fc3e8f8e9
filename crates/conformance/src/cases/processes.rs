//! Other processes that have the same environment open.

use std::thread;
use std::time::Duration;

use super::prelude::*;
use crate::fork;

const MINE: &[u8] = b"mine";
const BOTH_THERE: &str = "both pairs are there";
const NOTHING_OF_IT: &str = "nothing of it is there and the next transaction works";

cases! {
    "processes/other-reads":
        "Another process has the environment open and reads while this one writes.",
        other_reads => Done("it sees each commit, and nothing before it");
    "processes/other-writes": "Another process writes while this one has the environment open.",
        |at| {
            let backend = at.open()?;
            must_hold(&backend, NOTHING)?;
            let _partner = at.partner_that(Role::HoldEnvironment, "committed")?;
            must_hold(&backend, &[(KEY, VALUE)])?;
            commit(&backend, &[(MINE, VALUE)])?;
            must_hold(&backend, &[(KEY, VALUE), (MINE, VALUE)])?;
            done(BOTH_THERE)
        } => Done(BOTH_THERE);
    "processes/other-holds-a-transaction": "A write transaction waits for that of another process.",
        other_holds => Done(BOTH_THERE);
    "processes/killed-in-a-transaction":
        "A process is killed in a write transaction while this one has the environment open.",
        |at| {
            let backend = at.open()?;
            at.partner_that(Role::HoldTransaction, "holding")?.kill()?;
            go_on(&backend)
        } => Done(NOTHING_OF_IT);
    "processes/killed-in-a-transaction-before-open":
        "The same, and the environment is opened afterwards.",
        |at| {
            at.partner_that(Role::HoldTransaction, "holding")?.kill()?;
            go_on(&at.open()?)
        } => Done(NOTHING_OF_IT);
    "processes/killed-after-commit":
        "A process is killed after its commit without having closed the environment.",
        |at| {
            at.partner_that(Role::HoldEnvironment, "committed")?.kill()?;
            at.holds(&[(KEY, VALUE)])?;
            done(ALL_THERE)
        } => Done(ALL_THERE);
    "processes/spawned-inherits":
        "A program is started while the environment is open: which of its files it can write to.",
        |at| {
            let _backend = at.filled(&[(KEY, VALUE)])?;
            at.partner(Role::SayInherited)?.outcome("say which files are open")
        } => Accepted("data.mdb");
    "processes/forked-child-writes":
        "A forked child writes through the environment that its parent has opened.",
        |at| forked(at, |backend| commit(&backend, &[(MINE, VALUE)]).is_ok(), &[(KEY, VALUE), (MINE, VALUE)])
            => Accepted("all pairs are there and the parent goes on");
    "processes/forked-child-closes":
        "A forked child closes the environment that its parent has opened, and the parent goes on.",
        |at| forked(at, |backend| { drop(backend); true }, &[(KEY, VALUE)])
            => Accepted("all pairs are there and the parent goes on");
}

/// After `child` in a forked child `pairs` are there, and the parent writes another.
fn forked<B: Probe>(at: &Place<B>, child: fn(B) -> bool, pairs: &[(&[u8], &[u8])]) -> Answer {
    if !cfg!(unix) {
        return not_checked("there is no fork");
    }
    let backend = at.filled(&[(KEY, VALUE)])?;
    step("use the environment in a forked child");
    // Both go on with what was one environment: that is what the case is about.
    let mut both = Some(backend);
    let went_well = fork::in_child(|| both.take().is_some_and(child))?;
    let Some(backend) = both else { return wrong("the parent was the child") };
    if !went_well {
        return wrong("the child could not do it");
    }
    step("go on after a forked child");
    commit(&backend, &[(b"parent", VALUE)])?;
    must_count(&backend, pairs.len() + 1)?;
    drop(backend);
    let all: Vec<(&[u8], &[u8])> = pairs.iter().copied().chain([(&b"parent"[..], VALUE)]).collect();
    at.holds(&all)?;
    accepted("all pairs are there and the parent goes on")
}

fn other_reads<B: Probe>(at: &Place<B>) -> Answer {
    let key = "key of text";
    let mut partner = at.partner_that(Role::Read, "open")?;
    let backend = at.open()?;
    partner.tell(key, "nothing")?;
    let mut txn = backend.begin()?;
    txn.put(key.as_bytes(), b"first")?;
    partner.tell(key, "nothing")?;
    txn.commit()?;
    partner.tell(key, "first")?;
    commit(&backend, &[(key, "second")])?;
    partner.tell(key, "second")?;
    done("it sees each commit, and nothing before it")
}

fn other_holds<B: Probe>(at: &Place<B>) -> Answer {
    /// How long the other process holds its transaction.
    const HOLDS: Duration = Duration::from_millis(200);
    let backend = at.open()?;
    let mut partner = at.partner_that(Role::HoldTransaction, "holding")?;
    let release = thread::spawn(move || {
        thread::sleep(HOLDS);
        partner.tell("go on", "committed")
    });
    step("begin while another process has a write transaction");
    commit(&backend, &[(MINE, VALUE)])?;
    match release.join() {
        Ok(released) => released?,
        Err(_) => return wrong("the other process's end panicked"),
    }
    must_hold(&backend, &[(KEY, VALUE), (MINE, VALUE)])?;
    done(BOTH_THERE)
}

/// The next transaction, after the holder of one was killed.
fn go_on<B: Probe>(backend: &B) -> Answer {
    must_hold(backend, NOTHING)?;
    step("begin after the holder of the write transaction was killed");
    commit(backend, &[(MINE, VALUE)])?;
    must_hold(backend, &[(MINE, VALUE)])?;
    done(NOTHING_OF_IT)
}
