//! Read transactions: their slots, and what an open one keeps.

use write_backend::{Access, BackendError, Probe, ReadTransaction as _};

use crate::case::Case;
use crate::child::step;
use crate::directory::{Directory, Role};
use crate::outcome::{Answer, Outcome};
use crate::steps::{
    KEY, VALUE, map_of, must_be, must_fail, must_hold, open, open_with, options, pairs,
    put_and_commit,
};

/// The map of the cases in which it fills up, in bytes: 64 pages.
const MAP: usize = 1 << 18;
/// So many replacements of all pairs fit that map many times over, when pages are used again.
const ROUNDS: usize = 300;
/// One reader at a time, over all processes.
const ONE_READER: Access = Access { read_only: false, max_readers: 1 };

pub(crate) fn cases<B: Probe>() -> Vec<Case> {
    vec![
        Case::new(
            "readers/snapshot",
            "A read transaction sees what was there when it began, whatever is committed later.",
            snapshot::<B>,
        ),
        Case::new(
            "readers/two-on-one-thread",
            "A second read transaction on the same thread.",
            two_on_one_thread::<B>,
        ),
        Case::new("readers/full", "One reader is allowed and another process reads.", full::<B>),
        Case::new(
            "readers/slot-kept",
            "One reader is allowed, and this thread has read before: its slot stays its own.",
            slot_kept::<B>,
        ),
        Case::new(
            "readers/killed",
            "One reader is allowed, and the process that read was killed.",
            killed::<B>,
        ),
        Case::new(
            "readers/open-keeps-pages",
            "An open read transaction keeps old pages from being used again: replacing values \
             fills the map.",
            open_keeps_pages::<B>,
        ),
        Case::new(
            "readers/killed-keeps-pages",
            "The same with the read transaction of a process that was killed.",
            killed_keeps_pages::<B>,
        ),
    ]
}

/// Begins a read transaction. No case in this module resizes a map.
fn begin_read<B: Probe>(backend: &B) -> Result<B::Reader<'_>, BackendError> {
    // SAFETY: nothing in this module resizes the map.
    unsafe { backend.begin_read() }
}

fn snapshot<B: Probe>(directory: &Directory) -> Answer {
    let backend = open::<B>(directory.path(), &options())?;
    put_and_commit(&backend, &[(KEY, b"old")])?;
    let reader = begin_read(&backend)?;
    put_and_commit(&backend, &[(KEY, &b"new"[..]), (b"another", VALUE)])?;
    let (value, another) = (reader.get(KEY)?, reader.get(b"another")?);
    drop(reader);
    must_be(&backend, KEY, Some(b"new"))?;
    Ok(match (value.as_deref(), another) {
        (Some(b"old"), None) => Outcome::done("the old value, and no new key"),
        _ => Outcome::wrong("a later commit is seen"),
    })
}

fn two_on_one_thread<B: Probe>(directory: &Directory) -> Answer {
    let backend = open::<B>(directory.path(), &options())?;
    put_and_commit(&backend, &[(KEY, VALUE)])?;
    let first = begin_read(&backend)?;
    let error = must_fail(begin_read(&backend), "both are open")?;
    if first.get(KEY)?.as_deref() != Some(VALUE) {
        return Ok(Outcome::wrong("the first one reads something else"));
    }
    Ok(Outcome::refused(&error, "the first one goes on"))
}

fn full<B: Probe>(directory: &Directory) -> Answer {
    let backend = open_with::<B>(directory.path(), &options(), ONE_READER)?;
    put_and_commit(&backend, &[(KEY, VALUE)])?;
    let mut partner = directory.partner(Role::HoldReader)?;
    partner.wait_for("reading")?;
    let error = must_fail(begin_read(&backend), "both are reading")?;
    partner.tell("end")?;
    partner.wait_for("closed")?;
    must_hold(&backend, &[(KEY, VALUE)])?;
    Ok(Outcome::refused(&error, "reading works when the other has closed its environment"))
}

fn slot_kept<B: Probe>(directory: &Directory) -> Answer {
    let backend = open_with::<B>(directory.path(), &options(), ONE_READER)?;
    put_and_commit(&backend, &[(KEY, VALUE)])?;
    must_be(&backend, KEY, Some(VALUE))?;
    let mut partner = directory.partner(Role::HoldReader)?;
    Ok(Outcome::done(format!("another process: {}", partner.says()?)))
}

fn killed<B: Probe>(directory: &Directory) -> Answer {
    let backend = open_with::<B>(directory.path(), &options(), ONE_READER)?;
    put_and_commit(&backend, &[(KEY, VALUE)])?;
    let mut partner = directory.partner(Role::HoldReader)?;
    partner.wait_for("reading")?;
    partner.kill()?;
    let error = must_fail(begin_read(&backend), "the slot was free")?;
    let cleared = match backend.clear_stale_readers() {
        Ok(cleared) => cleared,
        Err(refused) => return Ok(Outcome::refused(&error, refused_in_short(&refused))),
    };
    must_hold(&backend, &[(KEY, VALUE)])?;
    Ok(Outcome::refused(&error, format!("reading works after {cleared} slot was freed")))
}

fn refused_in_short(error: &BackendError) -> String {
    format!("{}: {}", error.operation(), error.kind())
}

/// Replaces all of `pairs` again and again; the error that ends it, if one does.
fn replace<B: Probe>(backend: &B, pairs: &[(Vec<u8>, Vec<u8>)]) -> Result<(), BackendError> {
    (0..ROUNDS).try_for_each(|_| put_and_commit(backend, pairs))
}

fn open_keeps_pages<B: Probe>(directory: &Directory) -> Answer {
    let pairs = pairs(100, 256);
    let backend = open::<B>(directory.path(), &map_of(MAP))?;
    replace(&backend, &pairs)?;
    let reader = begin_read(&backend)?;
    step("replace all pairs again and again");
    let error = must_fail(replace(&backend, &pairs), "pages were used again")?;
    drop(reader);
    replace(&backend, &pairs)?;
    must_hold(&backend, &pairs)?;
    Ok(Outcome::refused(&error, "it goes on when the reader has ended"))
}

fn killed_keeps_pages<B: Probe>(directory: &Directory) -> Answer {
    let pairs = pairs(100, 256);
    let backend = open::<B>(directory.path(), &map_of(MAP))?;
    replace(&backend, &pairs)?;
    let mut partner = directory.partner(Role::HoldReader)?;
    partner.wait_for("reading")?;
    partner.kill()?;
    step("replace all pairs again and again");
    let error = must_fail(replace(&backend, &pairs), "pages were used again")?;
    let cleared = match backend.clear_stale_readers() {
        Ok(cleared) => cleared,
        Err(refused) => return Ok(Outcome::refused(&error, refused_in_short(&refused))),
    };
    replace(&backend, &pairs)?;
    must_hold(&backend, &pairs)?;
    Ok(Outcome::refused(&error, format!("it goes on after {cleared} slot was freed")))
}
