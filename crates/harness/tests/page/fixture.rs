//! Made-up published runs, with numbers that a formula gives.

use std::path::Path;

use records::host::EngineBuild;
use records::host::Host;
use records::published::{self, Published, REFERENCE_HOST, file};
use records::schema::{
    BackendRecord, CaseRecord, Comparison, Counts, Options, Results, SCHEMA, Split, Time,
};
use records::store;
use statistics::{Interval, Verdict};
use write_backend::Workload;
use write_backend::protocol::Profile;

/// Why a case of the fixture failed: something that must be shown as the text it is, and longer than a
/// narrow screen is wide.
pub(crate) const REASON: &str =
    "put: </script><!--<b>full</b>: there was no more room for what this case was to write";
/// The case that failed.
pub(crate) const FAILED: &str = "commit-n10-v64-k4-sequential-nosync";
/// Backends and their controls.
const BACKENDS: [(&str, Option<&str>); 4] = [
    ("raw-ffi", None),
    ("raw-ffi@lmdb-master-sys", None),
    ("heed", Some("raw-ffi@lmdb-master-sys")),
    ("owned-buffer", Some("raw-ffi")),
];

fn backend(id: &str, control: Option<&str>) -> BackendRecord {
    BackendRecord {
        id: id.to_owned(),
        binding: Some("a-binding".to_owned()),
        binding_version: Some("1.2.3".to_owned()),
        engine_crate: Some("an-engine".to_owned()),
        engine_crate_version: Some("4.5.6".to_owned()),
        engine_version: Some("0.9.70".to_owned()),
        control: control.map(str::to_owned),
        profile: Profile::Release,
        put_alignment: Some(0),
        loop_alignment: [0, 0],
        engine_build: EngineBuild::default(),
    }
}

/// Results without cases of `backends`.
fn empty(name: &str, backends: &[(&str, Option<&str>)]) -> Results {
    Results {
        schema: SCHEMA,
        producer: "compare".to_owned(),
        started_unix: 0,
        complete: true,
        host: Host {
            name: name.to_owned(),
            system: "Some OS".to_owned(),
            cpu: "Some CPU".to_owned(),
            cores: 2,
            virtual_machine: Some(false),
            governor: None,
            rustc: "rustc 1.0.0".to_owned(),
            target: "some-target".to_owned(),
            rustflags: String::new(),
        },
        options: Options {
            seed: 7,
            map_size: 10 << 20,
            writable_map: false,
            file_system: "ext4".to_owned(),
            core: Some(1),
            confidence: 0.95,
            rounds: 5,
            cflags: None,
        },
        backends: backends.iter().map(|(id, control)| backend(id, *control)).collect(),
        cases: Vec::new(),
        counters: None,
    }
}

fn workloads(values: &[usize]) -> Vec<Workload> {
    let mut workloads = Vec::new();
    for finish in ["abort", "commit"] {
        for batch in [1, 10, 100] {
            for value in values {
                let name = format!("{finish}-n{batch}-v{value}-k4-sequential-nosync");
                workloads.push(name.parse().expect("a workload of this test"));
            }
        }
    }
    workloads
}

/// A ratio of one in three verdicts.
fn ratio(against: &str, index: usize) -> Comparison {
    let verdict = [Verdict::Slower, Verdict::NoDifferenceFound, Verdict::Faster][index % 3];
    let estimate = [1.234_567, 1.004_321, 0.912_345][index % 3] * (1.0 + index as f64 * 1e-4);
    let (low, high) = (estimate / 1.01, estimate * 1.01);
    Comparison { against: against.to_owned(), estimate, low, high, confidence: 0.95, verdict }
}

/// A case with everything that can be known; `index` makes its numbers differ from others'.
fn timed(id: &str, control: Option<&str>, workload: Workload, index: usize) -> CaseRecord {
    // No two alike, with all digits, over several units.
    let base =
        71.234_567 * (workload.batch_size as f64) * (1.0 + ((index * 37) % 101) as f64 / 97.0);
    let reach = (workload.batch_size + workload.value_size) as f64 * 1e-4;
    CaseRecord {
        time: Time::new(vec![base, base * 1.012_345, base * 1.054_321], 100),
        overhead: control.map(|control| ratio(control, index)),
        relative: (id != "raw-ffi").then(|| ratio("raw-ffi", index + 1)),
        noise_floor: Some(Interval { low: 0.987_654, high: 1.006_543 + reach }),
        ..CaseRecord::ok(id, workload)
    }
}

fn counted(id: &str, workload: Workload, index: usize) -> CaseRecord {
    let split = Split {
        binding: 2_345.0 + index as f64,
        lmdb: 123_456.0,
        libc_memory: 129.0,
        libc_bytes: 15_930.0,
        libc_other: 149.666,
        other: 0.334,
    };
    let all = 142_010.0 + index as f64;
    let counts = Counts {
        transactions: 12,
        instructions_per_transaction: Some(all),
        instructions_per_put: Some(all / workload.batch_size as f64),
        instructions_spread: Some(0.0),
        instructions: Some(split),
        rust_allocations_per_transaction: Some(index as f64),
        rust_bytes_per_transaction: Some(index as f64 * 68.0),
        c_allocations_per_transaction: Some(1.0),
        system_calls_per_transaction: Some([("pwrite".to_owned(), 1.333)].into()),
    };
    CaseRecord { counts: Some(counts), ..CaseRecord::ok(id, workload) }
}

/// Times and counts of all `workloads` on all `backends`.
fn run(name: &str, backends: &[(&str, Option<&str>)], workloads: &[Workload]) -> [Results; 2] {
    let (mut compare, mut counts) = (empty(name, backends), empty(name, backends));
    "counts".clone_into(&mut counts.producer);
    for workload in workloads {
        for (id, control) in backends {
            let index = compare.cases.len();
            compare.cases.push(timed(id, *control, *workload, index));
            counts.cases.push(counted(id, *workload, index));
        }
    }
    [compare, counts]
}

fn publish(results: &Path, host: &str, name: &str, file: &Results) {
    store::write(&results.join(host).join("2030-01-02").join(name), file).expect("it is written");
}

/// Two machines: the reference with a failed case and with equal flags, another with a warning and fewer
/// value sizes.
pub(crate) fn two_machines(results: &Path) -> Vec<Published> {
    let [mut compare, mut counts] = run("one", &BACKENDS, &workloads(&[4, 64]));
    for case in &mut compare.cases {
        if case.backend == "heed" && case.workload.to_string() == FAILED {
            *case = CaseRecord::failed("heed", case.workload, REASON.to_owned());
        }
    }
    let synced = "commit-n10-v64-k4-sequential-sync".parse().expect("a workload of this test");
    counts.cases.push(counted("heed", synced, 7));
    publish(results, REFERENCE_HOST, file::COMPARE, &compare);
    publish(results, REFERENCE_HOST, file::COUNTS, &counts);
    compare.options.cflags = Some("-O3".to_owned());
    publish(results, REFERENCE_HOST, file::EQUAL_FLAGS, &compare);
    let [mut other, _] = run("two", &BACKENDS, &workloads(&[64]));
    other.options.core = None;
    publish(results, "another", file::COMPARE, &other);
    published::load(results).expect("what was written is read")
}

/// `hosts` machines with eight backends on 63 workloads each, timed and counted.
pub(crate) fn many(results: &Path, hosts: usize) -> Vec<Published> {
    let names: Vec<String> = (0..8)
        .map(|index| match index {
            0 => "raw-ffi".to_owned(),
            _ => format!("a-backend-named-{index}"),
        })
        .collect();
    let backends: Vec<(&str, Option<&str>)> = names
        .iter()
        .enumerate()
        .map(|(index, name)| (name.as_str(), (index > 0).then_some(names[0].as_str())))
        .collect();
    let workloads: Vec<Workload> = workloads(&(1..=11).collect::<Vec<_>>())[..63].to_vec();
    for host in 0..hosts {
        let [compare, counts] = run("many", &backends, &workloads);
        publish(results, &format!("host-{host}"), file::COMPARE, &compare);
        publish(results, &format!("host-{host}"), file::COUNTS, &counts);
    }
    published::load(results).expect("what was written is read")
}
