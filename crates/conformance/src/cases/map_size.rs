//! Map sizes that are odd, and maps that change their size.

use write_backend::{EnvironmentOptions, Probe, WriteTransaction as _};

use crate::case::Case;
use crate::child::step;
use crate::directory::{Directory, Role};
use crate::outcome::{Answer, Outcome};
use crate::steps::{
    KEY, USUAL_PAGE_SIZE, VALUE, map_of, must_be, must_fail, must_hold, open, options, pairs,
    put_and_commit,
};

/// Not a multiple of any page size.
const ODD: usize = 1_000_001;
/// A multiple of every page size, and more than any machine can map.
const ABSURD: usize = 1 << 60;

pub(crate) fn cases<B: Probe>() -> Vec<Case> {
    vec![
        Case::new("map-size/0", "Leaving the map size at LMDB's default.", |directory| {
            opened::<B>(directory, 0)
        }),
        Case::new("map-size/one-page", "A map smaller than an empty database.", one_page::<B>),
        Case::new("map-size/no-page-multiple", "A map size of 1,000,001 bytes.", |directory| {
            opened::<B>(directory, ODD)
        }),
        Case::new("map-size/absurd", "A map size that no machine has.", |directory| {
            opened::<B>(directory, ABSURD)
        }),
        Case::new(
            "map-size/smaller-than-the-data",
            "Reopening with a map size below what is stored.",
            smaller_than_data::<B>,
        ),
        Case::new("resize/grow", "Making the map larger.", |directory| {
            resized::<B>(directory, |old| old * 4)
        }),
        Case::new("resize/no-page-multiple", "Resizing to 1,000,001 bytes more.", |directory| {
            resized::<B>(directory, |old| old + ODD)
        }),
        Case::new("resize/below-the-data", "Resizing below what is stored.", |directory| {
            resized::<B>(directory, |_| USUAL_PAGE_SIZE * 4)
        }),
        Case::new("resize/0", "Resizing to 0: take the size that the file says.", |directory| {
            resized::<B>(directory, |_| 0)
        }),
        Case::new(
            "resize/while-a-transaction-is-open",
            "The map cannot change under an open transaction.",
            while_open::<B>,
        ),
        Case::new(
            "resize/absurd",
            "Resizing to more than any machine has, and reading on after that.",
            absurd::<B>,
        ),
        Case::new(
            "resize/by-another-process",
            "Another process made the map larger and filled it.",
            by_another_process::<B>,
        ),
    ]
}

fn opened<B: Probe>(directory: &Directory, map_size: usize) -> Answer {
    let backend = open::<B>(directory.path(), &map_of(map_size))?;
    put_and_commit(&backend, &[(KEY, VALUE)])?;
    must_hold(&backend, &[(KEY, VALUE)])?;
    Ok(Outcome::done(format!("the map has {} bytes", backend.info()?.map_size)))
}

fn one_page<B: Probe>(directory: &Directory) -> Answer {
    let backend = open::<B>(directory.path(), &map_of(USUAL_PAGE_SIZE))?;
    let page_size = directory.page_size()?;
    let map_size = backend.info()?.map_size;
    let mut txn = backend.begin()?;
    let put = must_fail(txn.put(KEY, VALUE), "there was room for a put")?;
    Ok(Outcome::refused(&put, format!("the map has {} pages", map_size / page_size)))
}

fn smaller_than_data<B: Probe>(directory: &Directory) -> Answer {
    let pairs = pairs(1000, 256);
    let backend = open::<B>(directory.path(), &options())?;
    put_and_commit(&backend, &pairs)?;
    drop(backend);
    let asked = USUAL_PAGE_SIZE * 16;
    let backend = open::<B>(directory.path(), &map_of(asked))?;
    must_hold(&backend, &pairs)?;
    let larger = backend.info()?.map_size > asked;
    Ok(Outcome::done(if larger { "the map is as large as the data" } else { "" }))
}

/// Resizes an environment with some pairs by `new(old)`, and goes on with it.
fn resized<B: Probe>(directory: &Directory, new: fn(usize) -> usize) -> Answer {
    let mut pairs = pairs(100, 256);
    let backend = open::<B>(directory.path(), &options())?;
    put_and_commit(&backend, &pairs)?;
    let old = backend.info()?.map_size;
    backend.resize(new(old))?;
    must_hold(&backend, &pairs)?;
    let now = backend.info()?.map_size;
    if now > old {
        pairs.push((KEY.to_vec(), VALUE.to_vec()));
        put_and_commit(&backend, &pairs)?;
        must_hold(&backend, &pairs)?;
    }
    Ok(Outcome::done(match now {
        _ if now == new(old) => "the map has the size asked for",
        _ if now == old => "the map keeps its size",
        _ => "the map is as large as the data",
    }))
}

fn while_open<B: Probe>(directory: &Directory) -> Answer {
    let backend = open::<B>(directory.path(), &options())?;
    let old = backend.info()?.map_size;
    let mut txn = backend.begin()?;
    txn.put(KEY, VALUE)?;
    let error = must_fail(backend.resize(old * 4), "the map was resized under a transaction")?;
    txn.put(b"another", VALUE)?;
    txn.commit()?;
    must_hold(&backend, &[(KEY, VALUE), (b"another", VALUE)])?;
    Ok(Outcome::refused(&error, "the transaction goes on"))
}

fn absurd<B: Probe>(directory: &Directory) -> Answer {
    let backend = open::<B>(directory.path(), &options())?;
    put_and_commit(&backend, &[(KEY, VALUE)])?;
    let error = must_fail(backend.resize(ABSURD), "the map was resized")?;
    step("read after a resize that failed");
    must_be(&backend, KEY, Some(VALUE))?;
    Ok(Outcome::refused(&error, "the environment goes on"))
}

fn by_another_process<B: Probe>(directory: &Directory) -> Answer {
    let options = EnvironmentOptions { map_size: 0, ..options() };
    let backend = open::<B>(directory.path(), &options)?;
    put_and_commit(&backend, &[(KEY, VALUE)])?;
    let mut partner = directory.partner(Role::Grow)?;
    partner.wait_for("grown")?;
    let error = must_fail(backend.begin(), "a transaction in a map that is too small")?;
    backend.resize(0)?;
    put_and_commit(&backend, &[(KEY, b"newer")])?;
    must_be(&backend, KEY, Some(b"newer"))?;
    must_be(&backend, &crate::steps::nth_key(0), Some(&[1; 1000]))?;
    Ok(Outcome::refused(&error, "after a resize to 0 all pairs are there"))
}
