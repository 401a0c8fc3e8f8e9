//! The worker's main loop: launches, and requests at the wrong time.

use std::path::Path;

use backend_null::Null;
use backend_raw_ffi::RawFfi;
use write_backend::protocol::{
    Hello, PROTOCOL, Prepare, Prepared, Profile, Reply, Request, Verify,
};
use write_backend::{
    Encoding, EnvironmentOptions, Finish, Keys, Nesting, PutKind, SyncMode, Workload, WriteBackend,
};

use crate::{converse, open, reason};

/// What a worker of `B` replies to the requests that are made for a new directory.
fn launch<B: WriteBackend>(requests: impl FnOnce(&Path) -> Vec<Request>) -> Vec<Reply> {
    let directory = tempfile::tempdir().unwrap();
    converse::<B>(&requests(directory.path()))
}

fn written(directory: &Path) -> Prepare {
    Prepare {
        directory: directory.to_owned(),
        environment: EnvironmentOptions::default(),
        workload: "commit-n10-v16-k4-random-nosync".parse().unwrap(),
        seed: 3,
    }
}

fn prepare(directory: &Path) -> Request {
    Request::Prepare(written(directory))
}

fn run(transactions: u64) -> Request {
    Request::Run { warm_up: 0, transactions }
}

fn verify(directory: &Path, transactions: u64) -> Request {
    Request::Verify(Verify { written: written(directory), encoding: Encoding::Bytes, transactions })
}

/// All requests of a launch that writes what `written` says.
fn all_of(written: Prepare, transactions: u64) -> Vec<Request> {
    let prepare = Request::Prepare(written.clone());
    let verify = Request::Verify(Verify { written, encoding: Encoding::Bytes, transactions });
    vec![Request::Hello, prepare, run(transactions), Request::Close, verify, Request::Finish]
}

/// The kinds of the replies, in order.
fn kinds(replies: &[Reply]) -> String {
    let kind = |reply: &Reply| match reply {
        Reply::Hello(_) => "hello",
        Reply::Prepared(_) => "prepared",
        Reply::Ran { .. } => "ran",
        Reply::Closed => "closed",
        Reply::Verified { .. } => "verified",
        Reply::Preloaded => "preloaded",
        Reply::Finished => "finished",
        Reply::Failed { .. } => "failed",
    };
    replies.iter().map(kind).collect::<Vec<_>>().join(" ")
}

#[test]
fn a_launch_from_hello_to_finish() {
    let replies = launch::<RawFfi>(|at| all_of(written(at), 4));
    assert_eq!(kinds(&replies), "hello prepared ran closed verified finished", "{replies:?}");
    let Reply::Hello(hello) = &replies[0] else { panic!() };
    let Hello { protocol, backend, engine_version, profile, puts, loop_alignment, .. } = &**hello;
    assert_eq!(*protocol, PROTOCOL);
    assert_eq!(backend, "raw-ffi");
    assert_eq!(engine_version.as_deref(), Some("0.9.21"));
    assert_eq!(*profile == Profile::Debug, cfg!(debug_assertions));
    assert_eq!(*puts, PutKind::ALL.map(PutKind::name));
    assert_eq!(loop_alignment.len(), 2 * (puts.len() + 2));
    let no = Some(false);
    let found = Prepared {
        sync: Some(SyncMode::NoSync),
        writable_map: no,
        no_mem_init: no,
        no_read_ahead: no,
    };
    assert_eq!(replies[1], Reply::Prepared(found));
    assert!(matches!(replies[2], Reply::Ran { transactions: 4, elapsed_ns: 1.. }));
    assert_eq!(replies[4], Reply::Verified { entries: 10 });
}

#[test]
fn a_launch_of_a_backend_that_stores_nothing() {
    let replies = launch::<Null>(|at| all_of(written(at), 4));
    assert_eq!(kinds(&replies), "hello prepared ran closed failed finished", "{replies:?}");
    let Reply::Hello(hello) = &replies[0] else { panic!() };
    assert_eq!((&hello.binding, &hello.engine_crate, &hello.engine_version), (&None, &None, &None));
    assert_eq!(hello.put_alignment, None);
    assert!(matches!(replies[1], Reply::Prepared(Prepared { sync: None, writable_map: None, .. })));
    assert_eq!(reason(&replies[4]), "4 commits were claimed, LMDB counted 0");
}

#[test]
fn hello_is_answered_at_any_time() {
    let hello = Request::Hello;
    let replies = launch::<RawFfi>(|at| {
        vec![hello.clone(), prepare(at), hello.clone(), run(1), hello.clone()]
    });
    assert_eq!(kinds(&replies), "hello prepared hello ran hello");
    assert_eq!(replies[0], replies[2]);
}

#[test]
fn nothing_runs_or_closes_before_prepare() {
    let close = Request::Close;
    let replies = launch::<RawFfi>(|at| {
        vec![run(1), close.clone(), prepare(at), run(1), close.clone(), run(1)]
    });
    assert_eq!(kinds(&replies), "failed failed prepared ran closed failed");
    for refused in [0, 1, 5] {
        assert!(reason(&replies[refused]).contains("nothing is prepared"));
    }
}

#[test]
fn nothing_is_prepared_or_verified_while_an_environment_is_open() {
    let replies = launch::<RawFfi>(|at| {
        vec![prepare(at), prepare(at), verify(at, 0), run(2), Request::Close, prepare(at)]
    });
    assert_eq!(kinds(&replies), "prepared failed failed ran closed prepared");
    assert!(reason(&replies[1]).contains("close it"));
    assert!(reason(&replies[2]).contains("close it"));
}

#[test]
fn transactions_before_the_clock_starts_are_commits_too() {
    let replies = launch::<RawFfi>(|at| {
        let run = Request::Run { warm_up: 2, transactions: 3 };
        vec![prepare(at), run, Request::Close, verify(at, 3), verify(at, 5)]
    });
    assert!(matches!(replies[1], Reply::Ran { transactions: 3, .. }));
    assert_eq!(reason(&replies[3]), "3 commits were claimed, LMDB counted 5");
    assert_eq!(replies[4], Reply::Verified { entries: 10 });
}

#[test]
fn aborts_leave_nothing_to_verify() {
    for put in PutKind::ALL {
        let workload = Workload { put, batch_size: 300, value_size: 16, ..Workload::default() };
        let replies = launch::<RawFfi>(|at| all_of(Prepare { workload, ..written(at) }, 5));
        assert!(matches!(replies[2], Reply::Ran { transactions: 5, .. }), "{replies:?}");
        assert_eq!(replies[4], Reply::Verified { entries: 0 });
    }
}

/// Every kind of keys, on trees of both fills and every database, with the puts that it allows.
#[test]
fn what_was_preloaded_and_what_was_put_is_verified() {
    const STATES: [&str; 4] = ["", "-p500", "-p500-fill-random-named", "-p500-integer-keys"];
    let mut cases = 0;
    for finish in Finish::ALL {
        for (put, keys, state) in PutKind::ALL.into_iter().flat_map(|put| {
            Keys::ALL.into_iter().flat_map(move |keys| STATES.map(|state| (put, keys, state)))
        }) {
            let base = format!("{finish}-n30-v16-k8-sequential-nosync{state}");
            let workload = Workload { put, keys, ..base.parse().unwrap() };
            if workload.check().is_err() {
                continue;
            }
            let environment = workload.environment(&EnvironmentOptions::default());
            let replies = launch::<RawFfi>(|at| {
                let written = Prepare { workload, environment, ..written(at) };
                let mut requests = vec![Request::Preload(written.clone())];
                requests.extend(all_of(written, 3));
                requests
            });
            let kinds = kinds(&replies);
            let expected = "preloaded hello prepared ran closed verified finished";
            assert_eq!(kinds, expected, "{workload}: {replies:?}");
            assert_eq!(replies[5], Reply::Verified { entries: workload.entries(3) }, "{workload}");
            cases += 1;
        }
    }
    assert!(cases > 50, "{cases}");
}

#[test]
fn what_is_put_within_inner_transactions_is_verified() {
    for nesting in Nesting::ALL {
        let workload = Workload { nesting, ..written(Path::new("")).workload };
        let replies = launch::<RawFfi>(|at| all_of(Prepare { workload, ..written(at) }, 3));
        assert_eq!(replies[4], Reply::Verified { entries: 10 }, "{workload}: {replies:?}");
    }
}

#[test]
fn an_environment_has_the_flags_and_the_database_of_its_workload() {
    for (tail, flags) in [
        ("writable-map", [true, false, false]),
        ("no-meminit", [false, true, false]),
        ("no-readahead", [false, false, true]),
        ("integer-keys", [false; 3]),
    ] {
        let workload: Workload =
            format!("commit-n300-v16-k8-sequential-nosync-{tail}").parse().unwrap();
        let environment = workload.environment(&EnvironmentOptions::default());
        let replies =
            launch::<RawFfi>(|at| all_of(Prepare { workload, environment, ..written(at) }, 5));
        let Reply::Prepared(found) = replies[1] else { panic!("{replies:?}") };
        let found = [found.writable_map, found.no_mem_init, found.no_read_ahead];
        assert_eq!(found, flags.map(Some), "{tail}");
        assert_eq!(replies[4], Reply::Verified { entries: 300 }, "{tail}");
    }
}

#[test]
fn no_transactions_are_run_when_none_are_asked_for() {
    let replies = launch::<RawFfi>(|at| all_of(written(at), 0));
    assert!(matches!(replies[2], Reply::Ran { transactions: 0, .. }));
    assert_eq!(replies[4], Reply::Verified { entries: 0 });
}

#[test]
fn another_seed_is_another_batch() {
    let replies = launch::<RawFfi>(|at| {
        let written = Prepare { seed: 4, ..written(at) };
        let verify =
            Request::Verify(Verify { written, encoding: Encoding::Bytes, transactions: 1 });
        vec![prepare(at), run(1), Request::Close, verify]
    });
    assert!(reason(&replies[3]).contains("found nothing"), "{replies:?}");
}

#[test]
fn the_end_of_input_ends_the_worker_at_any_point() {
    for length in 0..6 {
        let directory = tempfile::tempdir().unwrap();
        let requests = all_of(written(directory.path()), 4);
        let replies = converse::<RawFfi>(&requests[..length]);
        assert_eq!(replies.len(), length);
        // Whatever was open is closed, and what was committed is there.
        let backend = open(directory.path(), &EnvironmentOptions::default());
        assert_eq!(backend.info().unwrap().entries, if length > 2 { 10 } else { 0 });
    }
}

#[test]
fn finish_closes_what_is_open() {
    let directory = tempfile::tempdir().unwrap();
    let requests = [prepare(directory.path()), run(1), Request::Finish, run(1)];
    assert_eq!(kinds(&converse::<RawFfi>(&requests)), "prepared ran finished");
    let backend = open(directory.path(), &EnvironmentOptions::default());
    assert_eq!(backend.info().unwrap().last_transaction, 1);
}

#[test]
fn a_map_that_is_too_small_fails_the_run_and_not_the_worker() {
    let replies = launch::<RawFfi>(|at| {
        let workload = "commit-n500-v256-k4-sequential-nosync".parse().unwrap();
        let large = Prepare { workload, ..written(at) };
        let mut small = large.clone();
        small.environment.map_size = 1 << 16;
        let mut requests = vec![Request::Prepare(small), run(1), run(1), Request::Close];
        requests.extend(all_of(large, 2));
        requests
    });
    assert!(reason(&replies[1]).contains("(map full, code -30792)"), "{replies:?}");
    assert!(reason(&replies[2]).contains("map full"), "{replies:?}");
    assert_eq!(kinds(&replies[3..]), "closed hello prepared ran closed verified finished");
    assert_eq!(replies[8], Reply::Verified { entries: 500 });
}

#[test]
fn a_missing_directory_is_named() {
    let directory = tempfile::tempdir().unwrap();
    let missing = directory.path().join("missing");
    let replies = converse::<RawFfi>(&[prepare(&missing), verify(&missing, 1)]);
    for reply in &replies {
        assert!(reason(reply).contains(&missing.display().to_string()), "{replies:?}");
    }
}

#[test]
fn a_workload_that_cannot_be_is_refused() {
    let replies = launch::<RawFfi>(|at| {
        let mut written = written(at);
        written.workload.key_size = 512;
        all_of(written, 1)
    });
    assert_eq!(kinds(&replies), "hello failed failed failed failed finished");
    assert_eq!(reason(&replies[1]), "key size 512 is not allowed: it must be 1 to 511");
    assert_eq!(reason(&replies[1]), reason(&replies[4]));
}

#[test]
fn options_that_lmdb_would_ignore_are_refused() {
    let directory = tempfile::tempdir().unwrap();
    let mut written = written(directory.path());
    written.environment.sync = SyncMode::MapAsync;
    let raw = converse::<RawFfi>(&[Request::Prepare(written.clone())]);
    let null = converse::<Null>(&[Request::Prepare(written)]);
    assert!(reason(&raw[0]).contains("needs a writable map"), "{raw:?}");
    assert_eq!(raw, null);
}
