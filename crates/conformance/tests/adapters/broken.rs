//! Broken adapters, each with a mistake that an adapter could make, and the check that catches it.
//!
//! An adapter with a defect is run by the worker's own loop and claims that all went well. Then the
//! checks look: [`check::verify`] with the sound backend at what was written,
//! [`check::environment`] at the open environment, [`witness::check_allocations`] at the heap. Each entry
//! states which of them speaks and what it says; the others must have nothing to say.

use std::hint::black_box;
use std::path::{Path, PathBuf};

use backend_raw_ffi::RawFfi;
use witness::Cost;
use write_backend::check::{self, Expected};
use write_backend::protocol::{Prepare, Reply, Request};
use write_backend::{
    BackendError, DatabaseOptions, Encoding, EnvironmentOptions, Finish, SyncMode, Workload,
    WriteBackend, WriteTransaction as _,
};

use crate::defect::{Broken, BrokenTxn, Defect};
use crate::{converse, open};

/// How many transactions each worker runs.
const TRANSACTIONS: u64 = 3;
const COMMIT: &str = "commit-n25-v32-k4-sequential-nosync";
const ABORT: &str = "abort-n25-v32-k4-sequential-nosync";

type Done = Result<(), BackendError>;
type Txn<'env, D> = BrokenTxn<'env, D>;

fn nosync() -> EnvironmentOptions {
    EnvironmentOptions::default()
}

fn with_sync(sync: SyncMode) -> EnvironmentOptions {
    EnvironmentOptions { sync, ..nosync() }
}

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
    let prepare = Request::Prepare(Prepare {
        directory: directory.path().to_owned(),
        environment: options.clone(),
        workload,
        seed: 7,
    });
    let run = Request::Run { warm_up: 0, transactions: TRANSACTIONS };
    let replies = converse::<B>(&[prepare, run, Request::Close]);
    let [Reply::Prepared(prepared), Reply::Ran { transactions: TRANSACTIONS, .. }, Reply::Closed] =
        &replies[..]
    else {
        panic!("the worker did not claim success: {replies:?}");
    };
    let expected = Expected {
        workload: &workload,
        seed: 7,
        encoding: Encoding::Bytes,
        transactions: TRANSACTIONS,
    };
    Findings {
        verify: check::verify(&open(directory.path(), options), &expected).map(drop),
        environment: check::environment(options, prepared),
        allocations: witness::check_allocations::<B>(Cost::NONE),
    }
}

/// Only `verify` speaks, and says `words`. What it speaks of may also allocate.
fn by_verify<B: WriteBackend>(workload: &str, options: &EnvironmentOptions, words: &str) {
    let Findings { verify, environment, .. } = examine::<B>(workload, options);
    let said = verify.expect_err("the check has nothing to say");
    assert!(said.contains(words), "{said}");
    assert_eq!(environment, Ok(()));
}

/// Only `environment` speaks, and says `words`.
fn by_environment<B: WriteBackend>(options: &EnvironmentOptions, words: &str) {
    let Findings { verify, environment, allocations } = examine::<B>(COMMIT, options);
    let said = environment.expect_err("the check has nothing to say");
    assert!(said.contains(words), "{said}");
    assert_eq!((verify, allocations), (Ok(()), Ok(())));
}

/// Only `allocations` speaks, and says `words`.
fn by_allocations<B: WriteBackend>(words: &str) {
    let Findings { verify, environment, allocations } = examine::<B>(COMMIT, &nosync());
    let said = allocations.expect_err("the check has nothing to say");
    assert!(said.contains(words), "{said}");
    assert_eq!((verify, environment), (Ok(()), Ok(())));
}

#[test]
fn sound_adapters_pass_all_checks() {
    struct No;
    impl Defect for No {}
    let sound = Findings { verify: Ok(()), environment: Ok(()), allocations: Ok(()) };
    for sync in [SyncMode::NoSync, SyncMode::NoMetaSync, SyncMode::Sync, SyncMode::MapAsync] {
        let writable_map = sync == SyncMode::MapAsync;
        let options = EnvironmentOptions { writable_map, ..with_sync(sync) };
        for finish in Finish::ALL {
            let workload = format!("{finish}-n25-v32-k4-random-{sync}");
            assert_eq!(examine::<RawFfi>(&workload, &options), sound, "{workload}");
            assert_eq!(examine::<Broken<No>>(&workload, &options), sound, "{workload}");
        }
    }
}

/// Each entry is a test: an adapter with this defect is caught by that check, in these words.
macro_rules! caught {
    ($($name:ident: $check:ident($($argument:expr),*) { $($defect:tt)* })*) => {$(
        #[test]
        fn $name() {
            struct Bad;
            impl Defect for Bad { $($defect)* }
            $check::<Broken<Bad>>($($argument),*);
        }
    )*};
}

caught! {
    a_skipped_commit: by_verify(COMMIT, &nosync(), "3 commits were claimed, LMDB counted 0") {
        fn commit(txn: Txn<'_, Self>) -> Done {
            drop(txn);
            Ok(())
        }
    }

    a_commit_on_abort: by_verify(ABORT, &nosync(), "0 commits were claimed, LMDB counted 3") {
        fn abort(txn: Txn<'_, Self>) {
            // An abort cannot report an error.
            let _ = txn.into_raw().commit();
        }
    }

    a_second_commit: by_verify(COMMIT, &nosync(), "3 commits were claimed, LMDB counted 6") {
        fn put(txn: &mut Txn<'_, Self>, key: &[u8], value: &[u8]) -> Done {
            txn.raw().put(key, value)?;
            if txn.puts == 10 { txn.commit_and_go_on() } else { Ok(()) }
        }
    }

    a_commit_per_put: by_verify(COMMIT, &nosync(), "3 commits were claimed, LMDB counted 75") {
        fn put(txn: &mut Txn<'_, Self>, key: &[u8], value: &[u8]) -> Done {
            txn.raw().put(key, value)?;
            txn.commit_and_go_on()
        }
    }

    puts_in_the_first_transaction_only:
        by_verify(COMMIT, &nosync(), "3 commits were claimed, LMDB counted 1") {
        fn put(txn: &mut Txn<'_, Self>, key: &[u8], value: &[u8]) -> Done {
            if txn.number == 1 { txn.raw().put(key, value) } else { Ok(()) }
        }
    }

    every_tenth_put_dropped: by_verify(COMMIT, &nosync(), "25 pairs must be there, found 23") {
        fn put(txn: &mut Txn<'_, Self>, key: &[u8], value: &[u8]) -> Done {
            if txn.puts.is_multiple_of(10) { Ok(()) } else { txn.raw().put(key, value) }
        }
    }

    the_key_stored_as_the_value: by_verify(COMMIT, &nosync(), "found its own key") {
        fn put(txn: &mut Txn<'_, Self>, key: &[u8], _: &[u8]) -> Done {
            txn.raw().put(key, key)
        }
    }

    key_and_value_swapped: by_verify(COMMIT, &nosync(), "found nothing") {
        fn put(txn: &mut Txn<'_, Self>, key: &[u8], value: &[u8]) -> Done {
            txn.raw().put(value, key)
        }
    }

    key_and_value_of_one_size_swapped:
        by_verify("commit-n25-v4-k4-random-nosync", &nosync(), "found nothing") {
        fn put(txn: &mut Txn<'_, Self>, key: &[u8], value: &[u8]) -> Done {
            txn.raw().put(value, key)
        }
    }

    values_one_byte_short: by_verify(COMMIT, &nosync(), "found 31 byte(s)") {
        fn put(txn: &mut Txn<'_, Self>, key: &[u8], value: &[u8]) -> Done {
            txn.raw().put(key, &value[..value.len() - 1])
        }
    }

    values_of_zeros: by_verify(COMMIT, &nosync(), "found 32 byte(s) 0x0000") {
        fn put(txn: &mut Txn<'_, Self>, key: &[u8], value: &[u8]) -> Done {
            txn.raw().put(key, &vec![0; value.len()])
        }
    }

    keys_one_byte_short: by_verify(COMMIT, &nosync(), "25 pairs must be there, found 1") {
        fn put(txn: &mut Txn<'_, Self>, key: &[u8], value: &[u8]) -> Done {
            txn.raw().put(&key[..key.len() - 1], value)
        }
    }

    swallowed_errors: by_verify(
        "commit-n500-v256-k4-sequential-nosync",
        // About 170 such pairs fit.
        &EnvironmentOptions { map_size: 1 << 16, ..nosync() },
        "3 commits were claimed, LMDB counted 0"
    ) {
        fn put(txn: &mut Txn<'_, Self>, key: &[u8], value: &[u8]) -> Done {
            let _ = txn.raw().put(key, value);
            Ok(())
        }

        fn commit(txn: Txn<'_, Self>) -> Done {
            let _ = txn.into_raw().commit();
            Ok(())
        }
    }

    // Creating it is a commit too.
    another_database: by_verify(COMMIT, &nosync(), "3 commits were claimed, LMDB counted 4") {
        fn options(asked: &EnvironmentOptions) -> EnvironmentOptions {
            let database = DatabaseOptions { name: Some("another".to_owned()), ..DatabaseOptions::default() };
            EnvironmentOptions { max_databases: 1, database, ..asked.clone() }
        }
    }

    another_directory: by_verify(COMMIT, &nosync(), "3 commits were claimed, LMDB counted 0") {
        fn directory(asked: &Path) -> PathBuf {
            let path = asked.join("another");
            std::fs::create_dir_all(&path).expect("the directory can be written");
            path
        }
    }

    sync_ignored: by_environment(
        &with_sync(SyncMode::Sync),
        "sync mode sync was asked for, the environment has nosync"
    ) {
        fn options(asked: &EnvironmentOptions) -> EnvironmentOptions {
            EnvironmentOptions { sync: SyncMode::NoSync, ..asked.clone() }
        }
    }

    nometasync_ignored: by_environment(
        &with_sync(SyncMode::NoMetaSync),
        "sync mode nometasync was asked for, the environment has nosync"
    ) {
        fn options(asked: &EnvironmentOptions) -> EnvironmentOptions {
            EnvironmentOptions { sync: SyncMode::NoSync, ..asked.clone() }
        }
    }

    always_sync:
        by_environment(&nosync(), "sync mode nosync was asked for, the environment has sync") {
        fn options(asked: &EnvironmentOptions) -> EnvironmentOptions {
            EnvironmentOptions { sync: SyncMode::Sync, ..asked.clone() }
        }
    }

    the_writable_map_ignored: by_environment(
        &EnvironmentOptions { writable_map: true, ..nosync() },
        "a writable map was asked for, the environment has a read-only map"
    ) {
        fn options(asked: &EnvironmentOptions) -> EnvironmentOptions {
            EnvironmentOptions { writable_map: false, ..asked.clone() }
        }
    }

    copied_input: by_allocations("2 block(s) of 68 byte(s) per put") {
        fn put(txn: &mut Txn<'_, Self>, key: &[u8], value: &[u8]) -> Done {
            let (key, value) = (key.to_vec(), value.to_vec());
            txn.raw().put(&key, &value)
        }
    }

    an_allocation_per_transaction: by_allocations("1 block(s) of 16 byte(s) per transaction") {
        fn commit(txn: Txn<'_, Self>) -> Done {
            drop(black_box(Box::new([0_u8; 16])));
            txn.into_raw().commit()
        }

        fn abort(txn: Txn<'_, Self>) {
            drop(black_box(Box::new([0_u8; 16])));
            txn.into_raw().abort();
        }
    }
}
