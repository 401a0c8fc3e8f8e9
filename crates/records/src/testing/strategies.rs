//! Results that a run can have, and JSON that it cannot.

use proptest::prelude::*;
use serde_json::Value;
use write_backend::protocol::Profile;
use write_backend::{Finish, KeyOrder, SyncMode, Workload};

use super::fixtures;
use crate::day::LAST_SECOND;
use crate::schema::{
    BackendRecord, CaseRecord, Comparison, Counts, Options, Results, Split, Status, Time,
};
use statistics::{Interval, Verdict};

/// The backends of the made-up results, each with those before it to be compared with.
const IDS: [&str; 3] = ["raw-ffi", "raw-ffi@other", "heed"];

/// Results of a run: any numbers that can be, some cases failed, some fields absent.
pub fn results() -> impl Strategy<Value = Results> {
    let header = (0..=LAST_SECOND, any::<bool>(), options());
    (header, prop::collection::vec(case(), 0..6)).prop_map(
        |((seconds, complete, options), cases)| {
            let confidence = options.confidence;
            let mut results = fixtures::results();
            results.started_unix = seconds;
            results.complete = complete;
            results.options = options;
            results.backends = IDS.iter().map(|id| backend(id)).collect();
            // Each of its own batch size, so that no case is there twice.
            let numbered = cases.into_iter().enumerate().map(|(index, case)| CaseRecord {
                workload: Workload { batch_size: index + 1, ..case.workload },
                overhead: case.overhead.map(|it| Comparison { confidence, ..it }),
                relative: case.relative.map(|it| Comparison { confidence, ..it }),
                ..case
            });
            results.cases = numbered.collect();
            results
        },
    )
}

fn backend(id: &str) -> BackendRecord {
    let control = (id != IDS[0]).then(|| IDS[0].to_owned());
    let model = fixtures::results().backends[0].clone();
    BackendRecord { id: id.to_owned(), control, profile: Profile::Release, ..model }
}

fn options() -> impl Strategy<Value = Options> {
    let numbers = (any::<u64>(), 1..usize::MAX, 0.001..0.999_f64, 0..100_usize);
    (numbers, any::<bool>(), "\\PC*", any::<Option<usize>>(), option("\\PC*")).prop_map(
        |((seed, map_size, confidence, rounds), writable_map, file_system, core, cflags)| Options {
            seed,
            map_size,
            writable_map,
            file_system,
            core,
            confidence,
            rounds,
            cflags,
        },
    )
}

fn workload() -> impl Strategy<Value = Workload> {
    let finish = prop::sample::select(Finish::ALL.to_vec());
    let sync = prop::sample::select(SyncMode::ALL.to_vec());
    let order = prop::sample::select(KeyOrder::ALL.to_vec());
    (finish, sync, order, 4..=511_usize, 0..1000_usize).prop_map(
        |(finish, sync, key_order, key_size, value_size)| Workload {
            finish,
            sync,
            key_order,
            key_size,
            value_size,
            ..Workload::default()
        },
    )
}

fn case() -> impl Strategy<Value = CaseRecord> {
    let measured = (time(), option(comparison()), option(comparison()), option(floor()));
    let failed = prop::option::of("[^\\p{C}]{1,20}");
    (1..IDS.len(), workload(), failed, measured, option(counts())).prop_map(
        |(backend, workload, failed, (time, overhead, relative, noise_floor), counts)| {
            let backend = IDS[backend];
            if let Some(reason) = failed {
                return CaseRecord::failed(backend, workload, reason);
            }
            let ok = CaseRecord::ok(backend, workload);
            assert_eq!(ok.status, Status::Ok);
            CaseRecord { time: Some(time), overhead, relative, noise_floor, counts, ..ok }
        },
    )
}

fn option<S: Strategy>(strategy: S) -> impl Strategy<Value = Option<S::Value>> {
    prop::option::of(strategy)
}

/// Times and ratios over many orders of magnitude.
fn positive() -> impl Strategy<Value = f64> {
    (-20.0..20.0_f64).prop_map(f64::exp)
}

fn time() -> impl Strategy<Value = Time> {
    let launches = prop::collection::vec(positive(), 1..9);
    (launches, 1..u64::MAX).prop_filter_map("times", |(launches, per)| Time::new(launches, per))
}

fn comparison() -> impl Strategy<Value = Comparison> {
    (positive(), 1.0..2.0_f64, 1.0..2.0_f64, 0.01..0.99_f64).prop_map(
        |(estimate, below, above, confidence)| {
            let (low, high) = (estimate / below, estimate * above);
            let verdict = match (low > 1.0, high < 1.0) {
                (true, _) => Verdict::Slower,
                (_, true) => Verdict::Faster,
                _ => Verdict::NoDifferenceFound,
            };
            let against = IDS[0].to_owned();
            Comparison { against, estimate, low, high, confidence, verdict }
        },
    )
}

fn floor() -> impl Strategy<Value = Interval> {
    (positive(), 1.0..2.0_f64).prop_map(|(low, by)| Interval { low, high: low * by })
}

fn counts() -> impl Strategy<Value = Counts> {
    let calls = prop::collection::btree_map("[a-z_]{1,9}", 0.0..1e6_f64, 0..4);
    let numbers = prop::array::uniform6(0.0..1e9_f64);
    (1..u64::MAX, numbers, option(Just(())), option(calls)).prop_map(
        |(
            transactions,
            [binding, lmdb, libc_memory, libc_bytes, libc_other, other],
            split,
            calls,
        )| {
            let split =
                split.map(|()| Split { binding, lmdb, libc_memory, libc_bytes, libc_other, other });
            Counts {
                transactions,
                instructions_per_transaction: split
                    .map(|_| binding + lmdb + libc_memory + libc_bytes + libc_other + other),
                rust_bytes_per_transaction: Some(other),
                instructions: split,
                system_calls_per_transaction: calls,
                ..Counts::default()
            }
        },
    )
}

/// Any small piece of JSON.
pub fn json() -> impl Strategy<Value = Value> {
    prop_oneof![
        Just(Value::Null),
        any::<bool>().prop_map(Value::from),
        any::<i64>().prop_map(Value::from),
        any::<u64>().prop_map(Value::from),
        any::<f64>().prop_map(Value::from),
        (-2.0..3.0_f64).prop_map(Value::from),
        ".{0,9}".prop_map(Value::from),
        Just(serde_json::json!([])),
        Just(serde_json::json!({})),
    ]
}

/// The places (RFC 6901) of everything in `json`.
pub fn pointers(json: &Value) -> Vec<String> {
    let mut found = vec![String::new()];
    let children: Vec<(String, &Value)> = match json {
        Value::Array(items) => {
            items.iter().enumerate().map(|(index, item)| (index.to_string(), item)).collect()
        }
        Value::Object(fields) => fields.iter().map(|(name, field)| (name.clone(), field)).collect(),
        _ => Vec::new(),
    };
    for (name, child) in children {
        found.extend(pointers(child).iter().map(|below| format!("/{name}{below}")));
    }
    found
}
