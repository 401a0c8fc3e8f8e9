//! What a transaction costs in things that can be counted, with the programs of this build.

use std::path::Path;
use std::sync::Arc;

use object::{Object as _, ObjectSymbol as _};
use records::schema::{CaseRecord, Counts, Status};

use super::built::{self, BACKENDS, PROGRAMS, is_there, launcher, root};
use crate::backends::{Backend, Kind, Programs};
use crate::counts::instructions;
use crate::counts::run::{Plan, Run};
use crate::counts::system_calls::SYNCED_WRITE;
use crate::counts::tally::Part;
use crate::counts::tools::Tools;
use crate::selection::Case;
use crate::worker::ProcessLauncher;

fn plan() -> Plan {
    Plan::new(Plan::TRANSACTIONS)
}

fn case(backend: &Arc<Backend>, workload: &str) -> Case {
    Case { backend: Arc::clone(backend), workload: workload.parse().expect("a workload") }
}

fn count(launcher: &mut ProcessLauncher, tools: &Tools, case: &Case) -> Counts {
    let counts = Run { tools, plan: plan() }.one(launcher, case);
    counts.unwrap_or_else(|failure| panic!("{}: {failure}", case.name()))
}

fn no_tools() -> Tools {
    let absent = || Err("not asked for".to_owned());
    Tools { valgrind: absent(), strace: absent(), libc: None }
}

fn valgrind() -> Option<Tools> {
    let tools = Tools { strace: no_tools().strace, ..Tools::observe() };
    is_there(&tools.valgrind).then_some(tools)
}

/// What is only counted: the loop in C.
fn loop_in_c() -> &'static Arc<Backend> {
    BACKENDS.all().find(|backend| backend.counts_only).expect("there is one")
}

/// The reference, a binding with its control on another engine, and one that brings its own.
fn some() -> impl Iterator<Item = &'static Arc<Backend>> {
    let reference = BACKENDS.reference();
    let with_control = || BACKENDS.timed().filter(|backend| backend.control.is_some());
    let other = with_control().find(|backend| backend.engine != reference.engine);
    let same = with_control().find(|backend| backend.engine == reference.engine);
    [reference].into_iter().chain(other).chain(same)
}

/// The measured programs must not carry what the counting ones do.
#[test]
fn the_counting_allocator_is_in_the_witnesses_alone() {
    let counts = |path: &Path| {
        let bytes = std::fs::read(path).expect("a program");
        let file = object::File::parse(&*bytes).expect("a program");
        let has = |name: &str| name.contains("allocation_counter");
        file.symbols().any(|symbol| symbol.name().is_ok_and(has))
    };
    for backend in BACKENDS.all() {
        assert!(!counts(&built::worker(backend)), "{}", backend.id);
        assert!(!backend.has_witness() || counts(&built::witness(backend)), "{}", backend.id);
    }
}

#[test]
fn what_fails_or_is_not_offered_is_a_record_and_the_others_go_on() {
    let broken = BACKENDS.reference();
    // It does not understand what it is asked.
    let programs = PROGRAMS.clone().with(&broken.id, Kind::Witness, &built::worker(broken));
    let temporary = std::env::temp_dir();
    let mut launchers = [launcher(&programs, &temporary), launcher(&programs, &temporary)];
    let workload = "abort-n10-v8-k4-sequential-nosync-append";
    let cases: Vec<Case> = BACKENDS.all().map(|backend| case(backend, workload)).collect();
    let tools = &no_tools();
    let records: Vec<CaseRecord> =
        Run { tools, plan: plan() }.all(&mut launchers, &cases, &|_, _| {});
    assert_eq!(records.len(), cases.len());
    for (record, case) in records.iter().zip(&cases) {
        assert_eq!(record.backend, case.backend.id);
        let reason = record.reason.as_deref().unwrap_or_default();
        if *case.backend.id == *broken.id {
            assert_eq!(record.status, Status::Failed, "{record:?}");
        } else if case.backend.counts_only {
            assert_eq!(record.status, Status::NotOffered, "{record:?}");
            assert!(reason.ends_with(" does not offer put \"append\""), "{reason}");
        } else if record.status == Status::Ok {
            assert!(record.counts.is_some() && reason.is_empty(), "{record:?}");
        } else {
            assert_eq!(record.status, Status::NotOffered, "{record:?}");
        }
    }
    assert!(records.iter().any(|record| record.status == Status::Ok), "{records:?}");
}

#[test]
fn two_runs_give_the_same_instructions_to_the_last_digit() {
    let Some(tools) = valgrind() else { return };
    let mut first = launcher(&PROGRAMS, &std::env::temp_dir());
    // Elsewhere, under a longer name.
    let long = tempfile::Builder::new().prefix(&"x".repeat(40)).tempdir().expect("a directory");
    let mut second = launcher(&PROGRAMS, long.path());
    for backend in some() {
        for workload in ["abort-n10-v64-k4-sequential-nosync", "commit-n10-v64-k4-random-nosync"] {
            let case = case(backend, workload);
            let counts = count(&mut first, &tools, &case);
            assert_eq!(counts, count(&mut second, &tools, &case), "{}", case.name());
            assert_eq!(counts.instructions_spread, Some(0.0), "{}", case.name());
        }
    }
}

#[test]
fn instructions_are_split_among_those_who_execute_them() {
    let Some(tools) = valgrind() else { return };
    let mut launcher = launcher(&PROGRAMS, &std::env::temp_dir());
    for backend in BACKENDS.all() {
        let case = case(backend, "commit-n10-v64-k4-sequential-nosync");
        let counts = count(&mut launcher, &tools, &case);
        let split = counts.instructions.expect("valgrind is there");
        let has_engine = backend.stores();
        assert!(split.binding > 0.0, "{}: {split:?}", backend.id);
        assert_eq!(split.lmdb > 1000.0, has_engine, "{}: {split:?}", backend.id);
        // One write transaction's structure.
        let expected = if has_engine { 1.0 } else { 0.0 };
        assert_eq!(counts.c_allocations_per_transaction, Some(expected), "{}", backend.id);
    }
}

/// The allocator that counts and callgrind, which sees calls of the C library's, agree.
#[test]
fn two_ways_of_counting_rust_allocations_agree() {
    if valgrind().is_none() {
        return;
    }
    let mut launcher = launcher(&PROGRAMS, &std::env::temp_dir());
    for backend in some() {
        let case = case(backend, "abort-n10-v64-k4-sequential-nosync");
        let seen = instructions::count(&mut launcher, &case, plan()).expect("it counts").second;
        let seen = seen.allocations(Part::Binding) as f64 / plan().transactions as f64;
        let counts = count(&mut launcher, &no_tools(), &case);
        assert_eq!(counts.rust_allocations_per_transaction, Some(seen), "{}", backend.id);
    }
}

/// In the profile in which they are measured, whatever this test is built in: only optimised Rust can be
/// held against optimised C.
#[test]
fn raw_ffi_executes_what_the_loop_in_c_does() {
    let Some(tools) = valgrind() else { return };
    let (rust, c) = (BACKENDS.reference(), loop_in_c());
    let wanted = [rust, c].map(Arc::clone);
    let kinds = [Kind::Worker, Kind::Witness];
    let programs = Programs::build_these("release", root(), &BACKENDS, &wanted, &kinds);
    let mut launcher = launcher(&programs, &std::env::temp_dir());
    for workload in ["abort-n1-v4-k4-sequential-nosync", "commit-n100-v64-k4-sequential-nosync"] {
        let [rust, c] = [rust, c].map(|backend| {
            let counts = count(&mut launcher, &tools, &case(backend, workload));
            counts.instructions_per_transaction.expect("valgrind is there")
        });
        let ratio = rust / c;
        assert!((0.99..1.01).contains(&ratio), "{workload}: {ratio}");
    }
}

#[test]
fn no_binding_cheats_on_durability() {
    let tools = Tools { strace: Tools::observe().strace, ..no_tools() };
    if !is_there(&tools.strace) {
        return;
    }
    let mut launcher = launcher(&PROGRAMS, &std::env::temp_dir());
    for backend in BACKENDS.all().filter(|backend| backend.stores()) {
        // fdatasync of the pages, and the meta page written through.
        for (sync, waits) in [("nosync", "0, 0"), ("nometasync", "1, 0"), ("sync", "1, 1")] {
            let case = case(backend, &format!("commit-n10-v64-k4-sequential-{sync}"));
            let counts = count(&mut launcher, &tools, &case);
            let calls = counts.system_calls_per_transaction.expect("strace is there");
            let number = |kind: &str| calls.get(kind).copied().unwrap_or(0.0);
            let name = case.name();
            let found = format!("{}, {}", number("fdatasync"), number(SYNCED_WRITE));
            assert_eq!(found, waits, "{name}: {calls:?}");
            let writes: f64 = ["pwrite", "writev", SYNCED_WRITE].into_iter().map(number).sum();
            assert!(writes >= 2.0, "{name}: {calls:?}");
        }
    }
}
