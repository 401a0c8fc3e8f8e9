//! Broken adapters, and the check that is meant to catch each.
//!
//! An adapter with a defect is run by the worker's own loop and claims that all went well. Then the
//! checks look: [`check::verify`] with the sound backend at what was written,
//! [`check::environment`] at the open environment, [`allocations::check`] at the heap. Each test
//! states which of them speaks and what it says; the others must have nothing to say.

mod defect;
mod defects;

use std::path::Path;

use backend_raw_ffi::RawFfi;
use conformance::allocations::{self, Cost, Counts};
use conformance::conversation::converse;
use write_backend::check::{self, Expected};
use write_backend::protocol::{Prepare, Prepared, Reply, Request};
use write_backend::{EnvironmentOptions, Finish, SyncMode, Workload, WriteBackend};

use crate::defect::Broken;
use crate::defects::{
    AllocatesPerTransaction, CommitsEveryPut, CommitsOnAbort, CommitsTwicePerTransaction,
    CopiesItsInput, CutsKeys, DropsEveryTenthPut, IgnoresTheSyncMode, IgnoresTheWritableMap,
    NoDefect, SkipsCommit, StoresTheKeyAsTheValue, SwallowsErrors, SwapsKeyAndValue, SyncsAlways,
    WritesTheFirstTransactionOnly, WritesToAnotherDatabase, WritesToAnotherDirectory,
    WritesValuesOneByteShort, WritesZeros,
};

/// How many transactions each worker runs.
const TRANSACTIONS: u64 = 3;

/// What each check said.
#[derive(Debug, PartialEq, Eq)]
struct Findings {
    verify: Result<(), String>,
    environment: Result<(), String>,
    allocations: Result<(), String>,
}

/// Runs `workload` with `B` as a worker would, which must claim success, and lets all checks look.
fn examine<B: WriteBackend>(workload: &str, options: &EnvironmentOptions) -> Findings {
    let workload: Workload = workload.parse().unwrap();
    let directory = tempfile::tempdir().unwrap();
    let prepared = claimed::<B>(directory.path(), options, &workload);
    let expected = Expected { workload: &workload, seed: 7, transactions: TRANSACTIONS };
    // SAFETY: the directory is this test's alone.
    let written = unsafe { RawFfi::open(directory.path(), options) }.unwrap();
    let heap = tempfile::tempdir().unwrap();
    let nothing = Cost { per_put: Counts::NONE, per_transaction: Counts::NONE };
    Findings {
        verify: check::verify(&written, &expected).map(drop),
        environment: check::environment(options, &prepared),
        allocations: allocations::check::<B>(heap.path(), count, nothing),
    }
}

/// A worker's run in which nothing fails.
fn claimed<B: WriteBackend>(
    directory: &Path,
    options: &EnvironmentOptions,
    workload: &Workload,
) -> Prepared {
    let prepare = Request::Prepare(Prepare {
        directory: directory.to_owned(),
        environment: options.clone(),
        workload: *workload,
        seed: 7,
    });
    let run = Request::Run { warm_up: 0, transactions: TRANSACTIONS };
    let replies = converse::<B>(&[prepare, run, Request::Close]).unwrap();
    match replies[..] {
        [
            Reply::Prepared(prepared),
            Reply::Ran { transactions: TRANSACTIONS, .. },
            Reply::Closed,
        ] => prepared,
        _ => panic!("the worker did not claim success: {replies:?}"),
    }
}

fn count(run: &mut dyn FnMut()) -> Counts {
    let info = allocation_counter::measure(run);
    Counts { blocks: info.count_total, bytes: info.bytes_total }
}

const COMMIT: &str = "commit-n25-v32-k4-sequential-nosync";
const ABORT: &str = "abort-n25-v32-k4-sequential-nosync";

fn nosync() -> EnvironmentOptions {
    EnvironmentOptions::default()
}

/// Only `verify` speaks, and says `words`.
fn caught_by_verify<B: WriteBackend>(workload: &str, options: &EnvironmentOptions, words: &str) {
    let Findings { verify, environment, .. } = examine::<B>(workload, options);
    let said = verify.expect_err("the check has nothing to say");
    assert!(said.contains(words), "{said}");
    assert_eq!(environment, Ok(()));
}

/// Only `environment` speaks, and says `words`.
fn caught_by_environment<B: WriteBackend>(options: &EnvironmentOptions, words: &str) {
    let Findings { verify, environment, allocations } = examine::<B>(COMMIT, options);
    let said = environment.expect_err("the check has nothing to say");
    assert!(said.contains(words), "{said}");
    assert_eq!((verify, allocations), (Ok(()), Ok(())));
}

/// Only `allocations` speaks, and says `words`.
fn caught_by_allocations<B: WriteBackend>(words: &str) {
    let Findings { verify, environment, allocations } = examine::<B>(COMMIT, &nosync());
    let said = allocations.expect_err("the check has nothing to say");
    assert!(said.contains(words), "{said}");
    assert_eq!((verify, environment), (Ok(()), Ok(())));
}

#[test]
fn sound_adapters_pass_all_checks() {
    let sound = Findings { verify: Ok(()), environment: Ok(()), allocations: Ok(()) };
    for sync in [SyncMode::NoSync, SyncMode::NoMetaSync, SyncMode::Sync, SyncMode::MapAsync] {
        let writable_map = sync == SyncMode::MapAsync;
        let options = EnvironmentOptions { sync, writable_map, ..nosync() };
        for finish in Finish::ALL {
            let workload = format!("{finish}-n25-v32-k4-random-{sync}");
            assert_eq!(examine::<RawFfi>(&workload, &options), sound, "{workload}");
            assert_eq!(examine::<Broken<NoDefect>>(&workload, &options), sound, "{workload}");
        }
    }
}

#[test]
fn a_skipped_commit_is_caught_by_verify() {
    let words = "3 commits were claimed, LMDB counted 0";
    caught_by_verify::<Broken<SkipsCommit>>(COMMIT, &nosync(), words);
}

#[test]
fn a_commit_on_abort_is_caught_by_verify() {
    let words = "0 commits were claimed, LMDB counted 3";
    caught_by_verify::<Broken<CommitsOnAbort>>(ABORT, &nosync(), words);
}

#[test]
fn a_second_commit_per_transaction_is_caught_by_verify() {
    let words = "3 commits were claimed, LMDB counted 6";
    caught_by_verify::<Broken<CommitsTwicePerTransaction>>(COMMIT, &nosync(), words);
}

#[test]
fn a_commit_per_put_is_caught_by_verify() {
    let words = "3 commits were claimed, LMDB counted 75";
    caught_by_verify::<Broken<CommitsEveryPut>>(COMMIT, &nosync(), words);
}

#[test]
fn puts_in_the_first_transaction_only_are_caught_by_verify() {
    let words = "3 commits were claimed, LMDB counted 1";
    caught_by_verify::<Broken<WritesTheFirstTransactionOnly>>(COMMIT, &nosync(), words);
}

#[test]
fn dropped_puts_are_caught_by_verify() {
    let words = "25 pairs must be there, found 23";
    caught_by_verify::<Broken<DropsEveryTenthPut>>(COMMIT, &nosync(), words);
}

#[test]
fn a_key_stored_as_the_value_is_caught_by_verify() {
    let words = "found its own key";
    caught_by_verify::<Broken<StoresTheKeyAsTheValue>>(COMMIT, &nosync(), words);
}

#[test]
fn a_swap_of_key_and_value_is_caught_by_verify() {
    caught_by_verify::<Broken<SwapsKeyAndValue>>(COMMIT, &nosync(), "found nothing");
    let same_size = "commit-n25-v4-k4-random-nosync";
    caught_by_verify::<Broken<SwapsKeyAndValue>>(same_size, &nosync(), "found nothing");
}

#[test]
fn a_short_value_is_caught_by_verify() {
    let words = "found 31 byte(s)";
    caught_by_verify::<Broken<WritesValuesOneByteShort>>(COMMIT, &nosync(), words);
}

#[test]
fn values_of_zeros_are_caught_by_verify() {
    caught_by_verify::<Broken<WritesZeros>>(COMMIT, &nosync(), "found 32 byte(s) 0x0000");
}

#[test]
fn short_keys_are_caught_by_verify() {
    caught_by_verify::<Broken<CutsKeys>>(COMMIT, &nosync(), "25 pairs must be there, found 1");
}

#[test]
fn swallowed_errors_are_caught_by_verify() {
    // About 170 such pairs fit.
    let small = EnvironmentOptions { map_size: 1 << 16, ..nosync() };
    let workload = "commit-n500-v256-k4-sequential-nosync";
    let words = "3 commits were claimed, LMDB counted 0";
    caught_by_verify::<Broken<SwallowsErrors>>(workload, &small, words);
}

#[test]
fn another_database_is_caught_by_verify() {
    // Creating it is a commit too.
    let words = "3 commits were claimed, LMDB counted 4";
    caught_by_verify::<Broken<WritesToAnotherDatabase>>(COMMIT, &nosync(), words);
}

#[test]
fn another_directory_is_caught_by_verify() {
    let words = "3 commits were claimed, LMDB counted 0";
    caught_by_verify::<Broken<WritesToAnotherDirectory>>(COMMIT, &nosync(), words);
}

#[test]
fn an_ignored_sync_mode_is_caught_by_environment() {
    for sync in [SyncMode::Sync, SyncMode::NoMetaSync] {
        let asked = EnvironmentOptions { sync, ..nosync() };
        let words = format!("sync mode {sync} was asked for, the environment has nosync");
        caught_by_environment::<Broken<IgnoresTheSyncMode>>(&asked, &words);
    }
    let words = "sync mode nosync was asked for, the environment has sync";
    caught_by_environment::<Broken<SyncsAlways>>(&nosync(), words);
}

#[test]
fn an_ignored_writable_map_is_caught_by_environment() {
    let asked = EnvironmentOptions { writable_map: true, ..nosync() };
    let words = "a writable map was asked for, the environment has a read-only map";
    caught_by_environment::<Broken<IgnoresTheWritableMap>>(&asked, words);
}

#[test]
fn copied_input_is_caught_by_allocations() {
    caught_by_allocations::<Broken<CopiesItsInput>>("2 block(s) of 68 byte(s) per put");
}

#[test]
fn an_allocation_per_transaction_is_caught_by_allocations() {
    let words = "1 block(s) of 16 byte(s) per transaction";
    caught_by_allocations::<Broken<AllocatesPerTransaction>>(words);
}
