//! The results file of a small run: every field is there and makes sense.

use std::path::Path;

use records::schema::{BackendRecord, CaseRecord, Results, Status};
use write_backend::protocol::Profile;

use super::scene::{SMALL, Scene};

/// As few launches as have an interval at the default confidence.
const LAUNCHES: usize = 6;

fn run(scene: &Scene, options: &str) -> Results {
    let options = format!("--backend heed --batch 1 --value-size 4 {options}");
    scene.run(scene.compare(&options)).assert_code(0);
    scene.results()
}

pub(crate) fn every_field_is_there_and_makes_sense() {
    let scene = Scene::new();
    let Results { producer, complete, started_unix, host, options, backends, cases, twins, .. } =
        run(&scene, &format!("--launches {LAUNCHES} --confidence 90%"));
    assert_eq!((producer.as_str(), complete), ("compare", true));
    assert!(started_unix > 1_700_000_000, "{started_unix}");
    for field in [&host.name, &host.system, &host.cpu, &host.rustc, &host.target] {
        assert!(!field.is_empty() && field != "unknown", "{host:?}");
    }
    assert!(host.cores >= 1);
    assert_eq!((options.map_size, options.writable_map), (10 * 1024 * 1024, false));
    assert!(options.confidence > 0.899 && options.confidence < 0.901, "{options:?}");
    assert!(options.rounds >= 1 && !options.file_system.is_empty(), "{options:?}");

    let ids: Vec<&str> = backends.iter().map(|backend| backend.id.as_str()).collect();
    assert_eq!(ids, ["raw-ffi", "raw-ffi@lmdb-master-sys", "heed"]);
    backends.iter().for_each(check_backend);
    assert_eq!((cases.len(), twins.len()), (2 * 3, 2));
    cases.iter().for_each(check_case);
}

fn check_backend(backend: &BackendRecord) {
    let (binding, engine, version, control) = match backend.id.as_str() {
        "heed" => ("heed", "lmdb-master-sys", "0.9.70", Some("raw-ffi@lmdb-master-sys")),
        "raw-ffi" => ("lmdb-sys", "lmdb-sys", "0.9.21", None),
        _ => ("lmdb-master-sys", "lmdb-master-sys", "0.9.70", None),
    };
    assert_eq!(backend.binding.as_deref(), Some(binding));
    assert_eq!(backend.engine_crate.as_deref(), Some(engine));
    assert_eq!(backend.engine_version.as_deref(), Some(version));
    assert_eq!(backend.control.as_deref(), control);
    for version in [&backend.binding_version, &backend.engine_crate_version] {
        assert!(version.as_ref().is_some_and(|text| text.contains('.')), "{backend:?}");
    }
    let profile = if cfg!(debug_assertions) { Profile::Debug } else { Profile::Release };
    assert_eq!(backend.profile, profile);
    assert!(backend.put_alignment.is_some(), "{backend:?}");
}

fn check_case(case: &CaseRecord) {
    assert_eq!((case.status, &case.reason), (Status::Ok, &None), "{case:?}");
    let time = case.time.as_ref().expect("it was measured");
    assert!(time.launches_ns.len() == LAUNCHES && time.transactions_per_sample >= 1, "{time:?}");
    let (overhead, relative) = match case.backend.as_str() {
        "heed" => (Some("raw-ffi@lmdb-master-sys"), Some("raw-ffi")),
        "raw-ffi" => (None, None),
        _ => (None, Some("raw-ffi")),
    };
    for (ratio, against) in [(&case.overhead, overhead), (&case.relative, relative)] {
        assert_eq!(ratio.as_ref().map(|ratio| ratio.against.as_str()), against, "{case:?}");
    }
}

/// What was measured is kept, and everything that speaks against publishing it is named.
pub(crate) fn a_failed_run_is_not_published() {
    let scene = Scene::with("heed", "SkipsCommits");
    let ended = scene.run(scene.compare(&format!("{SMALL} --publish of-a-test")));
    ended.assert_code(1);
    assert!(ended.stderr.contains("not published as of-a-test"), "{}", ended.stderr);
    assert!(ended.stderr.contains("compare.json: failed cases, 1 of 3: "), "{}", ended.stderr);
    assert_eq!(scene.results().cases.len(), 3);
    let published = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../results/of-a-test");
    assert!(!published.exists());
}

/// Without a binding among them there is no overhead, whose precision could be reached.
pub(crate) fn a_precision_of_controls_can_be_reached() {
    let scene = Scene::new();
    let options = "--backend raw-ffi --batch 1 --value-size 4 --precision 90% --max-time 60";
    let ended = scene.run(scene.compare(options));
    let said = ended.assert_code(0).stdout.replace('\n', " ");
    assert!(said.contains("was reached"), "{said}");
}

/// Given or drawn from the clock, the seed that a run used is the one that it states.
pub(crate) fn a_seed_repeats_what_was_written() {
    let scene = Scene::new();
    let results = run(&scene, "--order random --launches 1 --seed 18446744073709551615");
    assert_eq!(results.options.seed, u64::MAX);
    let drawn = run(&scene, "--order random --launches 1").options.seed;
    let again = run(&scene, &format!("--order random --launches 1 --seed {drawn}"));
    assert_eq!(again.options.seed, drawn);
}
