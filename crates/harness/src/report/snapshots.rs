//! What the tables look like, for a small made-up run.

// The snapshot tool writes them so.
#![allow(clippy::needless_raw_string_hashes)]

use expect_test::expect;
use write_backend::protocol::Profile;
use write_backend::{SyncMode, Workload};

use crate::machine::binary::EngineBuild;
use crate::machine::host::Host;
use crate::report::{comparison, header, times};
use crate::results::schema::{
    BackendRecord, CaseRecord, Comparison, Options, Results, SCHEMA, Time,
};
use crate::stats::{Interval, Verdict};

fn backend(id: &str, binding: &str, engine: &str, control: Option<&str>) -> BackendRecord {
    BackendRecord {
        id: id.to_owned(),
        binding: Some(binding.to_owned()),
        binding_version: Some("1.2.3".to_owned()),
        engine_crate: Some(binding.to_owned()),
        engine_crate_version: Some("1.2.3".to_owned()),
        engine_version: Some(engine.to_owned()),
        control: control.map(str::to_owned),
        profile: Profile::Release,
        put_alignment: Some(0),
        loop_alignment: [0, 0],
        engine_build: EngineBuild {
            bundled: Some(true),
            assertions: Some(false),
            optimisation: Some("-O3".to_owned()),
            compiler: None,
        },
    }
}

fn results() -> Results {
    let workload: Workload = "commit-n10-v64-k4-sequential-nosync".parse().unwrap();
    let time = |launches: &[f64]| Time::new(launches.to_vec(), 500);
    let ratio = |against: &str, estimate: f64, verdict| {
        let (low, high) = (estimate - 0.01, estimate + 0.01);
        let against = against.to_owned();
        Some(Comparison { against, estimate, low, high, confidence: 0.95, verdict })
    };
    let floor = Some(Interval { low: 0.995, high: 1.004 });
    Results {
        schema: SCHEMA,
        producer: "compare".to_owned(),
        started_unix: 0,
        complete: true,
        counters: None,
        host: Host {
            name: "box".to_owned(),
            system: "Some OS".to_owned(),
            cpu: "Some CPU".to_owned(),
            cores: 2,
            virtual_machine: Some(true),
            governor: None,
            rustc: "rustc 1.0.0".to_owned(),
            target: "some-target".to_owned(),
            rustflags: "-C x".to_owned(),
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
        backends: vec![
            backend("raw-ffi", "lmdb-sys", "0.9.21", None),
            backend("raw-ffi@lmdb-master-sys", "lmdb-master-sys", "0.9.70", None),
            backend("heed", "heed", "0.9.70", Some("raw-ffi@lmdb-master-sys")),
        ],
        cases: vec![
            CaseRecord {
                time: time(&[2000.0, 2010.0, 2020.0]),
                noise_floor: floor,
                ..CaseRecord::ok("raw-ffi", workload)
            },
            CaseRecord {
                time: time(&[1800.0, 1810.0, 1820.0]),
                relative: ratio("raw-ffi", 0.9, Verdict::Faster),
                noise_floor: floor,
                ..CaseRecord::ok("raw-ffi@lmdb-master-sys", workload)
            },
            CaseRecord {
                time: time(&[1854.0, 1864.0, 1874.0]),
                overhead: ratio("raw-ffi@lmdb-master-sys", 1.03, Verdict::Slower),
                relative: ratio("raw-ffi", 0.927, Verdict::Faster),
                noise_floor: floor,
                ..CaseRecord::ok("heed", workload)
            },
        ],
    }
}

#[test]
fn a_run_in_tables() {
    let results = results();
    expect![[r#"
        - Host: box: Some CPU, virtual machine, 2 cores, Some OS
        - Environments: on ext4, 10 MiB read-only map; workers bound to core 1; seed 7
        - Compiled by rustc 1.0.0 for some-target, flags `-C x`; engines as shipped

        | Backend                 | Binding               | LMDB   | from                  | Engine build         |
        |-------------------------|-----------------------|--------|-----------------------|----------------------|
        | raw-ffi                 | lmdb-sys 1.2.3        | 0.9.21 | lmdb-sys 1.2.3        | bundled, -O3, NDEBUG |
        | raw-ffi@lmdb-master-sys | lmdb-master-sys 1.2.3 | 0.9.70 | lmdb-master-sys 1.2.3 | bundled, -O3, NDEBUG |
        | heed                    | heed 1.2.3            | 0.9.70 | heed 1.2.3            | bundled, -O3, NDEBUG |
    "#]].assert_eq(&header::header(&results));
    expect![[r#"
        ### Time per transaction: commit, nosync

        | Backend                 | BatchSize | WriteSize | Keys            |     Mean |    Error |   StdDev |   Median | Ratio |
        |-------------------------|----------:|----------:|-----------------|---------:|---------:|---------:|---------:|------:|
        | raw-ffi                 |        10 |        64 | sequential, 4 B | 2.010 μs | 0.182 μs | 0.010 μs | 2.010 μs |  1.00 |
        | raw-ffi@lmdb-master-sys |        10 |        64 | sequential, 4 B | 1.810 μs | 0.182 μs | 0.010 μs | 1.810 μs |  0.90 |
        | heed                    |        10 |        64 | sequential, 4 B | 1.864 μs | 0.182 μs | 0.010 μs | 1.864 μs |  0.93 |
    "#]].assert_eq(&times::tables(&results.cases));
    expect![[r#"
        ### Engine effect

        Engine effect: raw FFI on a binding's LMDB over raw FFI on lmdb-sys's. It is the C library's version and compiler flags, not the binding.

        | Backend                 | Finish | BatchSize | WriteSize | Effect | 95 % interval  | Verdict |
        |-------------------------|--------|----------:|----------:|-------:|----------------|---------|
        | raw-ffi@lmdb-master-sys | commit |        10 |        64 |  0.900 | 0.890 to 0.910 | faster  |

        ### Binding and engine

        What a user sees: time over that of raw-ffi, binding and engine together.

        | Backend | Finish | BatchSize | WriteSize | Relative | 95 % interval  | Verdict |
        |---------|--------|----------:|----------:|---------:|----------------|---------|
        | heed    | commit |        10 |        64 |    0.927 | 0.917 to 0.937 | faster  |

        ### Binding overhead

        Binding overhead: time over that of raw FFI on the same LMDB. 1.03 means that the binding takes 3 % longer than the C calls it stands for. In a build of your own, without this workspace's alignment, code layout alone moves a time by 2.1 % (standard deviation, measured on the reference machine, see METHOD.md): an overhead smaller than that decides nothing for you.

        | Backend | Finish | BatchSize | WriteSize | Overhead | 95 % interval  | Verdict |
        |---------|--------|----------:|----------:|---------:|----------------|---------|
        | heed    | commit |        10 |        64 |    1.030 | 1.020 to 1.040 | slower  |

        ### Noise floor

        A second launch of raw-ffi in every block, treated as if it were another backend: its ratio to the first is 1 but for noise. A difference inside this interval, made symmetric about 1, is not claimed. Intervals at 95 %.

        | Finish | BatchSize | WriteSize | A/A interval   |
        |--------|----------:|----------:|----------------|
        | commit |        10 |        64 | 0.995 to 1.004 |

        ### Summary

        Overhead is the geometric mean over workloads, Interval its 95 % interval with the workload as the unit, Range its lowest and highest workload. The counts are of workloads by verdict; verdicts keep the share of false claims among all claims of this run below 5 % (Benjamini and Hochberg) and respect the noise floor, so an interval may exclude 1 without a claim.

        | Backend | Finish | Overhead | Interval | Range          | Slower | Faster | No diff. |
        |---------|--------|---------:|----------|----------------|-------:|-------:|---------:|
        | heed    | commit |    1.030 | -        | 1.030 to 1.030 |      1 |      0 |        0 |

    "#]].assert_eq(&comparison::tables(&results, Some(0.021)));
}

#[test]
fn a_failed_case_has_its_reason_and_no_time() {
    let mut results = results();
    let workload = results.cases[2].workload;
    results.cases[2] = CaseRecord::failed("heed", workload, "put: map full".to_owned());
    expect![[r#"
        ### Time per transaction: commit, nosync

        | Backend                 | BatchSize | WriteSize | Keys            |     Mean |    Error |   StdDev |   Median | Ratio |
        |-------------------------|----------:|----------:|-----------------|---------:|---------:|---------:|---------:|------:|
        | raw-ffi                 |        10 |        64 | sequential, 4 B | 2.010 μs | 0.182 μs | 0.010 μs | 2.010 μs |  1.00 |
        | raw-ffi@lmdb-master-sys |        10 |        64 | sequential, 4 B | 1.810 μs | 0.182 μs | 0.010 μs | 1.810 μs |  0.90 |
        | heed                    |        10 |        64 | sequential, 4 B |   failed |          |          |          |       |

        - failed: commit-n10-v64-k4-sequential-nosync/heed: put: map full
    "#]].assert_eq(&times::tables(&results.cases));
}

#[test]
fn what_a_reader_must_know_stands_in_the_header() {
    let mut results = results();
    results.complete = false;
    results.options.core = None;
    results.options.file_system = "tmpfs".to_owned();
    results.options.cflags = Some("-O3".to_owned());
    results.backends[0].profile = Profile::Debug;
    results.backends[1].put_alignment = Some(16);
    results.backends[2].engine_build.bundled = Some(false);
    results.cases[0].workload.sync = SyncMode::Sync;
    expect![[r#"
        Partial: the run was interrupted
        Debug build, of no use as a measurement: raw-ffi
        Functions are not aligned to 64 bytes in raw-ffi@lmdb-master-sys: differences of a few percent may come from code layout alone (were RUSTFLAGS or CFLAGS set?)
        LMDB of the system, not the one the binding ships: heed
        Workers could not be bound to a core: the scheduler adds differences of its own
        The environments were on tmpfs: syncing costs nothing there"#]].assert_eq(&header::warnings(&results).join("\n"));
    assert!(header::header(&results).contains("engines with CFLAGS `-O3`"));
}
