use records::schema::{CaseRecord, Counters, Split};
use records::testing::Run;

use super::*;

const NAME: &str = "commit-n1-v4-k4-sequential-nosync";

/// A run with these instructions per transaction.
fn results(instructions: &[(&str, f64)]) -> Results {
    let run = Run::counts().workloads(&[NAME]);
    let run = instructions.iter().fold(run, |run, (id, _)| run.backend(id, None, 1.0));
    let mut results = run.build();
    for (case, (_, value)) in results.cases.iter_mut().zip(instructions) {
        let counts = case.counts.as_mut().unwrap();
        counts.instructions_per_transaction = Some(*value);
        counts.instructions = Some(Split { lmdb: *value, ..Split::default() });
    }
    results
}

fn counts(results: &mut Results) -> &mut Counts {
    results.cases[0].counts.as_mut().unwrap()
}

#[test]
fn equal_runs_have_no_changes() {
    let run = results(&[("heed", 100.0), ("raw-ffi", 90.0)]);
    let found = compare(&run, &run, 0.0).unwrap();
    assert_eq!(found, Changes { whole: true, cases: 2, ..Changes::default() });
    assert_eq!(found.to_string(), "");
}

#[test]
fn what_changed_by_more_than_the_tolerance_is_listed() {
    let stored = results(&[("heed", 1000.0), ("raw-ffi", 1000.0)]);
    let now = results(&[("heed", 1006.0), ("raw-ffi", 1004.0), ("null", 7.0)]);
    let text = compare(&stored, &now, 0.005).unwrap().to_string();
    assert_eq!(
        text,
        format!("- {NAME}/heed: instructions per transaction: 1000 -> 1006 (+0.60 %)\n")
    );
    // The last binary digit of what was written and read again is no change.
    let value: f64 = 104_719.0 + 1.0 / 3.0;
    let [stored, now] = [value, value.next_up()].map(|value| results(&[("heed", value)]));
    assert_eq!(compare(&stored, &now, 0.0).unwrap().changes, []);
}

#[test]
fn from_nothing_to_something_and_to_nothing_are_changes() {
    let mut stored = results(&[("heed", 1000.0)]);
    counts(&mut stored).rust_allocations_per_transaction = Some(0.0);
    let mut now = stored.clone();
    counts(&mut now).rust_allocations_per_transaction = Some(1.0);
    counts(&mut now).system_calls_per_transaction = Some([("fsync".to_owned(), 1.0)].into());
    let text = compare(&stored, &now, 0.5).unwrap().to_string();
    for line in [
        "Rust allocations per transaction: 0 -> 1\n",
        "system calls fsync per transaction: 0 -> 1\n",
        "system calls pwrite per transaction: 1 -> 0 (-100.00 %)\n",
    ] {
        assert!(text.contains(line), "{line}: {text}");
    }
    now.cases[0] = CaseRecord::failed("heed", stored.cases[0].workload, "why".to_owned());
    let text = compare(&stored, &now, 0.005).unwrap().to_string();
    assert!(text.contains("instructions per transaction: 1000 -> not counted\n"), "{text}");
    // The other way round nothing is missing.
    assert_eq!(compare(&now, &stored, 0.005).ok(), None);
}

#[test]
fn another_c_library_leaves_the_binding_to_compare() {
    let stored = results(&[("heed", 1000.0)]);
    let mut now = results(&[("heed", 2000.0)]);
    now.counters =
        Some(Counters { valgrind: Some("valgrind-4".to_owned()), ..Counters::default() });
    let found = compare(&stored, &now, 0.005).unwrap();
    assert!(!found.whole && found.changes.is_empty(), "{found}");
    counts(&mut now).instructions = Some(Split { binding: 1.0, ..Split::default() });
    let text = compare(&stored, &now, 0.005).unwrap().to_string();
    assert!(text.contains("binding's instructions per transaction: 0 -> 1\n"), "{text}");
}

#[test]
fn another_version_is_named_and_its_instructions_are_compared_in_full() {
    let stored = results(&[("heed", 1000.0)]);
    let mut now = results(&[("heed", 1100.0)]);
    now.backends[0].binding_version = Some("2.0.0".to_owned());
    let found = compare(&stored, &now, 0.005).unwrap();
    assert!(found.whole && found.made_differently[0].contains("binding of heed"), "{found}");
    assert!(found.to_string().contains("1000 -> 1100 (+10.00 %)"), "{found}");
}

#[test]
fn nothing_in_common_is_an_error() {
    let error = compare(&results(&[("heed", 1.0)]), &results(&[("other", 1.0)]), 0.1);
    assert!(error.unwrap_err().contains("none of the cases"));
}
