//! What the tables look like, for a small made-up run.

// The snapshot tool writes them so.
#![allow(clippy::needless_raw_string_hashes)]

use expect_test::expect;
use write_backend::protocol::Profile;
use write_backend::{SyncMode, Workload};

use crate::counted::Counted;
use crate::section::Section;
use crate::{comparison, engine, header, times};
use records::host::EngineBuild;
use records::host::Host;
use records::schema::{
    BackendRecord, CaseRecord, Counts, Ratio, Results, RunOptions, SCHEMA, Time,
};
use statistics::{Interval, Verdict};

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
        loop_alignment: [].into(),
        order: 0,
        colour: None,
        reference: id == "raw-ffi",
        engine_build: EngineBuild {
            bundled: Some(true),
            assertions: Some(false),
            optimisation: Some("-O3".to_owned()),
            compiler: None,
        },
    }
}

/// A run of three backends on one workload.
pub(crate) fn results() -> Results {
    let workload: Workload = "commit-n10-v64-k4-sequential-nosync".parse().unwrap();
    let time = |launches: &[f64]| Time::new(launches.to_vec(), 500);
    let ratio = |against: &str, estimate: f64, verdict| {
        let (low, high) = (estimate - 0.01, estimate + 0.01);
        let against = against.to_owned();
        Some(Ratio { against, estimate, low, high, confidence: 0.95, verdict })
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
        options: RunOptions {
            seed: 7,
            map_size: 10 << 20,
            writable_map: false,
            file_system: "ext4".to_owned(),
            core: Some(1),
            confidence: 0.95,
            rounds: 5,
            cflags: None,
            asked: records::schema::Asked::default(),
        },
        twins: Vec::new(),
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
        - **Fewer launches than the 30 of a whole run: 3**
        - **Only a part of the default matrix was asked for**

        | Backend                 | Binding               | LMDB   | from                  | Engine build         |
        |-------------------------|-----------------------|--------|-----------------------|----------------------|
        | raw-ffi                 | lmdb-sys 1.2.3        | 0.9.21 | lmdb-sys 1.2.3        | bundled, -O3, NDEBUG |
        | raw-ffi@lmdb-master-sys | lmdb-master-sys 1.2.3 | 0.9.70 | lmdb-master-sys 1.2.3 | bundled, -O3, NDEBUG |
        | heed                    | heed 1.2.3            | 0.9.70 | heed 1.2.3            | bundled, -O3, NDEBUG |
    "#]].assert_eq(&header::header(&results));
    expect![[r#"
        ### Time per transaction: commit, nosync

        Keys: sequential, 4 B.

        | Backend                 | BatchSize | WriteSize |           Mean |    Error |   StdDev |   Median | Ratio |
        |-------------------------|----------:|----------:|---------------:|---------:|---------:|---------:|------:|
        | raw-ffi                 |        10 |        64 |       2.010 μs | 0.182 μs | 0.010 μs | 2.010 μs |  1.00 |
        | raw-ffi@lmdb-master-sys |        10 |        64 | * **1.810 μs** | 0.182 μs | 0.010 μs | 1.810 μs |  0.90 |
        | heed                    |        10 |        64 |       1.864 μs | 0.182 μs | 0.010 μs | 1.864 μs |  0.93 |

        - `*` before a mean, in bold: the fastest of its workload. Its interval over raw-ffi lies wholly below those of all others (null apart), and chance does not explain its difference from raw-ffi; where there is none, which is fastest was not found out.
    "#]].assert_eq(&times::tables(&results.cases));
    expect![[r####"
        ### Engine effect: LMDB 0.9.70 of lmdb-master-sys

        Raw FFI on a binding's LMDB over raw FFI on lmdb-sys's. It is the C library's version and compiler flags, not the binding. In parentheses: no difference found.

        | Finish | BatchSize | WriteSize |         As shipped |
        |--------|----------:|----------:|-------------------:|
        | commit |        10 |        64 | 0.900 0.890–0.910  |

        ### Binding and engine

        What a user sees: time over that of raw-ffi, binding and engine together.

        | Backend | Finish | BatchSize | WriteSize | Relative | 95 % interval | Verdict |
        |---------|--------|----------:|----------:|---------:|---------------|---------|
        | heed    | commit |        10 |        64 |    0.927 | 0.917–0.937   | faster  |

        ### Binding overhead

        Binding overhead: time over that of raw FFI on the same LMDB. 1.03 means that the binding takes 3 % longer than the C calls it stands for. In a build of your own, without this workspace's alignment, code layout alone moves a time by 2.1 % (standard deviation, measured on the reference machine, see METHOD.md): an overhead smaller than that decides nothing for you.

        | Backend | Finish | BatchSize | WriteSize | Overhead | 95 % interval | Verdict |
        |---------|--------|----------:|----------:|---------:|---------------|---------|
        | heed    | commit |        10 |        64 |    1.030 | 1.020–1.040   | slower  |

        ### Noise floor

        A second launch of raw-ffi in every block, treated as if it were another backend: its ratio to the first is 1 but for noise. A difference inside this interval, made symmetric about 1, is not claimed. Intervals at 95 %.

        | Finish | BatchSize | WriteSize | A/A interval |
        |--------|----------:|----------:|--------------|
        | commit |        10 |        64 | 0.995–1.004  |

        ### Summary

        Overhead is the geometric mean over workloads, Interval its 95 % interval with the workload as the unit, Range its lowest and highest workload. "No diff." counts the workloads in which no difference was found. In all others the binding was slower. Verdicts keep the share of false claims among all claims of this run below 5 % (Benjamini and Hochberg) and respect the noise floor, so an interval may exclude 1 without a claim.

        | Backend | Finish | Overhead | Interval | Range       | No diff. |
        |---------|--------|---------:|----------|-------------|---------:|
        | heed    | commit |    1.030 | -        | 1.030–1.030 |   0 of 1 |

    "####]].assert_eq(&comparison::tables(&results, Some(0.021)));
}

/// The counts of the same run but for one case.
fn counts(of: &Results) -> Results {
    let mut counts = of.clone();
    for (case, bytes) in counts.cases.iter_mut().zip([0.0, 0.5]) {
        case.counts = Some(Counts {
            transactions: 12,
            instructions_per_transaction: Some(12345.0),
            rust_bytes_per_transaction: Some(bytes),
            ..Counts::default()
        });
    }
    counts
}

#[test]
fn counts_stand_beside_times() {
    let mut results = results();
    let counts = counts(&results);
    results.cases.push(CaseRecord {
        time: Time::new(vec![1.0, 2.0], 1),
        ..CaseRecord::ok("raw-ffi", "commit-n10-v64-k8-sequential-nosync".parse().unwrap())
    });
    expect![[r#"
        ### Time per transaction: commit, nosync

        | Backend                 | BatchSize | WriteSize | Keys            |           Mean |      Error |   StdDev |   Median | Ratio | Alloc | Instr |
        |-------------------------|----------:|----------:|-----------------|---------------:|-----------:|---------:|---------:|------:|------:|------:|
        | raw-ffi                 |        10 |        64 | sequential, 4 B |       2.010 μs |   0.182 μs | 0.010 μs | 2.010 μs |  1.00 |   0 B | 12345 |
        | raw-ffi@lmdb-master-sys |        10 |        64 | sequential, 4 B | * **1.810 μs** |   0.182 μs | 0.010 μs | 1.810 μs |  0.90 | 0.5 B | 12345 |
        | heed                    |        10 |        64 | sequential, 4 B |       1.864 μs |   0.182 μs | 0.010 μs | 1.864 μs |  0.93 |     - |     - |
        | raw-ffi                 |        10 |        64 | sequential, 8 B |       1.500 ns | 318.310 ns | 0.707 ns | 1.500 ns |  1.00 |     - |     - |

        - `-` under Alloc or Instr: not counted in this run (2 of 4 cases); `cargo bench -p harness --bench counts` says why.
        - `*` before a mean, in bold: the fastest of its workload. Its interval over raw-ffi lies wholly below those of all others (null apart), and chance does not explain its difference from raw-ffi; where there is none, which is fastest was not found out.
    "#]].assert_eq(&times::tables_with_counts(
        &results.cases,
        &Counted::new(&results, Some(&counts)),
    ));
}

#[test]
fn counts_of_another_build_are_not_joined() {
    let results = results();
    let mut counts = counts(&results);
    counts.backends[2].engine_build.optimisation = Some("-O1".to_owned());
    let cases: Vec<&CaseRecord> = results.cases.iter().collect();
    let said = |counts| Counted::new(&results, counts).absent(&cases).unwrap_or_default();
    expect!["`-` under Alloc and Instr: the counts are of another build of heed."]
        .assert_eq(&said(Some(&counts)));
    expect!["`-` under Alloc and Instr: this run has no counts; `cargo bench -p harness --bench counts` makes them."].assert_eq(&said(None));
    let counted = Counted::new(&results, Some(&counts));
    assert_eq!(counted.of(&results.cases[0]), None);
}

fn listed(sections: &[Section]) -> String {
    sections.iter().map(Section::to_string).collect()
}

#[test]
fn engines_as_shipped_and_with_equal_flags_stand_side_by_side() {
    let shipped = results();
    let mut equal = results();
    equal.options.cflags = Some("-O3 -DNDEBUG".to_owned());
    let relative = equal.cases[1].relative.as_mut().unwrap();
    (relative.estimate, relative.low, relative.high) = (0.998, 0.991, 1.004);
    relative.verdict = Verdict::NoDifferenceFound;
    expect![[r#"
        ### Engine effect: LMDB 0.9.70 of lmdb-master-sys

        Raw FFI on a binding's LMDB over raw FFI on lmdb-sys's. It is the C library's version and compiler flags, not the binding. In parentheses: no difference found. Equal flags: all engines compiled with `-O3 -DNDEBUG`, in a run of its own; what is left there is the version.

        | Finish | BatchSize | WriteSize |         As shipped |         Equal flags |
        |--------|----------:|----------:|-------------------:|--------------------:|
        | commit |        10 |        64 | 0.900 0.890–0.910  | (0.998 0.991–1.004) |
    "#]].assert_eq(&listed(&engine::side_by_side(&shipped, Some(&equal))));
    expect![[r####"
        ### Engine effect: LMDB 0.9.70 of lmdb-master-sys

        Raw FFI on a binding's LMDB over raw FFI on lmdb-sys's. It is the C library's version and compiler flags, not the binding. In parentheses: no difference found. This run has no part with equal flags, which would show how much of it is the flags: `CFLAGS="-O3 -DNDEBUG" cargo bench -p harness --bench compare -- --out results/latest/compare-equal-flags.json` makes one.

        | Finish | BatchSize | WriteSize |         As shipped |
        |--------|----------:|----------:|-------------------:|
        | commit |        10 |        64 | 0.900 0.890–0.910  |
    "####]].assert_eq(&listed(&engine::side_by_side(&shipped, None)));
}

#[test]
fn a_failed_case_has_its_reason_and_no_time() {
    let mut results = results();
    let workload = results.cases[2].workload;
    results.cases[2] = CaseRecord::failed("heed", workload, "put: map full".to_owned());
    expect![[r#"
        ### Time per transaction: commit, nosync

        Keys: sequential, 4 B.

        | Backend                 | BatchSize | WriteSize |           Mean |    Error |   StdDev |   Median | Ratio |
        |-------------------------|----------:|----------:|---------------:|---------:|---------:|---------:|------:|
        | raw-ffi                 |        10 |        64 |       2.010 μs | 0.182 μs | 0.010 μs | 2.010 μs |  1.00 |
        | raw-ffi@lmdb-master-sys |        10 |        64 | * **1.810 μs** | 0.182 μs | 0.010 μs | 1.810 μs |  0.90 |
        | heed                    |        10 |        64 |         failed |          |          |          |       |

        - failed: commit-n10-v64-k4-sequential-nosync/heed: put: map full
        - `*` before a mean, in bold: the fastest of its workload. Its interval over raw-ffi lies wholly below those of all others (null apart), and chance does not explain its difference from raw-ffi; where there is none, which is fastest was not found out.
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
        Fewer launches than the 30 of a whole run: 3
        Only a part of the default matrix was asked for
        The environments were on tmpfs: syncing costs nothing there"#]].assert_eq(&header::warnings(&results).join("\n"));
    assert!(header::header(&results).contains("engines with CFLAGS `-O3`"));
}
