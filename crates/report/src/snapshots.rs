//! What the tables of a run look like.

use expect_test::expect;
use write_backend::SyncMode;
use write_backend::protocol::Profile;

use crate::counted::Counted;
use crate::formats::Format;
use crate::table::markdown;
use crate::view::View;
use crate::{comparison, counts, engine, flat, header, summary, times};
use records::schema::{CaseRecord, Results};
use records::testing::Run;

const NAMES: [&str; 2] =
    ["commit-n10-v64-k4-sequential-nosync", "commit-n100-v64-k4-sequential-nosync"];

/// A run of three backends on two workloads.
fn run() -> Run {
    Run::whole().workloads(&NAMES)
}

fn timed(results: &Results, counts: Option<&Results>) -> String {
    let (view, counts) = (View::new(results), counts.map(View::new));
    markdown(&times::sections(&view, Some(&Counted::new(&view, counts.as_ref()))))
}

#[test]
fn a_run_in_tables() {
    let results = run().build();
    let mut equal = run().edit(|run| run.options.cflags = Some("-O3 -DNDEBUG".to_owned())).build();
    let relative = equal.cases[1].relative.as_mut().unwrap();
    relative.verdict = statistics::Verdict::NoDifferenceFound;
    let [view, equal] = [&results, &equal].map(View::new);
    expect![[r#"
        - Host: box: Some CPU, virtual machine, 2 cores, Some OS 1, Linux 6.1
        - Environments: on ext4, 10 MiB read-only map; workers bound to core 1; seed 7
        - Link orders: random, another one for each launch (50)
        - Compiled by rustc 1.90.0 for x86_64-unknown-linux-gnu, flags `-C x`; engines as shipped
        - Noise check (A/A): equal workers seemed different on 0 of 2 workloads; chance alone gives 0.1
        - **A selection of cases: it has 6 of the 72 of the default matrix**

        | Backend                 | Binding        | LMDB   | from           | Engine build         |
        |-------------------------|----------------|--------|----------------|----------------------|
        | raw-ffi                 | lmdb-sys 0.8.0 | 0.9.21 | lmdb-sys 0.8.0 | bundled, -O3, NDEBUG |
        | raw-ffi@lmdb-master-sys | lmdb-sys 0.8.0 | 0.9.21 | lmdb-sys 0.8.0 | bundled, -O3, NDEBUG |
        | heed                    | heed 0.8.0     | 0.9.21 | lmdb-sys 0.8.0 | bundled, -O3, NDEBUG |
    "#]].assert_eq(&header::header(&results));
    expect![[r#"
        ### Time per transaction: commit, nosync

        In all rows: key order sequential, key size 4 bytes.

        | Backend                 | BatchSize | WriteSize |     Mean |    Error |   StdDev |   Median | Ratio |
        |-------------------------|----------:|----------:|---------:|---------:|---------:|---------:|------:|
        | raw-ffi                 |        10 |        64 | 2.064 μs | 0.003 μs | 0.007 μs | 2.064 μs |  1.00 |
        | raw-ffi@lmdb-master-sys |        10 |        64 | 1.857 μs | 0.003 μs | 0.006 μs | 1.858 μs |  0.90 |
        | heed                    |        10 |        64 | 1.951 μs | 0.003 μs | 0.006 μs | 1.950 μs |  0.94 |
        | raw-ffi                 |       100 |        64 | 11.06 μs |  0.02 μs |  0.04 μs | 11.06 μs |  1.00 |
        | raw-ffi@lmdb-master-sys |       100 |        64 | 9.957 μs | 0.016 μs | 0.032 μs | 9.958 μs |  0.90 |
        | heed                    |       100 |        64 | 10.46 μs |  0.02 μs |  0.03 μs | 10.46 μs |  0.94 |

    "#]].assert_eq(&markdown(&times::sections(&view, None)));
    expect![[r####"
        ### Engine effect: LMDB 0.9.21 of lmdb-sys

        Raw FFI on a binding's LMDB over raw FFI on that of lmdb-sys. It is the C library's version and compiler flags, not the binding. In parentheses: no-difference-found, in brackets: withheld. Equal flags: all engines compiled with `-O3 -DNDEBUG`, in a run of its own; what remains there is the version.

        | Finish | BatchSize | WriteSize |         As shipped |         Equal flags |
        |--------|----------:|----------:|-------------------:|--------------------:|
        | commit |        10 |        64 | 0.900 0.900–0.900  | (0.900 0.900–0.900) |
        | commit |       100 |        64 | 0.900 0.900–0.900  |  0.900 0.900–0.900  |

        ### Binding and engine

        What a user sees: time over that of raw-ffi, binding and engine together.

        | Backend | Finish | BatchSize | WriteSize | Relative | 95 % interval |  Luck | Verdict |
        |---------|--------|----------:|----------:|---------:|---------------|------:|---------|
        | heed    | commit |        10 |        64 |    0.944 | 0.944–0.944   | 0.0 % | faster  |
        | heed    | commit |       100 |        64 |    0.944 | 0.944–0.944   | 0.0 % | faster  |

        ### Binding overhead

        Time over that of raw FFI on the same LMDB. 1.03 means that the binding takes 3 % longer than the C calls it stands for. Estimate and interval are of the mean over link orders. Luck is the spread (standard deviation) over them, of all value sizes together: a single build, yours too, may be off by twice as much.

        | Backend | Finish | BatchSize | WriteSize | Overhead | 95 % interval |  Luck | Verdict |
        |---------|--------|----------:|----------:|---------:|---------------|------:|---------|
        | heed    | commit |        10 |        64 |    1.049 | 1.049–1.049   | 0.6 % | slower  |
        | heed    | commit |       100 |        64 |    1.049 | 1.049–1.049   | 0.6 % | slower  |

        ### Noise floor

        The A/A twin is a second launch of raw-ffi in every block, treated as if it were another backend. Its ratio to the first differs from 1 by noise alone. A difference inside this interval, made symmetric about 1, is not claimed. Intervals at 95 %.

        | Finish | BatchSize | WriteSize | A/A interval |
        |--------|----------:|----------:|--------------|
        | commit |        10 |        64 | 0.999–1.001  |
        | commit |       100 |        64 | 0.999–1.001  |

        ### Summary

        Overhead is the geometric mean over workloads (batch size) and the mean over link orders. Interval is its 95 % interval, Range its lowest and highest workload. "No diff." counts the workloads in which no difference was found. In all of them the binding was slower. Verdicts keep the share of false claims among all claims of this run below 5 % (Benjamini and Hochberg) and respect the noise floor. So an interval may exclude 1 without a claim.

        | Backend | Finish | Overhead | Interval    |  Luck | Range       | No diff. |
        |---------|--------|---------:|-------------|------:|-------------|---------:|
        | heed    | commit |    1.049 | 1.049–1.049 | 0.6 % | 1.049–1.049 |   0 of 2 |

        - Luck is the spread (standard deviation) of the overhead over link orders. Your build has one of them: it may be off by twice the luck. commit, nosync: heed 1.3 %.

    "####]].assert_eq(&markdown(
        &[engine::sections(&view, Some(&equal)), comparison::sections(&view)].concat(),
    ));
}

#[test]
fn what_was_not_measured_has_its_reason_and_counts_stand_beside_times() {
    let mut results = run().failed("heed", NAMES[1], "put: map full").build();
    let workload = results.cases[4].workload;
    let reason = "it has no such put".to_owned();
    results.cases[4] = CaseRecord::not_offered("raw-ffi@lmdb-master-sys", workload, reason);
    let mut counts = run().edit(|run| run.producer = "counts".to_owned()).build();
    for case in counts.cases.iter_mut().skip(1) {
        case.counts = None;
    }
    expect![[r#"
        ### Time per transaction: commit, nosync

        In all rows: key order sequential, key size 4 bytes.

        | Backend                 | BatchSize | WriteSize |        Mean |    Error |   StdDev |   Median | Ratio | Alloc | Instr |
        |-------------------------|----------:|----------:|------------:|---------:|---------:|---------:|------:|------:|------:|
        | raw-ffi                 |        10 |        64 |    2.064 μs | 0.003 μs | 0.007 μs | 2.064 μs |  1.00 |   0 B |  4816 |
        | raw-ffi@lmdb-master-sys |        10 |        64 |    1.857 μs | 0.003 μs | 0.006 μs | 1.858 μs |  0.90 |     - |     - |
        | heed                    |        10 |        64 |    1.951 μs | 0.003 μs | 0.006 μs | 1.950 μs |  0.94 |     - |     - |
        | raw-ffi                 |       100 |        64 |    11.06 μs |  0.02 μs |  0.04 μs | 11.06 μs |  1.00 |     - |     - |
        | raw-ffi@lmdb-master-sys |       100 |        64 | not offered |          |          |          |       |     - |     - |
        | heed                    |       100 |        64 |      failed |          |          |          |       |     - |     - |

        - not offered: commit-n100-v64-k4-sequential-nosync/raw-ffi@lmdb-master-sys: it has no such put
        - failed: commit-n100-v64-k4-sequential-nosync/heed: put: map full
        - `-` under Alloc or Instr: not counted in this run (5 of 6 cases); `cargo bench -p harness --bench counts` says why.

    "#]].assert_eq(&timed(&results, Some(&counts)));
    counts.backends[2].engine_build.optimisation = Some("-O1".to_owned());
    let other = timed(&results, Some(&counts));
    assert!(other.contains("the counts are of another build (engine build of heed: "));
    let none = timed(&results, None);
    assert!(none.contains("this run has no counts; `cargo bench -p harness --bench counts` makes"));
}

#[test]
fn a_count_in_tables() {
    let counts = Run::counts()
        .workloads(&[&NAMES[..], &["commit-n10-v64-k4-sequential-sync"]].concat())
        .backend("raw-ffi", None, 1.0)
        .backend("c-reference", None, 1.0)
        .backend("heed", Some("raw-ffi"), 1.05)
        .edit(|run| run.backends[1].binding = None)
        .build();
    expect![[r####"
        ### Counts

        Per transaction and per put (a transaction's instructions divided by its puts). "+Instr" is what a backend executes beyond raw FFI on the same LMDB, per put. "Alloc" and "B" are allocations of Rust code and their bytes, "C alloc" those of LMDB. Workloads that are there with nosync too are left out: they differ in system calls.

        | Backend     | Finish | BatchSize | WriteSize | Instr/txn | Instr/put | +Instr/put | Alloc/txn | B/txn | C alloc |
        |-------------|--------|----------:|----------:|----------:|----------:|-----------:|----------:|------:|--------:|
        | raw-ffi     | commit |        10 |        64 |      4816 |     481.6 |          - |         0 |     0 |       1 |
        | c-reference | commit |        10 |        64 |      4816 |     481.6 |          - |         1 |    64 |       1 |
        | heed        | commit |        10 |        64 |      4866 |     486.6 |        5.0 |         2 |   128 |       1 |
        | raw-ffi     | commit |       100 |        64 |     40816 |     408.2 |          - |         0 |     0 |       1 |
        | c-reference | commit |       100 |        64 |     40816 |     408.2 |          - |         1 |    64 |       1 |
        | heed        | commit |       100 |        64 |     41316 |     413.2 |        5.0 |         2 |   128 |       1 |

        ### Where instructions are spent

        Instructions per put of the largest batch and of the value size in the middle, begin and finish shared among the puts. Binding: the program's own code except LMDB, the loop included. The kernel's instructions are not seen.

        | Backend     | Finish | BatchSize | WriteSize | Binding |  LMDB | libc alloc | libc bytes | libc other | Other |   Sum |
        |-------------|--------|----------:|----------:|--------:|------:|-----------:|-----------:|-----------:|------:|------:|
        | raw-ffi     | commit |       100 |        64 |   100.0 | 307.0 |        0.4 |        0.6 |        0.1 |   0.0 | 408.2 |
        | c-reference | commit |       100 |        64 |   100.0 | 307.0 |        0.4 |        0.6 |        0.1 |   0.0 | 408.2 |
        | heed        | commit |       100 |        64 |   105.0 | 307.0 |        0.4 |        0.6 |        0.1 |   0.0 | 413.2 |

        ### System calls of a commit

        Per transaction, by kind. What a sync mode promises shows here: nosync waits for nothing, nometasync for the pages (fdatasync), sync for pages and meta page, which it writes through a descriptor opened with O_DSYNC (pwrite_dsync). Pages that lie side by side are written by one call, so parts of calls are means.

        | Backend     | Finish | Sync   | BatchSize | WriteSize | pwrite |
        |-------------|--------|--------|----------:|----------:|-------:|
        | raw-ffi     | commit | nosync |        10 |        64 |      1 |
        | c-reference | commit | nosync |        10 |        64 |      1 |
        | heed        | commit | nosync |        10 |        64 |      1 |
        | raw-ffi     | commit | sync   |        10 |        64 |      1 |
        | c-reference | commit | sync   |        10 |        64 |      1 |
        | heed        | commit | sync   |        10 |        64 |      1 |

        ### Raw FFI against C

        Instructions of raw-ffi over those of the same loop written in C over the same library, lowest and highest over value sizes. 1 means that Rust adds nothing.

        | Finish | Sync   | BatchSize | Lowest | Highest |
        |--------|--------|----------:|-------:|--------:|
        | commit | nosync |        10 | 1.0000 |  1.0000 |
        | commit | nosync |       100 | 1.0000 |  1.0000 |
        | commit | sync   |        10 | 1.0000 |  1.0000 |

        ### A binding's own instructions

        What a binding executes beyond raw FFI on the same LMDB: a part per put and a part per transaction (begin and finish), a line of least squares over batch sizes; lowest and highest over value sizes. "Off" is how far the farthest batch size is from that line.

        | Backend | Finish | per put | per transaction | Off |
        |---------|--------|--------:|----------------:|----:|
        | heed    | commit |     5.0 |             0.0 | 0.0 |

    "####]].assert_eq(&markdown(&counts::tables::sections(&View::new(&counts))));
    let mut none = counts;
    none.cases.iter_mut().for_each(|case| case.counts = None);
    assert_eq!(counts::tables::sections(&View::new(&none)), []);
}

/// Several puts stand in tables of their own, and no mean is taken over both.
#[test]
fn an_axis_that_differs_has_a_column() {
    let name = "abort-n10-v64-k4-sequential-nosync";
    let append = format!("{name}-append");
    let results = Run::whole().workloads(&[name, &append]).build();
    let view = View::new(&results);
    expect![[r#"
        | Backend | Finish | Put    | Overhead | Interval    |  Luck | Range       | No diff. |
        |---------|--------|--------|---------:|-------------|------:|-------------|---------:|
        | heed    | abort  | plain  |    1.049 | 1.049–1.049 | 0.6 % | 1.049–1.049 |   0 of 1 |
        | heed    | abort  | append |    1.049 | 1.049–1.049 | 0.6 % | 1.049–1.049 |   0 of 1 |
    "#]]
    .assert_eq(&summary::section(&view).unwrap().table.to_string());
    let times = markdown(&times::sections(&view, None));
    assert!(times.contains("| heed                    | append |"), "{times}");
}

#[test]
fn programs_read_every_number_unrounded() {
    let csv = |results: &Results| {
        let sections = vec![flat::cases(&View::new(results))];
        let listing = crate::table::Listing { title: "t".to_owned(), lines: Vec::new(), sections };
        Format::Csv.render(&listing)
    };
    let mut results = run().workloads(&NAMES[..1]).failed("heed", NAMES[0], "map full").build();
    expect![[r#"
        backend,workload,finish,sync,database,environment,preload,fill,keys,nesting,put,key_order,key_size,batch_size,value_size,status,reason,mean_ns,error_ns,std_dev_ns,median_ns,launches,overhead,overhead_low,overhead_high,overhead_luck,overhead_verdict,relative,relative_low,relative_high,relative_luck,relative_verdict,noise_floor_low,noise_floor_high
        raw-ffi,commit-n10-v64-k4-sequential-nosync,commit,nosync,unnamed,usual,0,append,again,none,plain,sequential,4,10,64,ok,,2063.9279249569363,3.2896266987037173,6.645208673343328,2064,50,,,,,,,,,,,0.9990004998331715,1.0010005001669122
        raw-ffi@lmdb-master-sys,commit-n10-v64-k4-sequential-nosync,commit,nosync,unnamed,usual,0,append,again,none,plain,sequential,4,10,64,ok,,1857.423434173879,2.9209941625163536,5.900552713530592,1857.6000000000001,50,,,,,,0.899549676791297,0.899549676791297,0.899549676791297,0.006479874613533476,faster,0.9990004998331715,1.0010005001669122
        heed,commit-n10-v64-k4-sequential-nosync,commit,nosync,unnamed,usual,0,append,again,none,plain,sequential,4,10,64,failed,map full,,,,,,,,,,,,,,,,,
    "#]].assert_eq(&csv(&results).replace("\r\n", "\n"));
    results.producer = "counts".to_owned();
    results.cases = Run::counts().workloads(&NAMES[..1]).backend("heed", None, 1.0).build().cases;
    expect![[r#"
        backend,workload,finish,sync,database,environment,preload,fill,keys,nesting,put,key_order,key_size,batch_size,value_size,status,reason,instructions_per_transaction,instructions_per_put,instructions_spread,instructions_binding,instructions_lmdb,instructions_libc_memory,instructions_libc_bytes,instructions_libc_other,instructions_other,rust_allocations_per_transaction,rust_bytes_per_transaction,c_allocations_per_transaction,system_calls_pwrite
        heed,commit-n10-v64-k4-sequential-nosync,commit,nosync,unnamed,usual,0,append,again,none,plain,sequential,4,10,64,ok,,4816,481.6,0,1000,3700,40,64,12,0,0,0,1,1
    "#]].assert_eq(&csv(&results).replace("\r\n", "\n"));
}

#[test]
fn what_a_reader_must_know_stands_in_the_header() {
    let mut results = run().build();
    results.complete = false;
    results.options.core = None;
    results.options.file_system = "tmpfs".to_owned();
    results.options.cflags = Some("-O3".to_owned());
    results.backends[0].profile = Profile::Debug;
    results.backends[1].put_alignment = Some(16);
    results.backends[2].engine_build.bundled = Some(false);
    results.cases[0].workload.sync = SyncMode::Sync;
    results.cases[1] = CaseRecord::failed("heed", results.cases[1].workload, "no".to_owned());
    expect![[r#"
        Host: box: Some CPU, virtual machine, 2 cores, Some OS 1, Linux 6.1
        Environments: on tmpfs, 10 MiB read-only map; workers not bound to a core; seed 7
        Link orders: random, another one for each launch (50)
        Compiled by rustc 1.90.0 for x86_64-unknown-linux-gnu, flags `-C x`; engines with CFLAGS `-O3`
        Noise check (A/A): equal workers seemed different on 0 of 3 workloads; chance alone gives 0.2
        **Partial: the run was interrupted**
        **Debug build, of no use as a measurement: raw-ffi**
        **Functions are not aligned to 64 bytes in raw-ffi@lmdb-master-sys: differences of a few percent may come from code layout alone (were RUSTFLAGS or CFLAGS set?)**
        **LMDB of the system, not the one the binding ships: heed**
        **Workers could not be bound to a core: the scheduler adds differences of its own**
        **Only a part of the cases asked for: 4 of 6**
        **A selection of cases: it has 4 of the 72 of the default matrix**
        **The environments were on tmpfs: syncing costs nothing there**"#]].assert_eq(&header::all_lines(&results).join("\n"));
}
