//! Map sizes that are odd, and maps that change their size.

use super::prelude::*;

/// Not a multiple of any page size.
const ODD: usize = 1_000_001;
/// A multiple of every page size, and more than any machine can map.
const ABSURD: usize = 1 << 60;
const AS_LARGE_AS_DATA: &str = "the map is as large as the data";

cases! {
    "map-size/0": "Leaving the map size at LMDB's default.",
        |at| opened(at, 0) => Done("the map has 1048576 bytes");
    "map-size/one-page": "A map smaller than an empty database.",
        |at| {
            let backend = at.with(map_of(USUAL_PAGE_SIZE)).open()?;
            let pages = backend.info()?.map_size / at.page_size()?;
            let put = backend.begin()?.put(KEY, VALUE);
            let error = must_fail(put, "there was room for a put")?;
            refused(&error, format!("the map has {pages} pages"))
        } => Refused(Put, MapFull, "the map has 2 pages");
    "map-size/no-page-multiple": "A map size of 1,000,001 bytes.",
        |at| opened(at, ODD) => Done("the map has 1000001 bytes");
    "map-size/absurd": "A map size that no machine has.",
        |at| opened(at, ABSURD) => Refused(Open, Io(IoKind::OutOfMemory), "");
    "map-size/smaller-than-the-data": "Reopening with a map size below what is stored.",
        |at| {
            let (pairs, asked) = (pairs(1000, 256), USUAL_PAGE_SIZE * 16);
            drop(at.filled(&pairs)?);
            let backend = at.with(map_of(asked)).open()?;
            must_hold(&backend, &pairs)?;
            done(if backend.info()?.map_size > asked { AS_LARGE_AS_DATA } else { "" })
        } => Done(AS_LARGE_AS_DATA);
    "resize/grow": "Making the map larger.",
        |at| resized(at, |old| old * 4) => Done("the map has the size asked for");
    "resize/no-page-multiple": "Resizing to 1,000,001 bytes more.",
        |at| resized(at, |old| old + ODD) => Done("the map has the size asked for");
    "resize/below-the-data": "Resizing below what is stored.",
        |at| resized(at, |_| USUAL_PAGE_SIZE * 4) => Done(AS_LARGE_AS_DATA);
    "resize/0": "Resizing to 0: take the size that the file says.",
        |at| resized(at, |_| 0) => Done("the map keeps its size");
    "resize/while-a-transaction-is-open": "The map cannot change under an open transaction.",
        |at| {
            let backend = at.open()?;
            let old = backend.info()?.map_size;
            let mut txn = backend.begin()?;
            txn.put(KEY, VALUE)?;
            let though = "the map was resized under a transaction";
            let error = must_fail(backend.resize(old * 4), though)?;
            txn.put(b"another", VALUE)?;
            txn.commit()?;
            must_hold(&backend, &[(KEY, VALUE), (b"another", VALUE)])?;
            refused(&error, GOES_ON)
        } => Refused(Resize, InvalidArgument, GOES_ON);
    "resize/absurd": "Resizing to more than any machine has, and reading on after that.",
        |at| {
            let backend = at.filled(&[(KEY, VALUE)])?;
            let error = must_fail(backend.resize(ABSURD), "the map was resized")?;
            step("read after a resize that failed");
            must_be(&backend, KEY, Some(VALUE))?;
            refused(&error, ENVIRONMENT_GOES_ON)
        } => Crashes("read after a resize that failed");
    "resize/by-another-process": "Another process made the map larger and filled it.",
        by_another_process
            => Refused(Begin, MapResized, "after a resize to 0 all pairs are there");
}

fn opened<B: Probe>(at: &Place<B>, map_size: usize) -> Answer {
    let backend = at.with(map_of(map_size)).filled(&[(KEY, VALUE)])?;
    must_hold(&backend, &[(KEY, VALUE)])?;
    done(format!("the map has {} bytes", backend.info()?.map_size))
}

/// Resizes an environment with some pairs by `new(old)`, and goes on with it.
fn resized<B: Probe>(at: &Place<B>, new: fn(usize) -> usize) -> Answer {
    let mut pairs = pairs(100, 256);
    let backend = at.filled(&pairs)?;
    let old = backend.info()?.map_size;
    backend.resize(new(old))?;
    must_hold(&backend, &pairs)?;
    let now = backend.info()?.map_size;
    if now > old {
        pairs.push((KEY.to_vec(), VALUE.to_vec()));
        commit(&backend, &pairs)?;
        must_hold(&backend, &pairs)?;
    }
    done(match now {
        _ if now == new(old) => "the map has the size asked for",
        _ if now == old => "the map keeps its size",
        _ => AS_LARGE_AS_DATA,
    })
}

fn by_another_process<B: Probe>(at: &Place<B>) -> Answer {
    let backend = at.with(map_of(0)).filled(&[(KEY, VALUE)])?;
    let _partner = at.partner_that(Role::Grow, "grown")?;
    let error = must_fail(backend.begin(), "a transaction in a map that is too small")?;
    backend.resize(0)?;
    commit(&backend, &[(KEY, b"newer")])?;
    must_be(&backend, KEY, Some(b"newer"))?;
    must_be(&backend, &nth_key(0), Some(&[1; 1000]))?;
    refused(&error, "after a resize to 0 all pairs are there")
}
