//! The results file of a small run: every field is there and makes sense.

use std::fs;
use std::path::Path;

use libtest_mimic::Trial;
use records::schema::Results;
use serde_json::Value;
use write_backend::protocol::Profile;

use crate::misbehaving::Fault;
use crate::scene::{SMALL, Scene};
use crate::test;

/// As few launches as have an interval at the default confidence.
const LAUNCHES: usize = 6;

pub(crate) fn trials() -> Vec<Trial> {
    vec![
        test("results::every_field_is_there_and_makes_sense", every_field_is_there),
        test("results::a_precision_of_controls", a_precision_of_controls),
        test("results::a_failed_run_is_not_published", a_failed_run_is_not_published),
        test("results::a_seed_repeats_what_was_written", a_seed_is_kept),
    ]
}

fn run(scene: &Scene, options: &str) -> Results {
    let options = format!("--backend heed --batch 1 --value-size 4 {options}");
    scene.run(scene.compare(&options)).assert_code(0);
    scene.results()
}

fn every_field_is_there() {
    let scene = Scene::new();
    let results = run(&scene, &format!("--launches {LAUNCHES} --confidence 90%"));
    let text = fs::read_to_string(scene.out()).expect("a file");
    let json: Value = serde_json::from_str(&text).expect("JSON");
    assert_eq!(serde_json::to_value(&results).expect("JSON"), json, "reading loses nothing");

    assert_eq!(json["schema"], 2);
    assert_eq!(json["producer"], "compare");
    assert_eq!(json["complete"], true);
    assert!(json["started_unix"].as_u64().is_some_and(|seconds| seconds > 1_700_000_000));
    for field in ["name", "system", "cpu", "rustc", "target"] {
        let value = json["host"][field].as_str().expect(field);
        assert!(!value.is_empty() && value != "unknown", "{field}: {value}");
    }
    assert!(json["host"]["cores"].as_u64().is_some_and(|cores| cores >= 1));
    let options = &json["options"];
    assert_eq!(options["map_size"], 10 * 1024 * 1024);
    assert_eq!(options["confidence"], 0.9);
    assert_eq!(options["writable_map"], false);
    assert!(options["seed"].is_u64() && options["rounds"].is_u64(), "{options}");
    assert_ne!(options["file_system"], "");

    let ids: Vec<&Value> = list(&json["backends"]).iter().map(|it| &it["id"]).collect();
    assert_eq!(ids, ["raw-ffi", "raw-ffi@lmdb-master-sys", "heed"]);
    list(&json["backends"]).iter().for_each(check_backend);
    assert_eq!(list(&json["cases"]).len(), 2 * 3);
    list(&json["cases"]).iter().for_each(check_case);
    assert_eq!(list(&json["twins"]).len(), 2);
    assert_eq!(results.reference(), Some("raw-ffi"));
    let asked = &options["asked"];
    assert_eq!(
        (&asked["backends"][0], &asked["axes"]["batch_size"][0]),
        (&"heed".into(), &1.into())
    );
    for case in results.cases.iter().filter(|case| case.backend == "heed") {
        let (overhead, relative) = (case.overhead.as_ref(), case.relative.as_ref());
        assert!(overhead.is_some_and(|it| it.low <= it.estimate && it.estimate <= it.high));
        assert!(relative.is_some() && case.noise_floor.is_some(), "{case:?}");
    }
    scene.assert_nothing_is_left();
}

fn list(value: &Value) -> &Vec<Value> {
    value.as_array().expect("a list")
}

fn number(value: &Value) -> f64 {
    let number = value.as_f64().expect("a number");
    assert!(number.is_finite(), "{number}");
    number
}

fn check_backend(backend: &Value) {
    let (binding, engine, version, control) = match backend["id"].as_str().expect("an id") {
        "heed" => ("heed", "lmdb-master-sys", "0.9.70", Some("raw-ffi@lmdb-master-sys")),
        "raw-ffi" => ("lmdb-sys", "lmdb-sys", "0.9.21", None),
        _ => ("lmdb-master-sys", "lmdb-master-sys", "0.9.70", None),
    };
    assert_eq!(backend["binding"], binding);
    assert_eq!(backend["engine_crate"], engine);
    assert_eq!(backend["engine_version"], version);
    assert_eq!(backend["control"], serde_json::json!(control));
    for version in ["binding_version", "engine_crate_version"] {
        assert!(backend[version].as_str().is_some_and(|text| text.contains('.')), "{backend}");
    }
    let profile = if cfg!(debug_assertions) { Profile::Debug } else { Profile::Release };
    assert_eq!(backend["profile"], serde_json::json!(profile));
    assert!(backend["put_alignment"].is_u64() && backend["loop_alignment"].is_object());
}

fn check_case(case: &Value) {
    assert_eq!(case["status"], "ok", "{case}");
    assert!(case.get("reason").is_none(), "{case}");
    let workload = &case["workload"];
    assert_eq!((&workload["batch_size"], &workload["value_size"]), (&1.into(), &4.into()));
    assert_eq!(
        (&workload["key_order"], &workload["sync"]),
        (&"sequential".into(), &"nosync".into())
    );
    assert!(workload["finish"] == "abort" || workload["finish"] == "commit", "{workload}");

    let launches: Vec<f64> = list(&case["launches_ns"]).iter().map(number).collect();
    assert!(launches.len() == LAUNCHES && launches.iter().all(|it| *it > 0.0), "{case}");
    assert!(case["transactions_per_sample"].as_u64().is_some_and(|count| count >= 1), "{case}");
    let expected: &[&str] = match case["backend"].as_str().expect("an id") {
        "heed" => &["raw-ffi", "raw-ffi@lmdb-master-sys"],
        "raw-ffi" => &[],
        _ => &["raw-ffi"],
    };
    let ratios = case.get("log_ratios").map(|it| it.as_object().expect("a map"));
    let ids: Vec<&String> = ratios.iter().flat_map(|it| it.keys()).collect();
    assert_eq!(ids, expected);
    for blocks in ratios.iter().flat_map(|it| it.values()) {
        assert_eq!(list(blocks).iter().map(number).filter(|log| log.abs() < 5.0).count(), LAUNCHES);
    }
}

/// What was measured is kept, and everything that speaks against publishing it is named.
fn a_failed_run_is_not_published() {
    let scene = Scene::with("heed", Fault::SkipsCommits);
    let ended = scene.run(scene.compare(&format!("{SMALL} --publish of-a-test")));
    ended.assert_code(1);
    assert!(ended.stderr.contains("not published as of-a-test"), "{}", ended.stderr);
    assert!(ended.stderr.contains("compare.json: failed cases, 1 of 3: "), "{}", ended.stderr);
    assert_eq!(scene.results().cases.len(), 3);
    let published = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../results/of-a-test");
    assert!(!published.exists());
    scene.assert_nothing_is_left();
}

/// Without a binding among them there is no overhead, whose precision could be reached.
fn a_precision_of_controls() {
    let scene = Scene::new();
    let options = "--backend raw-ffi --batch 1 --value-size 4 --precision 90% --max-time 60";
    let ended = scene.run(scene.compare(options));
    assert!(ended.assert_code(0).stdout.contains("was reached"), "{}", ended.stdout);
    scene.assert_nothing_is_left();
}

/// Given or drawn from the clock, the seed that a run used is the one that it states.
fn a_seed_is_kept() {
    let scene = Scene::new();
    let results = run(&scene, "--order random --launches 1 --seed 18446744073709551615");
    assert_eq!(results.options.seed, u64::MAX);
    let drawn = run(&scene, "--order random --launches 1").options.seed;
    let again = run(&scene, &format!("--order random --launches 1 --seed {drawn}"));
    assert_eq!(again.options.seed, drawn);
    scene.assert_nothing_is_left();
}
