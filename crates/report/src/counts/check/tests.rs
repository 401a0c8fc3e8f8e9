use write_backend::Workload;
use write_backend::protocol::Profile;

use super::*;
use records::host::EngineBuild;
use records::schema::{BackendRecord, Counters, RunOptions, SCHEMA, Split};
use records::testing;

/// A run with these instructions per transaction: backend, batch size, number.
pub(crate) fn results(cases: &[(&str, usize, f64)]) -> Results {
    let ids: BTreeSet<&str> = cases.iter().map(|case| case.0).collect();
    Results {
        schema: SCHEMA,
        producer: "counts".to_owned(),
        started_unix: 0,
        complete: true,
        host: testing::host(),
        options: RunOptions {
            seed: 0,
            map_size: 1 << 20,
            writable_map: false,
            file_system: "ext4".to_owned(),
            core: None,
            confidence: 0.95,
            rounds: 0,
            cflags: None,
            asked: records::schema::Asked::default(),
        },
        twins: Vec::new(),
        backends: ids.into_iter().map(backend).collect(),
        cases: cases.iter().map(|&(id, size, value)| case(id, size, value)).collect(),
        counters: Some(Counters { valgrind: Some("valgrind-3".to_owned()), ..Counters::default() }),
    }
}

fn control(id: &str) -> Option<&'static str> {
    match id {
        "heed" => Some("raw-ffi@lmdb-master-sys"),
        "lmdb-rkv" => Some("raw-ffi@lmdb-rkv-sys"),
        "owned-buffer" | "pre-span" => Some("raw-ffi"),
        _ => None,
    }
}

fn backend(id: &str) -> BackendRecord {
    BackendRecord {
        id: id.to_owned(),
        binding: (id != "c-reference").then(|| id.to_owned()),
        binding_version: Some("1.0.0".to_owned()),
        engine_crate: None,
        engine_crate_version: None,
        engine_version: (id != "null").then(|| "0.9.21".to_owned()),
        control: control(id).map(str::to_owned),
        profile: Profile::Release,
        put_alignment: None,
        loop_alignment: [].into(),
        order: 0,
        colour: None,
        reference: id == "raw-ffi",
        engine_build: EngineBuild::default(),
    }
}

fn case(id: &str, batch_size: usize, value: f64) -> CaseRecord {
    let workload: Workload = "commit-n1-v4-k4-sequential-nosync".parse().unwrap();
    let counts = Counts {
        transactions: 12,
        instructions_per_transaction: Some(value),
        instructions_per_put: Some(value / batch_size as f64),
        instructions_spread: Some(0.0),
        instructions: Some(Split { lmdb: value, ..Split::default() }),
        rust_allocations_per_transaction: Some(0.0),
        rust_bytes_per_transaction: Some(0.0),
        c_allocations_per_transaction: Some(1.0),
        system_calls_per_transaction: Some([("pwrite".to_owned(), 2.0)].into()),
    };
    CaseRecord { counts: Some(counts), ..CaseRecord::ok(id, Workload { batch_size, ..workload }) }
}

fn first(results: &mut Results) -> &mut Counts {
    results.cases[0].counts.as_mut().unwrap()
}

#[test]
fn equal_runs_have_no_changes() {
    let run = results(&[("heed", 1, 100.0), ("raw-ffi", 1, 90.0)]);
    let comparison = compare(&run, &run, 0.0).unwrap();
    assert_eq!(comparison, Comparison { whole: true, cases: 2, ..Comparison::default() });
    assert_eq!(comparison.to_string(), "");
}

#[test]
fn what_changed_by_more_than_the_tolerance_is_listed() {
    let stored = results(&[("heed", 1, 1000.0), ("raw-ffi", 1, 1000.0)]);
    let now = results(&[("heed", 1, 1006.0), ("raw-ffi", 1, 1004.0), ("null", 1, 7.0)]);
    let comparison = compare(&stored, &now, 0.005).unwrap();
    assert_eq!(comparison.cases, 2);
    assert_eq!(
        comparison.to_string(),
        "- commit-n1-v4-k4-sequential-nosync/heed: instructions per transaction: 1000 -> 1006 \
         (+0.60 %)\n"
    );
}

#[test]
fn the_last_binary_digit_is_no_change() {
    let value = 104_719.0 + 1.0 / 3.0;
    let stored = results(&[("heed", 1, value)]);
    let now = results(&[("heed", 1, value.next_up())]);
    assert_eq!(compare(&stored, &now, 0.0).unwrap().changes, []);
}

#[test]
fn from_nothing_to_something_is_a_change() {
    let stored = results(&[("heed", 1, 1000.0)]);
    let mut now = stored.clone();
    first(&mut now).rust_allocations_per_transaction = Some(1.0);
    first(&mut now).system_calls_per_transaction = Some([("fsync".to_owned(), 1.0)].into());
    let text = compare(&stored, &now, 0.5).unwrap().to_string();
    assert!(text.contains("Rust allocations per transaction: 0 -> 1\n"), "{text}");
    assert!(text.contains("system calls fsync per transaction: 0 -> 1\n"), "{text}");
    assert!(text.contains("system calls pwrite per transaction: 2 -> 0 (-100.00 %)\n"), "{text}");
}

#[test]
fn what_is_no_longer_counted_is_a_change() {
    let stored = results(&[("heed", 1, 1000.0)]);
    let mut now = stored.clone();
    now.cases[0] = CaseRecord::failed("heed", stored.cases[0].workload, "why".to_owned());
    let text = compare(&stored, &now, 0.005).unwrap().to_string();
    assert!(text.contains("instructions per transaction: 1000 -> not counted\n"), "{text}");
    // The other way round nothing is missing.
    assert_eq!(compare(&now, &stored, 0.005).ok(), None);
}

#[test]
fn another_c_library_leaves_the_binding_to_compare() {
    let stored = results(&[("heed", 1, 1000.0)]);
    let mut now = results(&[("heed", 1, 2000.0)]);
    now.counters =
        Some(Counters { valgrind: Some("valgrind-4".to_owned()), ..Counters::default() });
    let comparison = compare(&stored, &now, 0.005).unwrap();
    assert!(!comparison.whole && comparison.changes.is_empty(), "{comparison}");
    let text = comparison.to_string();
    assert!(text.contains("- valgrind: stored with valgrind-3, now valgrind-4\n"), "{text}");
    first(&mut now).instructions = Some(Split { binding: 1.0, ..Split::default() });
    let text = compare(&stored, &now, 0.005).unwrap().to_string();
    assert!(text.contains("binding's instructions per transaction: 0 -> 1\n"), "{text}");
}

#[test]
fn a_new_binding_is_named_and_compared_in_full() {
    let stored = results(&[("heed", 1, 1000.0)]);
    let mut now = results(&[("heed", 1, 1100.0)]);
    now.backends[0].binding_version = Some("2.0.0".to_owned());
    let comparison = compare(&stored, &now, 0.005).unwrap();
    assert!(comparison.whole);
    let text = comparison.to_string();
    assert!(text.contains("- binding of heed: stored with 1.0.0, now 2.0.0\n"), "{text}");
    assert!(text.contains("1000 -> 1100 (+10.00 %)"), "{text}");
}

#[test]
fn nothing_in_common_is_an_error() {
    let error = compare(&results(&[("heed", 1, 1.0)]), &results(&[("heed", 2, 1.0)]), 0.1);
    assert!(error.unwrap_err().contains("none of the cases"));
}
