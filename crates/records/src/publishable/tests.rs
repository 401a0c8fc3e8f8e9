//! Every reason against a run, one by one and together.

use super::*;
use crate::testing::fixtures;
use statistics::Interval;

fn refused(change: impl Fn(&mut Results)) -> Vec<String> {
    let mut results = fixtures::publishable();
    change(&mut results);
    refusals(&results)
}

#[test]
fn a_good_run_is_published_by_what_made_it() {
    let mut results = fixtures::publishable();
    assert_eq!(refusals(&results), Vec::<String>::new());
    assert_eq!(file_name(&results), Ok(file::COMPARE));
    results.producer = "counts".to_owned();
    assert_eq!(file_name(&results), Ok(file::COUNTS));
    results.producer = "write".to_owned();
    assert!(file_name(&results).unwrap_err().contains("`write`"));
}

#[test]
fn each_reason_alone() {
    type Change = fn(&mut Results);
    let cases: [(&str, Change); 11] = [
        ("the run is partial", |it| it.complete = false),
        ("it has no cases", |it| it.cases.clear()),
        ("failed cases, 1 of 2: commit-n10-v64-k16-random-sync/raw-ffi (it has no time)", |it| {
            it.cases[0].time = None;
        }),
        ("5 launches of a case: an interval at 95 % needs 6", |it| {
            it.cases[0].time.as_mut().unwrap().launches_ns.truncate(5);
        }),
        ("it has no noise floor", |it| {
            it.cases.iter_mut().for_each(|case| case.noise_floor = None);
        }),
        ("debug build: owned-buffer", |it| it.backends[1].profile = Profile::Debug),
        ("LMDB of the system, not the one the binding ships: raw-ffi", |it| {
            it.backends[0].engine_build.bundled = Some(false);
        }),
        ("not aligned to 64 bytes in raw-ffi", |it| it.backends[0].put_alignment = Some(16)),
        ("on tmpfs, where syncing costs nothing", |it| {
            it.options.file_system = "tmpfs".to_owned();
        }),
        (
            "failed cases, 1 of 3: abort-n10-v64-k16-random-sync/owned-buffer (put: map full)",
            |it| {
                it.cases.push(fixtures::results().cases[2].clone());
            },
        ),
        (
            "`-O1`, but not all with the same: raw-ffi with -O3, NDEBUG; owned-buffer with -O1",
            |it| {
                it.options.cflags = Some("-O1".to_owned());
                it.backends[1].engine_build.optimisation = Some("-O1".to_owned());
            },
        ),
    ];
    for (expected, change) in cases {
        let found = refused(change);
        assert_eq!(found.len(), 1, "{expected}: {found:?}");
        assert!(found[0].contains(expected), "{found:?}");
    }
}

#[test]
fn all_reasons_are_named_at_once() {
    let found = refused(|it| {
        it.complete = false;
        it.backends[0].profile = Profile::Debug;
        it.options.file_system = "ramfs".to_owned();
    });
    assert_eq!(found.len(), 3, "{found:?}");
}

#[test]
fn a_floor_that_chance_explains_is_no_reason() {
    let workload = fixtures::publishable().cases[0].workload;
    let with = |excluding: usize| {
        refused(|it| {
            it.cases = (0..24)
                .map(|index| {
                    let low = if index < excluding { 1.01 } else { 0.99 };
                    let workload = write_backend::Workload { batch_size: index + 1, ..workload };
                    let noise_floor = Some(Interval { low, high: 1.02 });
                    let time = fixtures::publishable().cases[0].time.clone();
                    CaseRecord { time, noise_floor, ..CaseRecord::ok("raw-ffi", workload) }
                })
                .collect();
        })
    };
    assert_eq!(with(2), Vec::<String>::new());
    let found = with(9);
    assert!(
        found[0].contains("9 of 24 workloads (1.2 expected by chance): commit-n1-"),
        "{found:?}"
    );
}

#[test]
fn a_memory_disk_matters_for_times_that_wait_for_it() {
    let on_memory = |change: fn(&mut Results)| {
        refused(|it| {
            it.options.file_system = "tmpfs".to_owned();
            change(it);
        })
    };
    let nosync = on_memory(|it| {
        for case in &mut it.cases {
            case.workload.sync = SyncMode::NoSync;
        }
    });
    assert_eq!(nosync, Vec::<String>::new());
    assert_eq!(on_memory(|it| it.producer = "counts".to_owned()), Vec::<String>::new());
}

#[test]
fn equal_flags_are_those_that_were_seen() {
    let mut results = fixtures::publishable();
    results.options.cflags = Some("-O3 -DNDEBUG".to_owned());
    assert_eq!(file_name(&results), Ok(file::EQUAL_FLAGS));
    assert_eq!(refusals(&results), Vec::<String>::new());
    results.backends[0].engine_build.assertions = None;
    assert!(file_name(&results).unwrap_err().contains("cannot be seen how the engine of raw-ffi"));
    results.producer = "counts".to_owned();
    assert!(file_name(&results).unwrap_err().contains("as shipped"));
}

#[test]
fn behaviour_must_be_whole_and_of_a_release_build() {
    let mut found = fixtures::behaviour();
    assert_eq!(behaviour_refusals(&found), ["not found out: heed: it did not start"]);
    found.failures.clear();
    assert_eq!(behaviour_refusals(&found), Vec::<String>::new());
    found.complete = false;
    found.backends[0].profile = Profile::Debug;
    assert_eq!(behaviour_refusals(&found).len(), 2);
}

#[test]
fn what_chance_may_have_done_is_marked_and_not_refused() {
    let mut results = fixtures::publishable();
    let part = "Only a part of the default matrix";
    assert!(marks(&results)[0].starts_with(part), "{:?}", marks(&results));
    results.options.core = None;
    results.cases[1].noise_floor = Some(Interval { low: 1.001, high: 1.02 });
    assert_eq!(refusals(&results), Vec::<String>::new(), "one of one is not rare enough");
    let found = marks(&results);
    assert!(found[0].contains("could not be bound to a core"), "{found:?}");
    assert!(found[2].contains("excludes 1 on 1 of 1 workloads (0.1 expected"), "{found:?}");
    // A run of counts has no times that a core could matter for.
    results.cases.iter_mut().for_each(|case| case.time = None);
    assert_eq!(marks(&results).len(), 1);
}
