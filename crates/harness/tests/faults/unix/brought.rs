//! Backends that somebody brings: folders outside the workspace and programs.

use std::fs;
use std::path::PathBuf;
use std::process::Command;

use super::bench;
use super::misbehaving;
use super::scene::{SMALL, Scene, assert_failed, assert_ok, assert_only};
use super::skipped;

/// The worker of heed under another name.
fn renamed(scene: &Scene) -> PathBuf {
    misbehaving::install(&scene.path("workers"), &bench::worker("heed"), "IsBrought")
}

pub(crate) fn a_program_is_measured_beside_the_others() {
    let scene = Scene::new();
    let worker = format!("{} --worker brought={}", small(), renamed(&scene).display());
    let ended = scene.run(scene.compare(&worker));
    let why = "brought gets a ratio and no overhead: no control";
    assert!(ended.assert_code(0).stderr.contains(why), "{}", ended.stderr);
    let results = scene.results();
    let case = |id: &str| results.cases.iter().find(|case| case.backend == id).expect("a case");
    assert_ok(case("brought"));
    assert!(case("brought").relative.is_some(), "compared with the reference");
    assert_eq!(case("brought").overhead, None, "nobody has said which its control is");

    let control = format!("{worker} --control raw-ffi@lmdb-master-sys");
    scene.run(scene.compare(&control)).assert_code(0);
    let results = scene.results();
    let brought = results.cases.iter().find(|case| case.backend == "brought").expect("a case");
    let overhead = brought.overhead.as_ref().expect("against the control");
    assert_eq!(overhead.against, "raw-ffi@lmdb-master-sys");

    // On another engine there is no overhead to be had.
    let other = format!("{worker} --control raw-ffi");
    scene.run(scene.compare(&other)).assert_code(1);
    let causes = ["refused", "LMDB 0.9.21 expected for brought, found LMDB 0.9.70"];
    assert_only(&scene.results(), "brought", &causes);
}

/// [`SMALL`] with what is brought instead of heed, and launches enough for an interval.
fn small() -> String {
    SMALL.replace("--backend heed", "--backend brought").replace("--launches 2", "--launches 8")
}

/// Writes a crate that describes a backend as `described` says, and whose program is `source`.
fn folder(scene: &Scene, described: &str, source: &str) -> String {
    let folder = scene.path("brought");
    fs::create_dir_all(folder.join("src")).expect("a directory");
    let manifest = format!(
        "[package]\nname = \"brought\"\nversion = \"0.0.0\"\nedition = \"2024\"\n{described}\n[workspace]\n"
    );
    fs::write(folder.join("Cargo.toml"), manifest).expect("a file");
    fs::write(folder.join("src/main.rs"), source).expect("a file");
    folder.display().to_string()
}

/// A description, and what the refusal must say.
const DESCRIBED: [(&str, &[&str]); 10] = [
    ("", &["[package.metadata.backend]", "`id`", "`engine_version`"]),
    ("engine_version = \"0.9.70\"", &["missing field `id`"]),
    ("id = \"a\"\ncontorl = \"raw-ffi\"", &["unknown field `contorl`", "`control`"]),
    ("id = \"a b\"", &["the id `a b`", "lower-case letters, digits and -_.@:"]),
    ("id = \"a\"\ncolour = \"blue\"", &["`blue`", "#0072b2"]),
    ("id = \"a\"\nprogram = \"b\"", &["no program `b`", "timed worker of a"]),
    (
        "id = \"a\"\nengine_version = \"2.0\"\ndata_format = \"lmdb-9\"",
        &["a cannot be checked", "data format lmdb-9: it must be one of lmdb-1"],
    ),
    (
        "id = \"heed\"\nengine_version = \"0.9.70\"",
        &["both have the id `heed`", "crates/backends/heed"],
    ),
    (
        "id = \"a\"\nengine_version = \"0.9.70\"\ncontrol = \"raw-ffi\"",
        &["`raw-ffi` cannot be the control of a", "LMDB 0.9.70", "one of raw-ffi@lmdb-master-sys"],
    ),
    (
        "id = \"a\"\nengine_version = \"1.0\"\ncontrol = \"raw-ffi\"",
        &["no backend here is a control on LMDB 1.0", "leave `control` out"],
    ),
];

pub(crate) fn what_is_no_backend_is_refused() {
    let scene = Scene::new();
    let refused = |options: &str, causes: &[&str]| {
        let ended = scene.run(scene.compare(options));
        ended.assert_code(2);
        for cause in causes {
            assert!(ended.stderr.contains(cause), "{options}: {}", ended.stderr);
        }
    };
    for (described, causes) in DESCRIBED {
        let table = if described.is_empty() { "" } else { "[package.metadata.backend]\n" };
        let folder = folder(&scene, &format!("{table}{described}"), "fn main() {}");
        let home = if described.contains("heed") { "both" } else { folder.as_str() };
        refused(&format!("--backend-dir {folder}"), &[&[home], causes].concat());
    }
    refused("--backend-dir no/such/folder", &["--backend-dir", "no/such/folder/Cargo.toml"]);
    let program = renamed(&scene);
    let program = program.display();
    refused(
        &format!("--worker heed={program}"),
        &["--worker heed=", "the id `heed` is taken by", "crates/backends/heed"],
    );
    refused(
        "--worker brought=/no/such/program",
        &["--worker brought=", "no program /no/such/program"],
    );
    refused("--worker brought", &["`brought` must be an id, `=` and the path of a program"]);
    refused(&format!("--worker b={program} --control sled"), &["unknown backend `sled`"]);
    let two = format!("--worker b={program} --worker c={program}");
    refused(&format!("{two} --control raw-ffi"), &["WORKER=ID"]);
    refused(&format!("{two} --control d=raw-ffi"), &["`d` is no --worker"]);
    refused(&format!("{two} --control b=null"), &["`null` cannot be the control of b"]);
}

pub(crate) fn a_crate_that_does_not_build_fails_alone() {
    let scene = Scene::new();
    let described = "[package.metadata.backend]\nid = \"brought\"\nengine_version = \"0.9.21\"";
    let folder = folder(&scene, described, "fn main() { nonsense }");
    let ended = scene.run(scene.compare(&format!("{} --backend-dir {folder}", small())));
    ended.assert_code(1);
    // The compiler's own message, with the line.
    assert!(ended.stderr.contains("src/main.rs:1:13"), "{}", ended.stderr);
    let results = scene.results();
    for case in &results.cases {
        if case.backend == "brought" {
            assert_failed(case, &["its program brought does not build", "nonsense"]);
        } else {
            assert_ok(case);
        }
    }
}

/// With `--backend` beside it, which says nothing about what is brought.
pub(crate) fn the_examples_are_measured() {
    let scene = Scene::new();
    let lock = || {
        let file = concat!(env!("CARGO_MANIFEST_DIR"), "/../../examples/heed-wrapper/Cargo.lock");
        fs::read_to_string(file).expect("a file")
    };
    let locked = lock();
    let mut options = "--test --backend raw-ffi --batch 10 --value-size 64 --finish commit \
                       --backend-dir examples/heed-wrapper"
        .to_owned();
    let mut ids = vec!["raw-ffi", "heed-wrapper"];
    let has_lmdb = Command::new("python3").args(["-c", "import lmdb"]).output();
    if has_lmdb.as_ref().is_ok_and(|output| output.status.success()) {
        options += " --worker py-lmdb=examples/py-lmdb/worker.py";
        ids.push("py-lmdb");
    } else {
        skipped(&format!("python3 with the package lmdb is needed: {has_lmdb:?}"));
    }
    let mut command = scene.compare(&options);
    command.env("CARGO_NET_OFFLINE", "true");
    let ended = scene.run(command);
    ended.assert_code(0);
    for id in ids {
        let line = format!("commit-n10-v64-k4-sequential-nosync/{id}: ok\n");
        assert!(ended.stdout.contains(&line), "{}", ended.stdout);
    }
    assert_eq!(lock(), locked, "the example has a lock file of its own");
}
