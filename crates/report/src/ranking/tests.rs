//! Ranks of made-up runs.

use super::*;
use crate::formats::format::Format;
use records::schema::{BackendRecord, Ratio, Time};
use records::testing;
use statistics::Verdict;

/// A run of `raw-ffi` and of backends with a given part more time, over two workloads with `launches`
/// launches that scatter by a percent.
fn run(backends: &[(&str, f64)], launches: usize) -> Results {
    let mut results = testing::first_format();
    let model = results.backends[0].clone();
    let workload = results.cases[0].workload;
    let all = || std::iter::once(&("raw-ffi", 1.0)).chain(backends);
    results.backends =
        all().map(|(id, _)| BackendRecord { id: (*id).to_owned(), ..model.clone() }).collect();
    results.cases.clear();
    for batch_size in [1, 100] {
        for (place, (id, factor)) in all().enumerate() {
            // Of every backend another order of the same scatter.
            let noise = |pass: usize| ((pass * (7 + 2 * place) + batch_size) % 11) as f64 * 0.002;
            let times = (0..launches).map(|pass| 1000.0 * factor * (1.0 + noise(pass)));
            let ratio = (*id != "raw-ffi").then(|| Ratio {
                against: "raw-ffi".to_owned(),
                estimate: *factor,
                low: factor / 1.01,
                high: factor * 1.01,
                confidence: 0.95,
                verdict: Verdict::NoDifferenceFound,
            });
            results.cases.push(CaseRecord {
                time: Time::new(times.collect(), 10),
                overhead: ratio.clone(),
                relative: ratio,
                noise_floor: Some(Interval { low: 0.998, high: 1.002 }),
                ..CaseRecord::ok(id, Workload { batch_size, ..workload })
            });
        }
    }
    results
}

/// Rank and backend in the order of the table of this title.
fn ranked(results: &Results, title: &str) -> Vec<String> {
    let listing = listing("run", results, false).unwrap();
    let section = listing.sections.iter().find(|it| it.title.starts_with(title)).unwrap();
    let rows = section.table.rows().iter();
    rows.map(|row| format!("{} {}", row[0].text, row[1].text)).collect()
}

#[test]
fn what_was_told_apart_is_ranked_and_the_rest_shares_a_rank() {
    let results = run(&[("slow", 1.4), ("near", 1.0501), ("fast", 1.05)], 30);
    assert_eq!(ranked(&results, "Binding overhead"), ["1 fast", "1 near", "3 slow"]);
    let relative = ranked(&results, "Binding and engine");
    assert_eq!(relative, ["1 raw-ffi", "2 fast", "2 near", "4 slow"]);
}

#[test]
fn a_difference_within_the_floor_is_not_ranked() {
    let mut results = run(&[("slow", 1.4), ("fast", 1.05)], 30);
    for case in &mut results.cases {
        case.noise_floor = Some(Interval { low: 0.7, high: 1.1 });
    }
    assert_eq!(ranked(&results, "Binding overhead"), ["1 fast", "1 slow"]);
}

#[test]
fn too_few_launches_tell_nobody_apart() {
    let results = run(&[("slow", 1.4), ("fast", 1.05)], 3);
    assert_eq!(ranked(&results, "Binding overhead"), ["1 fast", "1 slow"]);
    let text = listing("run", &results, false).unwrap().to_string();
    assert!(text.contains("no pair could be told apart"), "{text}");
}

#[test]
fn launches_that_do_not_pair_up_are_not_paired() {
    let mut results = run(&[("slow", 1.4), ("fast", 1.05)], 30);
    let slow = results.cases.iter_mut().find(|case| case.backend == "slow").unwrap();
    slow.time = Time::new(vec![1400.0; 29], 10);
    assert_eq!(ranked(&results, "Binding overhead"), ["1 fast", "1 slow"]);
}

#[test]
fn a_workload_that_one_lacks_is_left_out_for_all() {
    let mut results = run(&[("slow", 1.4), ("fast", 1.05)], 30);
    let last = results.cases.last_mut().unwrap();
    *last = CaseRecord::failed("fast", last.workload, "why".to_owned());
    let text = listing("run", &results, false).unwrap().to_string();
    assert!(text.contains("left out: 1 workload that not all of these have"), "{text}");
    assert!(text.contains("Geometric mean over 1 workload."), "{text}");
}

#[test]
fn pairs_are_shown_where_they_are_wanted_with_numbers_for_programs() {
    let results = run(&[("slow", 1.4), ("fast", 1.05)], 30);
    let listing = listing("run", &results, true).unwrap();
    let json: serde_json::Value = serde_json::from_str(&Format::Json.render(&listing, 80)).unwrap();
    let pair = &json["tables"][1]["rows"][0];
    assert_eq!((&pair["backend"], &pair["over"]), (&"slow".into(), &"fast".into()));
    let ratio = pair["ratio"].as_f64().unwrap();
    assert!((ratio - 1.4 / 1.05).abs() < 0.02, "{ratio}");
    assert_eq!(pair["verdict"], "slower");
}

#[test]
fn a_run_without_ratios_has_no_ranks() {
    let mut results = run(&[], 30);
    results.producer = "counts".to_owned();
    assert!(listing("run", &results, false).unwrap_err().contains("run of compare"));
}
