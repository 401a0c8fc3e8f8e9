//! The worker's main loop, driven in memory: launches, and requests at the wrong time. What is not a
//! request at all is in [`lines`].

mod lines;

use std::path::Path;

use backend_null::Null;
use backend_raw_ffi::RawFfi;
use conformance::conversation::converse;
use write_backend::protocol::{
    Hello, PROTOCOL, Prepare, Prepared, Profile, Reply, Request, Verify,
};
use write_backend::{EnvironmentOptions, SyncMode, WriteBackend};

const WORKLOAD: &str = "commit-n10-v16-k4-random-nosync";

fn prepare(directory: &Path) -> Prepare {
    Prepare {
        directory: directory.to_owned(),
        environment: EnvironmentOptions::default(),
        workload: WORKLOAD.parse().unwrap(),
        seed: 3,
    }
}

fn run(transactions: u64) -> Request {
    Request::Run { warm_up: 0, transactions }
}

fn verify(directory: &Path, transactions: u64) -> Request {
    Request::Verify(Verify { written: prepare(directory), transactions })
}

fn open(directory: &Path) -> RawFfi {
    // SAFETY: the directory is one test's alone.
    unsafe { RawFfi::open(directory, &EnvironmentOptions::default()) }.unwrap()
}

/// What `reply` refuses, or a panic.
fn reason(reply: &Reply) -> &str {
    match reply {
        Reply::Failed { reason } => reason,
        other => panic!("not refused: {other:?}"),
    }
}

/// The kinds of the replies, in order.
fn kinds(replies: &[Reply]) -> Vec<&'static str> {
    let kind = |reply: &Reply| match reply {
        Reply::Hello(_) => "hello",
        Reply::Prepared(_) => "prepared",
        Reply::Ran { .. } => "ran",
        Reply::Closed => "closed",
        Reply::Verified { .. } => "verified",
        Reply::Finished => "finished",
        Reply::Failed { .. } => "failed",
    };
    replies.iter().map(kind).collect()
}

fn all_of_a_launch(directory: &Path) -> Vec<Request> {
    vec![
        Request::Hello,
        Request::Prepare(prepare(directory)),
        run(4),
        Request::Close,
        verify(directory, 4),
        Request::Finish,
    ]
}

#[test]
fn a_launch_from_hello_to_finish() {
    let directory = tempfile::tempdir().unwrap();
    let replies = converse::<RawFfi>(&all_of_a_launch(directory.path())).unwrap();
    assert_eq!(
        kinds(&replies),
        ["hello", "prepared", "ran", "closed", "verified", "finished"],
        "{replies:?}"
    );
    let Reply::Hello(hello) = &replies[0] else { panic!() };
    let Hello { protocol, backend, engine_version, profile, puts, loop_alignment, .. } = &**hello;
    assert_eq!(*protocol, PROTOCOL);
    assert_eq!(backend, "raw-ffi");
    assert_eq!(engine_version.as_deref(), Some("0.9.21"));
    assert_eq!(*profile == Profile::Debug, cfg!(debug_assertions));
    assert_eq!(*puts, ["plain", "append"]);
    let loops: Vec<&String> = loop_alignment.keys().collect();
    assert_eq!(loops, ["abort/append", "abort/plain", "commit/append", "commit/plain"]);
    let found = Prepared { sync: Some(SyncMode::NoSync), writable_map: Some(false) };
    assert_eq!(replies[1], Reply::Prepared(found));
    assert!(matches!(replies[2], Reply::Ran { transactions: 4, elapsed_ns: 1.. }));
    assert_eq!(replies[4], Reply::Verified { entries: 10 });
}

#[test]
fn a_launch_of_a_backend_that_stores_nothing() {
    let directory = tempfile::tempdir().unwrap();
    let replies = converse::<Null>(&all_of_a_launch(directory.path())).unwrap();
    assert_eq!(
        kinds(&replies),
        ["hello", "prepared", "ran", "closed", "failed", "finished"],
        "{replies:?}"
    );
    let Reply::Hello(hello) = &replies[0] else { panic!() };
    assert_eq!((&hello.binding, &hello.engine_crate, &hello.engine_version), (&None, &None, &None));
    assert_eq!(hello.put_alignment, None);
    assert_eq!(replies[1], Reply::Prepared(Prepared { sync: None, writable_map: None }));
    assert_eq!(reason(&replies[4]), "4 commits were claimed, LMDB counted 0");
}

#[test]
fn hello_is_answered_at_any_time() {
    let directory = tempfile::tempdir().unwrap();
    let prepare = Request::Prepare(prepare(directory.path()));
    let requests = [Request::Hello, prepare, Request::Hello, run(1), Request::Hello];
    let replies = converse::<RawFfi>(&requests).unwrap();
    assert_eq!(kinds(&replies), ["hello", "prepared", "hello", "ran", "hello"]);
    assert_eq!(replies[0], replies[2]);
}

#[test]
fn nothing_runs_or_closes_before_prepare() {
    let directory = tempfile::tempdir().unwrap();
    let prepare = Request::Prepare(prepare(directory.path()));
    let requests = [run(1), Request::Close, prepare, run(1), Request::Close, run(1)];
    let replies = converse::<RawFfi>(&requests).unwrap();
    assert_eq!(kinds(&replies), ["failed", "failed", "prepared", "ran", "closed", "failed"]);
    for refused in [0, 1, 5] {
        assert!(reason(&replies[refused]).contains("nothing is prepared"));
    }
}

#[test]
fn nothing_is_prepared_or_verified_while_an_environment_is_open() {
    let directory = tempfile::tempdir().unwrap();
    let prepare = || Request::Prepare(prepare(directory.path()));
    let requests =
        [prepare(), prepare(), verify(directory.path(), 0), run(2), Request::Close, prepare()];
    let replies = converse::<RawFfi>(&requests).unwrap();
    assert_eq!(kinds(&replies), ["prepared", "failed", "failed", "ran", "closed", "prepared"]);
    assert!(reason(&replies[1]).contains("close it"));
    assert!(reason(&replies[2]).contains("close it"));
}

#[test]
fn transactions_before_the_clock_starts_are_commits_too() {
    let directory = tempfile::tempdir().unwrap();
    let requests = [
        Request::Prepare(prepare(directory.path())),
        Request::Run { warm_up: 2, transactions: 3 },
        Request::Close,
        verify(directory.path(), 3),
        verify(directory.path(), 5),
    ];
    let replies = converse::<RawFfi>(&requests).unwrap();
    assert!(matches!(replies[1], Reply::Ran { transactions: 3, .. }));
    assert_eq!(reason(&replies[3]), "3 commits were claimed, LMDB counted 5");
    assert_eq!(replies[4], Reply::Verified { entries: 10 });
}

#[test]
fn aborts_leave_nothing_to_verify() {
    let directory = tempfile::tempdir().unwrap();
    let mut written = prepare(directory.path());
    written.workload.finish = write_backend::Finish::Abort;
    let requests = [
        Request::Prepare(written.clone()),
        run(5),
        Request::Close,
        Request::Verify(Verify { written, transactions: 5 }),
    ];
    let replies = converse::<RawFfi>(&requests).unwrap();
    assert_eq!(replies[3], Reply::Verified { entries: 0 });
}

#[test]
fn keys_are_appended_in_transactions_that_are_aborted() {
    let directory = tempfile::tempdir().unwrap();
    let append = |workload: &str| Prepare {
        workload: workload.parse().unwrap(),
        ..prepare(directory.path())
    };
    let written = append("abort-n300-v16-k4-sequential-nosync-append");
    let requests = [
        Request::Prepare(written.clone()),
        run(5),
        Request::Close,
        Request::Verify(Verify { written, transactions: 5 }),
    ];
    let replies = converse::<RawFfi>(&requests).unwrap();
    assert_eq!(kinds(&replies), ["prepared", "ran", "closed", "verified"], "{replies:?}");
    assert_eq!(replies[3], Reply::Verified { entries: 0 });
}

#[test]
fn no_transactions_are_run_when_none_are_asked_for() {
    let directory = tempfile::tempdir().unwrap();
    let prepare = Request::Prepare(prepare(directory.path()));
    let requests = [prepare, run(0), Request::Close, verify(directory.path(), 0)];
    let replies = converse::<RawFfi>(&requests).unwrap();
    assert!(matches!(replies[1], Reply::Ran { transactions: 0, .. }));
    assert_eq!(replies[3], Reply::Verified { entries: 0 });
}

#[test]
fn another_seed_is_another_batch() {
    let directory = tempfile::tempdir().unwrap();
    let written = Prepare { seed: 4, ..prepare(directory.path()) };
    let requests = [
        Request::Prepare(prepare(directory.path())),
        run(1),
        Request::Close,
        Request::Verify(Verify { written, transactions: 1 }),
    ];
    let replies = converse::<RawFfi>(&requests).unwrap();
    assert!(reason(&replies[3]).contains("found nothing"), "{replies:?}");
}

#[test]
fn the_end_of_input_ends_the_worker_at_any_point() {
    for length in 0..6 {
        let directory = tempfile::tempdir().unwrap();
        let mut requests = all_of_a_launch(directory.path());
        requests.truncate(length);
        let replies = converse::<RawFfi>(&requests).unwrap();
        assert_eq!(replies.len(), length);
        // Whatever was open is closed, and what was committed is there.
        let backend = open(directory.path());
        assert_eq!(backend.info().unwrap().entries, if length > 2 { 10 } else { 0 });
    }
}

#[test]
fn finish_closes_what_is_open() {
    let directory = tempfile::tempdir().unwrap();
    let prepare = Request::Prepare(prepare(directory.path()));
    let replies = converse::<RawFfi>(&[prepare, run(1), Request::Finish, run(1)]).unwrap();
    assert_eq!(kinds(&replies), ["prepared", "ran", "finished"]);
    let backend = open(directory.path());
    assert_eq!(backend.info().unwrap().last_transaction, 1);
}

#[test]
fn a_map_that_is_too_small_fails_the_run_and_not_the_worker() {
    let directory = tempfile::tempdir().unwrap();
    let mut small = prepare(directory.path());
    small.workload = "commit-n500-v256-k4-sequential-nosync".parse().unwrap();
    small.environment.map_size = 1 << 16;
    let large = Prepare { environment: EnvironmentOptions::default(), ..small.clone() };
    let requests = [
        Request::Prepare(small),
        run(1),
        run(1),
        Request::Close,
        Request::Prepare(large.clone()),
        run(2),
        Request::Close,
        Request::Verify(Verify { written: large, transactions: 2 }),
    ];
    let replies = converse::<RawFfi>(&requests).unwrap();
    assert!(reason(&replies[1]).contains("(map full, code -30792)"), "{replies:?}");
    assert!(reason(&replies[2]).contains("map full"), "{replies:?}");
    assert_eq!(kinds(&replies[3..]), ["closed", "prepared", "ran", "closed", "verified"]);
    assert_eq!(replies[7], Reply::Verified { entries: 500 });
}

#[test]
fn a_missing_directory_is_named() {
    let directory = tempfile::tempdir().unwrap();
    let missing = directory.path().join("missing");
    let requests = [
        Request::Prepare(prepare(&missing)),
        verify(&missing, 1),
        Request::Prepare(prepare(directory.path())),
    ];
    let replies = converse::<RawFfi>(&requests).unwrap();
    let path = missing.display().to_string();
    assert!(reason(&replies[0]).contains(&path), "{replies:?}");
    assert!(reason(&replies[1]).contains(&path), "{replies:?}");
    assert!(matches!(replies[2], Reply::Prepared(_)));
}

#[test]
fn a_workload_that_cannot_be_is_refused() {
    let directory = tempfile::tempdir().unwrap();
    let mut written = prepare(directory.path());
    written.workload.key_size = 512;
    let prepare = Request::Prepare(written.clone());
    let verify = Request::Verify(Verify { written, transactions: 1 });
    let replies = converse::<RawFfi>(&[prepare, verify, Request::Finish]).unwrap();
    assert_eq!(kinds(&replies), ["failed", "failed", "finished"]);
    assert_eq!(reason(&replies[0]), "key size 512 is not allowed: it must be 1 to 511");
    assert_eq!(reason(&replies[0]), reason(&replies[1]));
}

#[test]
fn options_that_lmdb_would_ignore_are_refused() {
    let directory = tempfile::tempdir().unwrap();
    let mut written = prepare(directory.path());
    written.environment.sync = SyncMode::MapAsync;
    let raw = converse::<RawFfi>(&[Request::Prepare(written.clone())]).unwrap();
    let null = converse::<Null>(&[Request::Prepare(written)]).unwrap();
    assert!(reason(&raw[0]).contains("needs a writable map"), "{raw:?}");
    assert_eq!(raw, null);
}
