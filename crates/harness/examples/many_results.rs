//! How long documents take for many published runs: makes runs of 10 machines with 504 cases each in
//! a temporary directory, reads and checks them, and makes all documents of them.
//!
//! ```sh
//! cargo run --release -p harness --example many_results
//! ```

use std::error::Error;
use std::time::{Duration, Instant};

use harness::machine::host;
use harness::registry::{BACKENDS, Backend, REFERENCE};
use records::host::EngineBuild;
use records::host::Host;
use records::published::{self, file};
use records::schema::{
    BackendRecord, CaseRecord, Comparison, Counts, Options, Results, SCHEMA, Split, Time,
};
use records::store;
use records::typed::Typed;
use report::documents::{self, HandWritten};
use statistics::{Interval, Verdict};
use write_backend::protocol::Profile;
use write_backend::{Finish, Workload};

const HOSTS: usize = 10;
/// With 8 backends 504 cases.
const WORKLOADS: usize = 63;
const LAUNCHES: usize = 30;

fn main() -> Result<(), Box<dyn Error>> {
    let results = tempfile::tempdir()?;
    for host in 0..HOSTS {
        let directory = results.path().join(format!("host-{host}")).join("2026-11-30");
        for (name, producer) in [(file::COMPARE, "compare"), (file::COUNTS, "counts")] {
            store::write(&directory.join(name), &run(producer, host))?;
        }
    }
    let (mut read, mut made) = (Duration::MAX, Duration::MAX);
    let (mut documents, mut bytes) = (0, 0);
    for _ in 0..5 {
        let start = Instant::now();
        let runs = published::load(results.path())?;
        read = read.min(start.elapsed());
        let written =
            HandWritten { readme: String::new(), method: String::new(), typed: Typed::default() };
        let start = Instant::now();
        let found = documents::documents(&runs, &written)
            .map_err(|(name, error)| format!("{name}: {error}"))?;
        made = made.min(start.elapsed());
        documents = found.len();
        bytes = found.iter().map(|document| document.text.len()).sum();
    }
    println!(
        "{HOSTS} runs of {} cases, timed and counted: read and checked in {read:.0?}, {documents} \
         documents of {bytes} bytes made in {made:.0?} (the fastest of five)",
        WORKLOADS * BACKENDS.len()
    );
    Ok(())
}

/// Made-up results whose numbers have as many digits as measured ones.
fn run(producer: &str, host: usize) -> Results {
    let cases = (0..WORKLOADS).flat_map(|index| {
        BACKENDS.iter().enumerate().map(move |(place, backend)| (index, place, backend))
    });
    let counted = producer == "counts";
    Results {
        schema: SCHEMA,
        producer: producer.to_owned(),
        started_unix: 1_796_077_305,
        complete: true,
        host: Host { name: format!("host-{host}"), ..host::observe() },
        options: Options {
            seed: 1,
            map_size: 10 << 20,
            writable_map: false,
            file_system: "ext4".to_owned(),
            core: Some(1),
            confidence: 0.95,
            rounds: 25,
            cflags: None,
        },
        backends: BACKENDS.iter().map(record).collect(),
        cases: cases.map(|(index, place, backend)| case(index, place, backend, counted)).collect(),
        counters: None,
    }
}

fn record(backend: &Backend) -> BackendRecord {
    let engine = backend.engine_version.map(str::to_owned);
    BackendRecord {
        id: backend.id.to_owned(),
        binding: Some(backend.id.to_owned()),
        binding_version: Some("1.2.3".to_owned()),
        engine_crate: engine.clone(),
        engine_crate_version: engine.clone(),
        engine_version: engine,
        control: backend.control.map(str::to_owned),
        profile: Profile::Release,
        put_alignment: Some(0),
        loop_alignment: [0, 0],
        engine_build: EngineBuild::default(),
    }
}

fn case(index: usize, place: usize, backend: &Backend, counted: bool) -> CaseRecord {
    let workload = Workload {
        finish: if index.is_multiple_of(2) { Finish::Abort } else { Finish::Commit },
        batch_size: 1 + index,
        value_size: 64,
        ..Workload::default()
    };
    let base = (100.0 + index as f64) * (1.0 + place as f64 / 17.0);
    let ok = CaseRecord::ok(backend.id, workload);
    if counted {
        return CaseRecord { counts: Some(counts(base, 1 + index)), ..ok };
    }
    let launches = (0..LAUNCHES).map(|it| base * (1.0 + (it * 7 % 11) as f64 / 977.0)).collect();
    let ratio = |against: &str| Comparison {
        against: against.to_owned(),
        estimate: 1.0 + place as f64 / 17.0,
        low: 1.0 + place as f64 / 18.0,
        high: 1.0 + place as f64 / 16.0,
        confidence: 0.95,
        verdict: Verdict::NoDifferenceFound,
    };
    let is_relative = backend.id != REFERENCE && backend.engine_version.is_some();
    CaseRecord {
        time: Time::new(launches, 20),
        overhead: backend.control.map(ratio),
        relative: is_relative.then(|| ratio(REFERENCE)),
        noise_floor: Some(Interval { low: 0.991_234_567_8, high: 1.012_345_678_9 }),
        ..ok
    }
}

fn counts(base: f64, batch_size: usize) -> Counts {
    let split = Split { binding: base, lmdb: base * 12.3, ..Split::default() };
    Counts {
        transactions: 100,
        instructions_per_transaction: Some(base * 13.3),
        instructions_per_put: Some(base * 13.3 / batch_size as f64),
        instructions_spread: Some(0.0),
        instructions: Some(split),
        rust_allocations_per_transaction: Some(2.0),
        rust_bytes_per_transaction: Some(84.0),
        c_allocations_per_transaction: Some(1.0),
        system_calls_per_transaction: None,
    }
}
