//! A stored file of each kind, in the first format, and the values in it, written out by hand. A
//! later format gets files of its own beside these, and these stay.

use std::collections::BTreeMap;

use write_backend::protocol::Profile;
use write_backend::protocol::behaviour::Outcome;
use write_backend::{Finish, KeyOrder, SyncMode, Workload};

use crate::behaviour;
use crate::behaviour::{Behaviour, Kills, Seen};
use crate::calibration::{Calibration, Equal, Layout, Slowed};
use crate::host::EngineBuild;
use crate::host::Host;
use crate::schema::{
    BackendRecord, CaseRecord, Comparison, Counters, Counts, Options, Results, Split, Status, Time,
};
use statistics::{Interval, Verdict};

/// [`results`] in format 1.
pub const RESULTS: &str = include_str!("../../tests/fixtures/results-schema-1.json");
/// [`calibration`] in format 1.
pub const CALIBRATION: &str = include_str!("../../tests/fixtures/calibration-schema-1.json");
/// [`behaviour`] in format 1.
pub const BEHAVIOUR: &str = include_str!("../../tests/fixtures/behaviour-schema-1.json");

const STARTED: u64 = 1_796_077_305;

#[allow(clippy::unnecessary_wraps, reason = "for fields that may be absent")]
fn some(text: &str) -> Option<String> {
    Some(text.to_owned())
}

/// A machine.
#[must_use]
pub fn host() -> Host {
    Host {
        name: "box".to_owned(),
        system: "Some OS 1, Linux 6.1".to_owned(),
        cpu: "Some CPU".to_owned(),
        cores: 2,
        virtual_machine: Some(true),
        governor: some("performance"),
        rustc: "rustc 1.90.0".to_owned(),
        target: "x86_64-unknown-linux-gnu".to_owned(),
        rustflags: "-C x".to_owned(),
    }
}

fn workload(finish: Finish) -> Workload {
    Workload {
        finish,
        sync: SyncMode::Sync,
        key_order: KeyOrder::Random,
        key_size: 16,
        batch_size: 10,
        value_size: 64,
        ..Workload::default()
    }
}

fn raw_ffi() -> BackendRecord {
    BackendRecord {
        id: "raw-ffi".to_owned(),
        binding: some("lmdb-sys"),
        binding_version: some("0.8.0"),
        engine_crate: some("lmdb-sys"),
        engine_crate_version: some("0.8.0"),
        engine_version: some("0.9.21"),
        control: None,
        profile: Profile::Release,
        put_alignment: Some(0),
        loop_alignment: [0, 32],
        engine_build: EngineBuild {
            bundled: Some(true),
            assertions: Some(false),
            optimisation: some("-O3"),
            compiler: some("GNU C17 12.2.0"),
        },
    }
}

fn owned_buffer() -> BackendRecord {
    BackendRecord {
        id: "owned-buffer".to_owned(),
        control: some("raw-ffi"),
        profile: Profile::Debug,
        put_alignment: None,
        loop_alignment: [0, 0],
        engine_build: EngineBuild::default(),
        ..raw_ffi()
    }
}

fn ratio(estimate: f64, low: f64, high: f64, verdict: Verdict) -> Comparison {
    let against = "raw-ffi".to_owned();
    Comparison { against, estimate, low, high, confidence: 0.95, verdict }
}

/// Every field of a results file at least once.
pub fn results() -> Results {
    let reference = CaseRecord {
        time: Some(Time {
            mean_ns: 2010.5,
            error_ns: None,
            std_dev_ns: None,
            median_ns: 2010.5,
            launches_ns: vec![2010.5],
            transactions_per_sample: 20,
        }),
        ..CaseRecord::ok("raw-ffi", workload(Finish::Commit))
    };
    Results {
        schema: 1,
        producer: "compare".to_owned(),
        started_unix: STARTED,
        complete: false,
        host: host(),
        options: Options {
            seed: u64::MAX,
            map_size: 10_485_760,
            writable_map: true,
            file_system: "ext4".to_owned(),
            core: Some(1),
            confidence: 0.95,
            rounds: 25,
            cflags: some("-O3 -DNDEBUG"),
        },
        backends: vec![raw_ffi(), owned_buffer()],
        cases: vec![
            reference,
            measured(),
            CaseRecord::failed("owned-buffer", workload(Finish::Abort), "put: map full".to_owned()),
        ],
        counters: Some(Counters {
            valgrind: some("valgrind-3.19.0"),
            strace: some("strace 6.1"),
            libc: some("glibc 2.36"),
        }),
    }
}

/// A run against whose publication nothing speaks: `sync` on a disk, all cases measured, as shipped.
pub fn publishable() -> Results {
    let mut results = results();
    results.complete = true;
    results.options.cflags = None;
    results.cases.retain(|case| case.status == Status::Ok);
    for case in &mut results.cases {
        let launches = case.time.as_ref().map(|time| [time.mean_ns, time.median_ns].repeat(15));
        case.time = Time::new(launches.unwrap(), 20);
    }
    let build = results.backends[0].engine_build.clone();
    for backend in &mut results.backends {
        backend.profile = Profile::Release;
        backend.loop_alignment = [0, 0];
        backend.engine_build = build.clone();
    }
    results
}

fn measured() -> CaseRecord {
    CaseRecord {
        time: Some(Time {
            mean_ns: 2613.0,
            error_ns: Some(636.619_248_768_554_5),
            std_dev_ns: Some(std::f64::consts::SQRT_2),
            median_ns: 2613.0,
            launches_ns: vec![2612.0, 2614.0],
            transactions_per_sample: 20,
        }),
        overhead: Some(ratio(1.3, 1.25, 1.35, Verdict::Slower)),
        relative: Some(ratio(1.0, 0.99, 1.015, Verdict::NoDifferenceFound)),
        noise_floor: Some(Interval { low: 0.995, high: 1.004 }),
        counts: Some(Counts {
            transactions: 100,
            instructions_per_transaction: Some(14_000.0),
            instructions_per_put: Some(1400.0),
            instructions_spread: Some(0.5),
            instructions: Some(Split {
                binding: 1000.0,
                lmdb: 12_000.0,
                libc_memory: 400.0,
                libc_bytes: 500.0,
                libc_other: 75.5,
                other: 24.5,
            }),
            rust_allocations_per_transaction: Some(20.0),
            rust_bytes_per_transaction: Some(800.0),
            c_allocations_per_transaction: Some(2.0),
            system_calls_per_transaction: Some(BTreeMap::from([
                ("fdatasync".to_owned(), 1.0),
                ("pwrite".to_owned(), 1.5),
            ])),
        }),
        ..CaseRecord::ok("owned-buffer", workload(Finish::Commit))
    }
}

/// Every field of a calibration.
pub fn calibration() -> Calibration {
    Calibration {
        schema: 1,
        started_unix: STARTED,
        host: host(),
        seed: 7,
        confidence: 0.95,
        precision: Some(0.005),
        launches: 30,
        seconds: 188.25,
        equal: Equal { comparisons: 216, excluded: 6, median_half_width: 0.0101 },
        slowed: vec![Slowed {
            finish: Finish::Commit,
            percent: 2,
            comparisons: 12,
            excluded: 12,
            claimed: 9,
            median_estimate: 1.019,
        }],
        layout: vec![Layout {
            aligned: false,
            backend: "heed".to_owned(),
            workload: workload(Finish::Abort),
            ratios: vec![0.98, 1.01],
            spread: 0.0079,
            outside: 1,
        }],
    }
}

/// Every field and every outcome of a behaviour file.
pub fn behaviour() -> Behaviour {
    let text = str::to_owned;
    let outcomes = [
        Outcome::Done { detail: text("kept") },
        Outcome::Refused {
            operation: text("put"),
            kind: text("bad value size"),
            message: text("MDB_BAD_VALSIZE"),
            then: text("the transaction goes on"),
        },
        Outcome::Accepted { detail: text("it keeps several values") },
        Outcome::Wrong { detail: text("the value is gone") },
        Outcome::Panicked { step: text("open"), message: text("no") },
        Outcome::Crashed { step: text("put"), how: text("SIGSEGV"), last_words: text("assertion") },
        Outcome::Deadlocked { step: text("begin") },
        Outcome::NotChecked { reason: text("no such file system") },
    ];
    let mut cases: Vec<behaviour::CaseRecord> =
        outcomes.into_iter().enumerate().map(case).collect();
    cases[0].seen[0].differs_because = some("It is so.");
    cases[0].seen[0].for_the_user = some("Look out.");
    cases[3].seen[0].as_expected = false;
    Behaviour {
        schema: 1,
        producer: text("behaviour"),
        started_unix: STARTED,
        complete: true,
        host: host(),
        file_system: text("ext4"),
        seed: 42,
        backends: vec![raw_ffi()],
        cases,
        kills: vec![Kills {
            backend: text("raw-ffi"),
            sync: SyncMode::NoMetaSync,
            checked_by: text("raw-ffi"),
            kills: 200,
            while_opening: 3,
            watched: 90,
            reported: 6000,
            committed_unreported: 20,
            lost: 1,
            partial: 2,
            unreadable: 4,
            refused: 5,
            wrong: vec![text("batch 7 is missing")],
        }],
        failures: vec![text("heed: it did not start")],
    }
}

fn case((index, outcome): (usize, Outcome)) -> behaviour::CaseRecord {
    let seen = Seen {
        backend: "raw-ffi".to_owned(),
        outcome,
        as_expected: true,
        differs_because: None,
        for_the_user: None,
    };
    behaviour::CaseRecord {
        case: format!("subject/input-{index}"),
        means: "What it is.".to_owned(),
        seen: vec![seen],
    }
}
