//! What a killed writer may leave and what it may not, made by hand: the check tells them apart.

use backend_null::Null;
use backend_raw_ffi::RawFfi;
use tempfile::{TempDir, tempdir};
use write_backend::protocol::behaviour::{Found, Question, Wrote};
use write_backend::{EnvironmentOptions, SyncMode, WriteBackend as _, WriteTransaction as _};

use super::batch::{LAST, Pair, SLOTS};
use super::{Batch, Checker, commit, write};

/// More than there are slots, so that batches have taken the place of others.
const BATCHES: u64 = SLOTS + 10;

#[expect(unsafe_code, reason = "opening maps files that others could change")]
fn open(directory: &TempDir) -> RawFfi {
    // SAFETY: the directory is one test's alone.
    unsafe { RawFfi::open(directory.path(), &EnvironmentOptions::default()) }.unwrap()
}

/// A closed environment with the batches up to [`BATCHES`].
fn written() -> TempDir {
    let directory = tempdir().unwrap();
    let backend = open(&directory);
    for number in 1..=BATCHES {
        commit(&backend, &Batch::new(number)).unwrap();
    }
    directory
}

/// The same with `pairs`, committed together: what no writer does.
fn written_with<'a>(pairs: impl IntoIterator<Item = &'a Pair>) -> TempDir {
    let directory = written();
    let backend = open(&directory);
    let mut txn = backend.begin().unwrap();
    for (key, value) in pairs {
        txn.put(key, value).unwrap();
    }
    txn.commit().unwrap();
    directory
}

/// What is found when the batches up to `reported` were reported.
fn found(directory: &TempDir, reported: u64) -> Found {
    Checker::<RawFfi>::open(directory.path()).unwrap().answer(Question { reported }).unwrap()
}

#[test]
fn nothing_is_there_when_nothing_was_reported() {
    assert_eq!(found(&tempdir().unwrap(), 0), Found::default());
}

#[test]
fn what_was_reported_is_whole_and_a_batch_more_may_be_there() {
    let directory = written();
    let whole = Found { last: BATCHES, ..Found::default() };
    assert_eq!(found(&directory, BATCHES), whole);
    // The check has written a batch itself, which nobody reported.
    let one_more = Found { last: BATCHES + 1, ..Found::default() };
    assert_eq!(found(&directory, BATCHES), one_more);
}

#[test]
fn two_batches_more_than_were_reported_cannot_be() {
    assert_eq!(found(&written(), BATCHES - 2).partial, 1);
}

#[test]
fn reported_batches_that_are_not_there_are_lost() {
    let found = found(&written(), BATCHES + 3);
    assert_eq!((found.lost, found.partial, found.refused), (3, 0, None));
    assert_eq!(found.wrong.unwrap(), "the last batch is 74, reported 77");
}

#[test]
fn a_backend_that_keeps_nothing_loses_everything() {
    let directory = tempdir().unwrap();
    let ended = write::<Null>(directory.path(), SyncMode::NoSync, 1, &mut |wrote| match wrote {
        Wrote::Batch(9) => Err("killed".to_owned()),
        Wrote::Open | Wrote::Batch(_) => Ok(()),
    });
    assert_eq!(ended.unwrap_err(), "killed");
    assert_eq!(found(&directory, 8).lost, 8);
}

#[test]
fn an_unreported_batch_in_part_is_seen() {
    let next = Batch::new(BATCHES + 1);
    let pairs = next.pairs();
    assert!(pairs.len() > 4);
    // With its number it is seen as a batch of its own.
    let number_alone = written_with(pairs.iter().filter(|(key, _)| key == LAST));
    let all_but_one = written_with(pairs.iter().take(1).chain(&pairs[2..]));
    for directory in [number_alone, all_but_one] {
        let found = found(&directory, BATCHES);
        assert_eq!((found.lost, found.partial), (0, 1), "{found:?}");
        assert_eq!(found.wrong.unwrap(), "batch 75: a value is another one");
    }
    // Without, it has destroyed the older one of its slot, which was reported.
    assert_eq!(found(&written_with(next.kept()), BATCHES).lost, 1);
}

#[test]
fn a_pair_too_many_is_seen() {
    let surplus = (b"slot and nobody's".to_vec(), Vec::new());
    assert_eq!(found(&written_with([&surplus]), BATCHES).partial, 1);
}

#[test]
fn a_wrong_checksum_is_seen() {
    let batch = Batch::new(BATCHES);
    let (key, _) = batch.kept().last().unwrap();
    let found = found(&written_with([&(key.clone(), b"another summary".to_vec())]), BATCHES);
    assert_eq!(found.lost, 1);
    assert_eq!(found.wrong.unwrap(), "batch 74: its checksum is another one");
}
