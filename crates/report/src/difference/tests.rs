//! Differences of made-up runs.

use super::*;
use crate::comparable;
use crate::formats::format::Format;
use records::schema::{BackendRecord, Time};
use records::testing;

/// A run of two backends over two workloads; `factors` are what each takes times 1000 ns, and
/// `overhead` that of the second.
fn run(factors: [f64; 2], overhead: f64, launches: usize) -> Results {
    let mut results = testing::first_format();
    let model = results.backends[0].clone();
    let workload = results.cases[0].workload;
    let ids = ["raw-ffi", "heed"];
    results.backends = ids.map(|id| BackendRecord { id: id.to_owned(), ..model.clone() }).to_vec();
    results.cases.clear();
    for batch_size in [1, 100] {
        for (id, factor) in ids.iter().zip(factors) {
            let times = (0..launches).map(|it| 1000.0 * factor * (1.0 + (it % 7) as f64 * 0.002));
            let ratio = (*id == "heed").then(|| Ratio {
                against: "raw-ffi".to_owned(),
                estimate: overhead,
                low: overhead / 1.01,
                high: overhead * 1.01,
                confidence: 0.95,
                verdict: Verdict::NoDifferenceFound,
            });
            results.cases.push(CaseRecord {
                time: Time::new(times.collect(), 10),
                overhead: ratio,
                noise_floor: Some(Interval { low: 0.99, high: 1.01 }),
                ..CaseRecord::ok(id, Workload { batch_size, ..workload })
            });
        }
    }
    results
}

fn compare(a: &Results, b: &Results) -> Result<Listing, String> {
    let mismatches = comparable::mismatches(a, b);
    listing(Run { name: "one", results: a }, Run { name: "two", results: b }, &mismatches)
}

/// The cells under `key` of the table called `title`.
fn column(listing: &Listing, title: &str, key: &str) -> Vec<String> {
    let section = listing.sections.iter().find(|it| it.title.starts_with(title)).unwrap();
    let place = section.table.columns().iter().position(|it| it.key == key).unwrap();
    section.table.rows().iter().map(|row| row[place].text.clone()).collect()
}

#[test]
fn times_and_overheads_are_judged_each_for_itself() {
    // The machine was 5 % slower, and heed's overhead went from 2 % to 10 %.
    let (a, b) = (run([1.0, 1.02], 1.02, 30), run([1.05, 1.155], 1.10, 30));
    let found = compare(&a, &b).unwrap();
    assert_eq!(column(&found, "Times:", "verdict"), ["slower"; 4]);
    assert_eq!(column(&found, "Times:", "ratio"), ["1.050", "1.132", "1.050", "1.132"]);
    assert_eq!(column(&found, "Overheads", "verdict"), ["higher"; 2]);
    assert_eq!(column(&found, "Overheads", "ratio"), ["1.078"; 2]);
    assert_eq!(column(&found, "Times by backend", "slower"), ["2", "2"]);
    let back = compare(&b, &a).unwrap();
    assert_eq!(column(&back, "Times:", "verdict"), ["faster"; 4]);
    assert_eq!(column(&back, "Overheads", "verdict"), ["lower"; 2]);
}

#[test]
fn equal_runs_do_not_differ() {
    let a = run([1.0, 1.02], 1.02, 30);
    let found = compare(&a, &a).unwrap();
    assert_eq!(column(&found, "Times:", "verdict"), ["no difference found"; 4]);
    assert_eq!(column(&found, "Overheads", "verdict"), ["no difference found"; 2]);
    assert!(!found.to_string().contains("They differ"));
}

#[test]
fn a_difference_within_the_floor_of_either_run_is_not_claimed() {
    let (a, mut b) = (run([1.0, 1.0], 1.0, 30), run([1.05, 1.05], 1.0, 30));
    b.cases[0].noise_floor = Some(Interval { low: 0.94, high: 0.99 });
    let verdicts = column(&compare(&a, &b).unwrap(), "Times:", "verdict");
    assert_eq!(verdicts, ["no difference found", "slower", "slower", "slower"]);
}

#[test]
fn what_differs_stands_first_and_other_machines_are_said() {
    let (a, mut b) = (run([1.0, 1.0], 1.0, 30), run([1.0, 1.0], 1.0, 30));
    b.host.cpu = "Other CPU".to_owned();
    b.options.map_size = 1;
    let found = compare(&a, &b).unwrap();
    assert!(found.to_string().contains("- **They differ in map size: A 10485760, B 1**\n"));
    assert!(found.lines.iter().any(|line| line.contains("Two machines")), "{:?}", found.lines);
}

#[test]
fn too_few_launches_give_a_quotient_and_no_verdict() {
    let (a, b) = (run([1.0, 1.02], 1.02, 2), run([1.05, 1.155], 1.02, 2));
    let found = compare(&a, &b).unwrap();
    assert_eq!(column(&found, "Times:", "ratio")[0], "1.050");
    assert!(column(&found, "Times:", "verdict")[0].contains("at least 4 are needed"));
}

#[test]
fn failed_cases_have_their_reason() {
    let a = run([1.0, 1.02], 1.02, 30);
    let mut b = a.clone();
    b.cases[1] = CaseRecord::failed("heed", b.cases[1].workload, "map full".to_owned());
    let text = compare(&a, &b).unwrap().to_string();
    assert!(text.contains("- failed in B: commit-n1-v64-k16-random-sync/heed: map full"), "{text}");
}

#[test]
fn runs_without_a_common_case_are_refused() {
    let a = run([1.0, 1.02], 1.02, 30);
    let mut b = a.clone();
    b.cases.clear();
    assert!(compare(&a, &b).unwrap_err().contains("no case in common"));
    b.producer = "counts".to_owned();
    assert!(compare(&a, &b).unwrap_err().contains("one is of `compare`, two of `counts`"));
}

#[test]
fn counts_are_compared_exactly() {
    let mut a = testing::first_format();
    a.producer = "counts".to_owned();
    let mut b = a.clone();
    let counts = b.cases[1].counts.as_mut().unwrap();
    counts.rust_bytes_per_transaction = Some(801.0);
    counts.c_allocations_per_transaction = None;
    let found = compare(&a, &b).unwrap();
    let json: serde_json::Value = serde_json::from_str(&Format::Json.render(&found, 80)).unwrap();
    let row = &json["tables"][0]["rows"][0];
    assert_eq!(row["what"], "Rust bytes per transaction");
    assert_eq!((&row["a"], &row["b"]), (&800.0.into(), &801.0.into()));
    assert_eq!(json["tables"][0]["rows"][1]["b"], serde_json::Value::Null);
    assert_eq!(json["tables"][0]["rows"].as_array().unwrap().len(), 2);
}
