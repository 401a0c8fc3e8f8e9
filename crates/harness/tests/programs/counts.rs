//! What a transaction costs in things that can be counted, with the programs of this build. What needs
//! valgrind or strace is skipped where these are not, except in CI, where they must be.

use std::path::Path;
use std::sync::Arc;

use harness::backends::{Backend, Kind, Programs};
use harness::counts::instructions;
use harness::counts::place::Place;
use harness::counts::run::{Plan, Run};
use harness::counts::tools::{Tool, Tools};
use harness::counts::trace::SYNCED_WRITE;
use harness::selection::Case;
use harness::worker::launcher::Settings;
use harness::worker::session::Start;
use object::{Object as _, ObjectSymbol as _};
use records::schema::{CaseRecord, Counts, Status};
use write_backend::EnvironmentOptions;

use crate::built::{self, BACKENDS, PROGRAMS};

/// What stays the same in all tests.
struct Bench {
    programs: Programs,
    tools: Tools,
    settings: Settings,
    root: tempfile::TempDir,
}

impl Bench {
    fn new(tools: Tools) -> Self {
        let settings = Settings {
            environment: EnvironmentOptions::default(),
            directory: std::env::temp_dir(),
            seed: 1,
            start: Start { core: None, padding: 0, limit: std::time::Duration::from_secs(60) },
        };
        let root = tempfile::tempdir().unwrap();
        Self { programs: PROGRAMS.clone(), tools, settings, root }
    }

    fn run(&self) -> Run<'_> {
        let Self { programs, tools, settings, root } = self;
        Run { programs, tools, settings, root: root.path(), plan: Plan::new(Plan::TRANSACTIONS) }
    }

    fn count(&self, backend: &Arc<Backend>, workload: &str) -> Counts {
        let case = Case { backend: Arc::clone(backend), workload: workload.parse().unwrap() };
        self.run().one(&case).unwrap_or_else(|failure| panic!("{}: {failure}", case.name()))
    }
}

fn no_tools() -> Tools {
    let absent = || Err("not asked for".to_owned());
    Tools { valgrind: absent(), strace: absent(), libc: None }
}

/// Whether the test can go on; in CI it must.
fn is_there(tool: &Tool) -> bool {
    match tool {
        Ok(_) => true,
        Err(reason) if std::env::var_os("CI").is_some() => {
            panic!("in CI it must be there: {reason}")
        }
        Err(reason) => {
            eprintln!("skipped: {reason}");
            false
        }
    }
}

/// What is only counted: the loop in C.
fn loop_in_c() -> &'static Arc<Backend> {
    BACKENDS.all().find(|it| it.counts_only).expect("there is one")
}

/// The reference, a binding with its control on another engine, and one that brings its own.
fn some() -> impl Iterator<Item = &'static Arc<Backend>> {
    let reference = [BACKENDS.reference()].into_iter();
    let engine = &BACKENDS.reference().engine;
    let with_control = || BACKENDS.timed().filter(|it| it.control.is_some());
    let other = with_control().find(move |it| it.engine != *engine);
    let same = with_control().find(move |it| it.engine == *engine);
    reference.chain(other).chain(same)
}

/// The measured programs must not carry what the counting ones do.
#[test]
fn the_counting_allocator_is_in_the_counting_workers_alone() {
    let counts = |path: &Path| {
        let bytes = std::fs::read(path).unwrap();
        let file = object::File::parse(&*bytes).unwrap();
        let has = |name: &str| name.contains("allocation_counter");
        file.symbols().any(|symbol| symbol.name().is_ok_and(has))
    };
    for backend in BACKENDS.all() {
        assert!(!counts(&built::worker(backend)), "{}", backend.id);
        assert!(!backend.has_witness() || counts(&built::witness(backend)), "{}", backend.id);
    }
}

#[test]
fn a_case_that_fails_is_a_record_and_the_others_go_on() {
    let mut bench = Bench::new(no_tools());
    let broken = BACKENDS.reference();
    // It does not understand what it is asked.
    bench.programs = bench.programs.with(&broken.id, Kind::Witness, &built::worker(broken));
    let workload = "commit-n1-v4-k4-sequential-nosync".parse().unwrap();
    let all = BACKENDS.timed().cloned();
    let cases: Vec<Case> = all.map(|backend| Case { backend, workload }).collect();
    let records: Vec<CaseRecord> = bench.run().all(&cases, 2, &|_, _| {});
    assert_eq!(records.len(), cases.len());
    for (record, case) in records.iter().zip(&cases) {
        assert_eq!(record.backend, case.backend.id);
        let is_ok = record.status == Status::Ok;
        assert_eq!(is_ok, record.backend != broken.id, "{record:?}");
        assert_eq!(record.counts.is_some(), is_ok);
        assert_eq!(record.reason.is_some(), !is_ok);
    }
}

#[test]
fn the_loop_in_c_does_not_offer_every_put() {
    let bench = Bench::new(no_tools());
    let workload = "abort-n10-v8-k4-sequential-nosync-append".parse().unwrap();
    let cases = [loop_in_c(), BACKENDS.reference()]
        .map(|backend| Case { backend: Arc::clone(backend), workload });
    let records = bench.run().all(&cases, 2, &|_, _| {});
    let reason = records[0].reason.as_deref();
    assert!(reason.is_some_and(|it| it.ends_with(" does not offer put \"append\"")), "{reason:?}");
    assert_eq!([records[0].status, records[1].status], [Status::NotOffered, Status::Ok]);
}

#[test]
fn two_runs_give_the_same_instructions_to_the_last_digit() {
    let tools = Tools::observe();
    if !is_there(&tools.valgrind) {
        return;
    }
    let tools = Tools { strace: Err("not asked for".to_owned()), ..tools };
    let first = Bench::new(tools.clone());
    let mut second = Bench::new(tools);
    // Elsewhere, under a longer name.
    second.root = tempfile::Builder::new().prefix(&"x".repeat(40)).tempdir().unwrap();
    for backend in some() {
        let id = &backend.id;
        for workload in ["abort-n10-v64-k4-sequential-nosync", "commit-n10-v64-k4-random-nosync"] {
            let counts = first.count(backend, workload);
            assert_eq!(counts, second.count(backend, workload), "{workload}/{id}");
            assert_eq!(counts.instructions_spread, Some(0.0), "{workload}/{id}");
        }
    }
}

#[test]
fn instructions_are_split_among_those_who_execute_them() {
    let tools = Tools::observe();
    if !is_there(&tools.valgrind) {
        return;
    }
    let bench = Bench::new(Tools { strace: Err("not asked for".to_owned()), ..tools });
    for backend in BACKENDS.all() {
        let counts = bench.count(backend, "commit-n10-v64-k4-sequential-nosync");
        let split = counts.instructions.unwrap();
        let has_engine = backend.stores();
        assert!(split.binding > 0.0, "{}: {split:?}", backend.id);
        assert_eq!(split.lmdb > 1000.0, has_engine, "{}: {split:?}", backend.id);
        // One write transaction's structure.
        let expected = if has_engine { 1.0 } else { 0.0 };
        assert_eq!(counts.c_allocations_per_transaction, Some(expected), "{}", backend.id);
        let [per_put, per_transaction] =
            [counts.instructions_per_put, counts.instructions_per_transaction];
        assert_eq!(per_put, per_transaction.map(|it| it / 10.0), "{}", backend.id);
    }
}

/// The allocator that counts and callgrind, which sees calls of the C library's, agree.
#[test]
fn two_ways_of_counting_rust_allocations_agree() {
    let tools = Tools::observe();
    if !is_there(&tools.valgrind) {
        return;
    }
    let bench = Bench::new(no_tools());
    let text = "abort-n10-v64-k4-sequential-nosync";
    let plan = Plan::new(Plan::TRANSACTIONS);
    for backend in some() {
        let place = Place::new(bench.root.path(), &bench.settings, &text.parse().unwrap()).unwrap();
        let program = &built::worker(backend);
        let start = &bench.settings.start;
        let seen = instructions::count(program, backend, &place, start, plan).unwrap();
        let seen = seen.second.rust_allocations as f64 / plan.transactions as f64;
        let counts = bench.count(backend, text);
        assert_eq!(counts.rust_allocations_per_transaction, Some(seen), "{}", backend.id);
    }
}

#[test]
fn raw_ffi_executes_what_the_loop_in_c_does() {
    let tools = Tools::observe();
    if !is_there(&tools.valgrind) {
        return;
    }
    if cfg!(debug_assertions) {
        eprintln!("skipped: only optimised Rust can be held against optimised C (use --release)");
        return;
    }
    let bench = Bench::new(Tools { strace: Err("not asked for".to_owned()), ..tools });
    for workload in ["abort-n1-v4-k4-sequential-nosync", "commit-n100-v64-k4-sequential-nosync"] {
        let of = |backend| bench.count(backend, workload).instructions_per_put.unwrap();
        let ratio = of(BACKENDS.reference()) / of(loop_in_c());
        assert!((0.99..1.01).contains(&ratio), "{workload}: {ratio}");
    }
}

#[test]
fn no_binding_cheats_on_durability() {
    let tools = Tools::observe();
    if !is_there(&tools.strace) {
        return;
    }
    let bench = Bench::new(Tools { strace: tools.strace, ..no_tools() });
    for backend in BACKENDS.all().filter(|backend| backend.stores()) {
        // fdatasync of the pages, and the meta page written through.
        for (sync, waits) in [("nosync", "0, 0"), ("nometasync", "1, 0"), ("sync", "1, 1")] {
            let counts = bench.count(backend, &format!("commit-n10-v64-k4-sequential-{sync}"));
            let calls = counts.system_calls_per_transaction.unwrap();
            let of = |kind: &str| calls.get(kind).copied().unwrap_or(0.0);
            let name = format!("{}, {sync}: {calls:?}", backend.id);
            let found = format!("{}, {}", of("fdatasync"), of(SYNCED_WRITE));
            assert_eq!(found, waits, "{name}");
            assert!(of("pwrite") + of("writev") + of(SYNCED_WRITE) >= 2.0, "{name}");
        }
    }
}
