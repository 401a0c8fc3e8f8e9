//! Read transactions: their slots, and what an open one keeps.

use write_backend::Access;

use super::prelude::*;

/// The map of the cases in which it fills up, in bytes: 64 pages.
const MAP: usize = 1 << 18;
/// So many replacements of all pairs fit that map many times over, when pages are used again.
const ROUNDS: usize = 300;
/// One reader at a time, over all processes.
const ONE_READER: Access = Access { read_only: false, max_readers: 1 };
const FIRST_GOES_ON: &str = "the first one goes on";
const WHEN_CLOSED: &str = "reading works when the other has closed its environment";

cases! {
    "readers/snapshot":
        "A read transaction sees what was there when it began, whatever is committed later.",
        |at| {
            let backend = at.filled(&[(KEY, b"old")])?;
            let reader = begin_read(&backend)?;
            commit(&backend, &[(KEY, &b"new"[..]), (b"another", VALUE)])?;
            let (value, another) = (reader.get(KEY)?, reader.get(b"another")?);
            drop(reader);
            must_be(&backend, KEY, Some(b"new"))?;
            match (value.as_deref(), another) {
                (Some(b"old"), None) => done("the old value, and no new key"),
                _ => wrong("a later commit is seen"),
            }
        } => Done("the old value, and no new key");
    "readers/two-on-one-thread": "A second read transaction on the same thread.",
        |at| {
            let backend = at.filled(&[(KEY, VALUE)])?;
            let first = begin_read(&backend)?;
            let error = must_fail(begin_read(&backend), "both are open")?;
            match first.get(KEY)?.as_deref() {
                Some(VALUE) => refused(&error, FIRST_GOES_ON),
                _ => wrong("the first one reads something else"),
            }
        } => Refused(BeginRead, BadReaderSlot, FIRST_GOES_ON);
    "readers/full": "One reader is allowed and another process reads.",
        |at| {
            let backend = with_one_reader(at)?;
            let mut partner = at.partner_that(Role::HoldReader, "reading")?;
            let error = must_fail(begin_read(&backend), "both are reading")?;
            partner.tell("end", "closed")?;
            must_hold(&backend, &[(KEY, VALUE)])?;
            refused(&error, WHEN_CLOSED)
        } => Refused(BeginRead, ReadersFull, WHEN_CLOSED);
    "readers/slot-kept":
        "One reader is allowed, and this thread has read before: its slot stays its own.",
        |at| {
            let backend = with_one_reader(at)?;
            must_be(&backend, KEY, Some(VALUE))?;
            done(format!("another process: {}", at.partner(Role::HoldReader)?.says()))
        } => Done("another process: refused: begin read: readers full");
    "readers/killed": "One reader is allowed, and the process that read was killed.",
        |at| {
            let backend = with_one_reader(at)?;
            at.partner_that(Role::HoldReader, "reading")?.kill()?;
            let error = must_fail(begin_read(&backend), "the slot was free")?;
            when_cleared(&backend, &error, "reading works", || must_hold(&backend, &[(KEY, VALUE)]))
        } => Refused(BeginRead, ReadersFull, "reading works after 1 slot was freed");
    "readers/open-keeps-pages":
        "An open read transaction keeps old pages from being used again: replacing values \
         fills the map.",
        |at| {
            let backend = at.with(map_of(MAP)).open()?;
            replace(&backend)?;
            let reader = begin_read(&backend)?;
            step("replace all pairs again and again");
            let error = must_fail(replace(&backend), "pages were used again")?;
            drop(reader);
            replace(&backend)?;
            must_hold(&backend, &replaced())?;
            refused(&error, "it goes on when the reader has ended")
        } => Refused(Put, MapFull, "it goes on when the reader has ended");
    "readers/killed-keeps-pages":
        "The same with the read transaction of a process that was killed.",
        |at| {
            let backend = at.with(map_of(MAP)).open()?;
            replace(&backend)?;
            at.partner_that(Role::HoldReader, "reading")?.kill()?;
            step("replace all pairs again and again");
            let error = must_fail(replace(&backend), "pages were used again")?;
            when_cleared(&backend, &error, "it goes on", || {
                replace(&backend)?;
                must_hold(&backend, &replaced())
            })
        } => Refused(Put, MapFull, "it goes on after 1 slot was freed");
}

/// An environment with one pair that allows one reader.
fn with_one_reader<B: Probe>(at: &Place<B>) -> Result<B, BackendError> {
    let backend = at.open_with(ONE_READER)?;
    commit(&backend, &[(KEY, VALUE)])?;
    Ok(backend)
}

/// `error`, and that `works` when the slots of killed readers are freed, if the binding can free them.
fn when_cleared<B: Probe>(
    backend: &B,
    error: &BackendError,
    what: &str,
    works: impl FnOnce() -> Result<(), Outcome>,
) -> Answer {
    match backend.clear_stale_readers() {
        Ok(cleared) => {
            works()?;
            refused(error, format!("{what} after {cleared} slot was freed"))
        }
        Err(not) => refused(error, format!("{}: {}", not.operation(), not.kind())),
    }
}

fn replaced() -> Vec<(Vec<u8>, Vec<u8>)> {
    pairs(100, 256)
}

/// Replaces all pairs again and again; the error that ends it, if one does.
fn replace<B: Probe>(backend: &B) -> Result<(), BackendError> {
    (0..ROUNDS).try_for_each(|_| commit(backend, &replaced()))
}
