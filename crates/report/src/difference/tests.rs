//! Differences of made-up runs.

use records::schema::{Counts, Results};
use records::testing::Run as Builder;

use super::*;
use crate::comparable;
use crate::formats::Format;

const NAMES: [&str; 2] =
    ["commit-n1-v64-k4-sequential-nosync", "commit-n100-v64-k4-sequential-nosync"];

/// A run of two backends on two workloads; the first takes `factor` times as long as the second run's.
fn run(factor: f64, overhead: f64) -> Results {
    let run = Builder::compare().workloads(&NAMES).backend("raw-ffi", None, factor);
    run.backend("heed", Some("raw-ffi"), overhead).build()
}

fn compare(a: &Results, b: &Results) -> Result<Listing, String> {
    let mismatches = comparable::mismatches(a, b);
    let (x, y) = (View::new(a), View::new(b));
    listing(Run { name: "one", view: &x }, Run { name: "two", view: &y }, &mismatches)
}

/// What programs read under `key` in the table called `title`.
fn column(listing: &Listing, title: &str, key: &str) -> Vec<String> {
    let json: serde_json::Value = serde_json::from_str(&Format::Json.render(listing)).unwrap();
    let tables = json["tables"].as_array().unwrap();
    let table = tables.iter().find(|it| it["title"].as_str().unwrap().starts_with(title)).unwrap();
    let cell = |row: &serde_json::Value| match &row[key] {
        serde_json::Value::String(text) => text.clone(),
        number => number.as_f64().map_or("null".to_owned(), |it| format!("{it:.2}")),
    };
    table["rows"].as_array().unwrap().iter().map(cell).collect()
}

#[test]
fn times_and_overheads_are_judged_each_for_itself() {
    // The machine was 5 % slower, and heed's overhead went from 2 % to 10 %.
    let (a, b) = (run(1.0, 1.02), run(1.05, 1.10));
    let found = compare(&a, &b).unwrap();
    assert_eq!(column(&found, "Times", "verdict"), ["slower"; 4]);
    assert_eq!(column(&found, "Times", "ratio"), ["1.05", "1.13", "1.05", "1.13"]);
    assert_eq!(column(&found, "Overheads", "verdict"), ["slower"; 2]);
    assert_eq!(column(&found, "Overheads", "ratio"), ["1.08"; 2]);
    assert_eq!(column(&found, "Times by backend", "slower"), ["2.00", "2.00"]);
    let back = compare(&b, &a).unwrap();
    assert_eq!(column(&back, "Times", "verdict"), ["faster"; 4]);
    assert_eq!(column(&back, "Overheads", "verdict"), ["faster"; 2]);
    let same = compare(&a, &a).unwrap();
    assert_eq!(column(&same, "Times", "verdict"), ["no-difference-found"; 4]);
    assert!(!same.to_string().contains("They differ"));
}

#[test]
fn a_difference_within_the_floor_of_either_run_is_not_claimed() {
    let (a, mut b) = (run(1.0, 1.0), run(1.05, 1.0));
    b.cases[0].noise_floor = Some(Interval { low: 0.94, high: 0.99 });
    let verdicts = column(&compare(&a, &b).unwrap(), "Times", "verdict");
    assert_eq!(verdicts, ["no-difference-found", "slower", "slower", "slower"]);
}

#[test]
fn what_differs_stands_first_and_other_machines_are_said() {
    let (a, mut b) = (run(1.0, 1.0), run(1.0, 1.0));
    b.host.cpu = "Other CPU".to_owned();
    b.options.map_size = 1;
    b.cases[1] = CaseRecord::failed("heed", b.cases[1].workload, "map full".to_owned());
    let text = compare(&a, &b).unwrap().to_string();
    assert!(text.contains("- **They differ in map size: A 10485760, B 1**\n"), "{text}");
    assert!(text.contains("- **Two machines"), "{text}");
    assert!(text.contains(&format!("- failed in B: {}/heed: map full", NAMES[0])), "{text}");
}

#[test]
fn too_few_launches_give_no_verdict_and_runs_without_a_common_case_are_refused() {
    let few = Builder::compare().workloads(&NAMES).launches(2).backend("raw-ffi", None, 1.0);
    let a = few.build();
    let found = compare(&a, &a).unwrap();
    // A reason is for people; programs read a verdict or nothing.
    assert!(found.to_string().contains("at least 4 are needed"), "{found}");
    assert_eq!(column(&found, "Times", "verdict"), ["null"; 2]);
    let mut b = a.clone();
    b.cases.clear();
    assert!(compare(&a, &b).unwrap_err().contains("no case in common"));
    b.producer = "counts".to_owned();
    assert!(compare(&a, &b).unwrap_err().contains("one is of `compare`, two of `counts`"));
}

#[test]
fn counts_are_compared_exactly() {
    let a = Builder::counts().workloads(&NAMES[..1]).backend("heed", None, 1.0).build();
    let mut b = a.clone();
    let counts: &mut Counts = b.cases[0].counts.as_mut().unwrap();
    counts.rust_bytes_per_transaction = Some(801.0);
    counts.c_allocations_per_transaction = None;
    let found = compare(&a, &b).unwrap();
    let what = ["Rust bytes per transaction", "C allocations per transaction"];
    assert_eq!(column(&found, "Counts", "what"), what);
    assert_eq!(column(&found, "Counts", "backend"), ["heed"; 2]);
    assert_eq!(column(&found, "Counts", "workload"), [NAMES[0]; 2]);
    assert_eq!(column(&found, "Counts", "b"), ["801.00", "null"]);
}

/// What programs read of a case is spelled as in `show`, so that its rows can be joined.
#[test]
fn rows_can_be_joined_with_those_of_a_run() {
    let run = run(1.0, 1.0);
    let shown = crate::show::listing("run", &View::new(&run), Format::Json);
    let tables = |listing: &Listing| -> serde_json::Value {
        serde_json::from_str(&Format::Json.render(listing)).unwrap()
    };
    let (shown, found) = (tables(&shown), tables(&compare(&run, &run).unwrap()));
    for table in &found["tables"].as_array().unwrap()[..2] {
        for row in table["rows"].as_array().unwrap() {
            let mut cases = shown["tables"][0]["rows"].as_array().unwrap().iter();
            let is_it = |it: &&serde_json::Value| {
                ["backend", "workload"].iter().all(|key| it[key] == row[key])
            };
            let case = cases.find(is_it).unwrap();
            for (key, value) in row.as_object().unwrap() {
                assert_eq!(case.get(key).unwrap_or(value), value, "{key}");
            }
            serde_json::from_value::<Verdict>(row["verdict"].clone()).unwrap();
        }
    }
}

#[test]
fn one_link_order_is_said() {
    let (a, mut b) = (run(1.0, 1.0), run(1.0, 1.0));
    b.backends[1].one_link_order = Some("asked for".to_owned());
    let text = compare(&a, &b).unwrap().to_string();
    assert!(text.contains("- **B: In one link order, so that"), "{text}");
    assert!(text.contains("- **They differ in link orders of heed: A random, B one**"), "{text}");
}
