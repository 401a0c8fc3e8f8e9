//! What a killed writer may leave and what it may not, made by hand: the check tells them apart.

use std::path::Path;

use backend_null::Null;
use backend_raw_ffi::RawFfi;
use write_backend::protocol::behaviour::{Found, Question, Wrote};
use write_backend::{EnvironmentOptions, SyncMode, WriteBackend as _, WriteTransaction as _};

use super::batch::{LAST, SLOTS};
use super::{Batch, Checker, commit, write};

/// More than there are slots, so that batches have taken the place of others.
const BATCHES: u64 = SLOTS + 10;

#[expect(unsafe_code, reason = "opening maps files that others could change")]
fn open(directory: &Path) -> RawFfi {
    // SAFETY: the directory is one test's alone.
    unsafe { RawFfi::open(directory, &EnvironmentOptions::default()) }.unwrap()
}

/// Commits the batches up to [`BATCHES`] and closes the environment.
fn written(directory: &Path) {
    let backend = open(directory);
    for number in 1..=BATCHES {
        commit(&backend, &Batch::new(number)).unwrap();
    }
}

/// What is found when the batches up to `reported` were reported.
fn found(directory: &Path, reported: u64) -> Found {
    Checker::<RawFfi>::open(directory).unwrap().answer(Question { reported }).unwrap()
}

/// Commits some pairs of `batch`: what no sound backend ever leaves.
fn in_part(directory: &Path, batch: &Batch, wanted: impl Fn(usize, &[u8]) -> bool) {
    let backend = open(directory);
    let mut txn = backend.begin().unwrap();
    for (index, (key, value)) in batch.pairs().enumerate() {
        if wanted(index, key) {
            txn.put(key, value).unwrap();
        }
    }
    txn.commit().unwrap();
}

#[test]
fn nothing_is_there_when_nothing_was_reported() {
    let directory = tempfile::tempdir().unwrap();
    assert_eq!(found(directory.path(), 0), Found::default());
}

#[test]
fn what_was_reported_is_whole_and_a_batch_more_may_be_there() {
    let directory = tempfile::tempdir().unwrap();
    written(directory.path());
    let whole = Found { last: BATCHES, ..Found::default() };
    assert_eq!(found(directory.path(), BATCHES), whole);
    // The check has written a batch itself, which nobody reported.
    let one_more = Found { last: BATCHES + 1, ..Found::default() };
    assert_eq!(found(directory.path(), BATCHES), one_more);
}

#[test]
fn two_batches_more_than_were_reported_cannot_be() {
    let directory = tempfile::tempdir().unwrap();
    written(directory.path());
    assert_eq!(found(directory.path(), BATCHES - 2).partial, 1);
}

#[test]
fn reported_batches_that_are_not_there_are_lost() {
    let directory = tempfile::tempdir().unwrap();
    written(directory.path());
    let found = found(directory.path(), BATCHES + 3);
    assert_eq!((found.lost, found.partial), (3, 0));
    assert_eq!(found.wrong.unwrap(), "the last batch is 74, reported 77");
    assert_eq!(found.refused, None);
}

#[test]
fn a_backend_that_keeps_nothing_loses_everything() {
    let directory = tempfile::tempdir().unwrap();
    let mut reported = 0;
    let ended = write::<Null>(directory.path(), SyncMode::NoSync, 1, &mut |wrote| match wrote {
        Wrote::Open => Ok(()),
        Wrote::Batch(9) => Err("killed".to_owned()),
        Wrote::Batch(number) => {
            reported = number;
            Ok(())
        }
    });
    assert_eq!(ended.unwrap_err(), "killed");
    assert_eq!(found(directory.path(), reported).lost, 8);
}

#[test]
fn an_unreported_batch_in_part_is_seen() {
    let next = Batch::new(BATCHES + 1);
    assert!(next.data().len() > 2);
    let number = |_: usize, key: &[u8]| key == LAST;
    let all_but_one = |index: usize, _: &[u8]| index != 1;
    let data_alone = |_: usize, key: &[u8]| key != LAST;
    // With its number it is seen as a batch of its own.
    for wanted in [&number as &dyn Fn(usize, &[u8]) -> bool, &all_but_one] {
        let directory = tempfile::tempdir().unwrap();
        written(directory.path());
        in_part(directory.path(), &next, wanted);
        let found = found(directory.path(), BATCHES);
        assert_eq!((found.lost, found.partial), (0, 1), "{found:?}");
        assert_eq!(found.wrong.unwrap(), "batch 75: a value is another one");
    }
    // Without, it has destroyed the older one of its slot, which was reported.
    let directory = tempfile::tempdir().unwrap();
    written(directory.path());
    in_part(directory.path(), &next, data_alone);
    assert_eq!(found(directory.path(), BATCHES).lost, 1);
}

#[test]
fn a_pair_too_many_is_seen() {
    let directory = tempfile::tempdir().unwrap();
    written(directory.path());
    let backend = open(directory.path());
    let mut txn = backend.begin().unwrap();
    txn.put(b"slot and nobody's", b"").unwrap();
    txn.commit().unwrap();
    drop(backend);
    assert_eq!(found(directory.path(), BATCHES).partial, 1);
}

#[test]
fn a_wrong_checksum_is_seen() {
    let directory = tempfile::tempdir().unwrap();
    written(directory.path());
    let backend = open(directory.path());
    let mut txn = backend.begin().unwrap();
    let (key, _) =
        Batch::new(BATCHES).kept().last().map(|(k, v)| (k.to_vec(), v.to_vec())).unwrap();
    txn.put(&key, b"another summary").unwrap();
    txn.commit().unwrap();
    drop(backend);
    let found = found(directory.path(), BATCHES);
    assert_eq!(
        (found.lost, found.wrong.unwrap()),
        (1, "batch 74: its checksum is another one".into())
    );
}
