//! Command lines: what cannot be is refused with what there is, what only tells does nothing else.

use std::fs;
use std::path::Path;

use super::scene::{Ended, Scene};

/// Bad options of both benches, and what the refusal must say.
const REFUSED: [(&str, &[&str]); 16] = [
    ("--backend heed,sled", &["unknown backend `sled`", "raw-ffi@lmdb-rkv-sys", "lmdb-rkv, "]),
    ("nowhere", &["matches none", "lmdb-rkv, ", "abort-n1-v4-k4-sequential-nosync"]),
    ("--exact commit-n1", &["matches none"]),
    ("commit(", &["no regular expression"]),
    ("--key-size 512", &["key size 512", "1 to 511"]),
    ("--key-size 1 --batch 300", &["batch size 300", "at most 256"]),
    ("--sync mapasync", &["mapasync", "needs --writable-map"]),
    ("--map-size 0", &["--map-size", "at least 1"]),
    ("--preload 100000 --map-size 1048576", &["--map-size 1048576", "preloaded"]),
    ("--keys random-existing", &["keys random-existing", "at least the batch size"]),
    ("--batch 1000000 --value-size 1000", &["--map-size 10485760", "needs 1014009856 bytes"]),
    ("--limit 0", &["--limit", "at least 1"]),
    ("--sync async", &["nosync, nometasync, sync, mapasync"]),
    ("--batch ten", &["--batch", "ten"]),
    ("--publish My-Box", &["--publish", "`My-Box`", "1 to 40 of a-z"]),
    ("--publish latest", &["`latest` is taken"]),
];

/// A few cases of both benches.
const FEW: &str = "--backend raw-ffi,heed --batch 1 --value-size 4";

/// Runs both benches with `options`.
fn both(scene: &Scene, options: &str) -> [Ended; 2] {
    ["compare", "write"].map(|bench| scene.run(scene.bench(bench, options)))
}

pub(crate) fn what_cannot_be_is_refused() {
    let scene = Scene::new();
    for (options, causes) in REFUSED {
        for ended in both(&scene, options) {
            ended.assert_code(2);
            assert_eq!(ended.stdout, "", "{options}");
            assert!(ended.stderr.starts_with("error: "), "{options}: {}", ended.stderr);
            for cause in causes {
                assert!(ended.stderr.contains(cause), "{options}: {}", ended.stderr);
            }
        }
    }
    for (options, cause) in [
        ("--launches 0", "at least 1"),
        ("--quick --launches 3", "--quick"),
        ("--core 1000000", "--core 1000000: "),
    ] {
        let ended = scene.run(scene.compare(options));
        assert!(ended.assert_code(2).stderr.contains(cause), "{options}: {}", ended.stderr);
    }
}

pub(crate) fn a_directory_must_be_one() {
    let scene = Scene::new();
    let file = scene.path("file");
    fs::write(&file, "").expect("a file");
    let absent = scene.path("absent");
    for (path, cause) in [(&file, "is not a directory"), (&absent, "No such file or directory")] {
        for ended in both(&scene, &format!("{FEW} --dir {}", path.display())) {
            ended.assert_code(2);
            assert!(ended.stderr.contains(cause), "{}", ended.stderr);
            assert!(ended.stderr.contains(&path.display().to_string()), "{}", ended.stderr);
        }
    }
    assert!(!absent.exists(), "it was made");
    // A directory in which nobody can make anything, not even root.
    if Path::new("/proc/self").exists() {
        for ended in both(&scene, &format!("{FEW} --dir /proc/self")) {
            let said = &ended.assert_code(2).stderr;
            assert!(said.contains("directory /proc/"), "{said}");
        }
    }
}

pub(crate) fn a_list_is_names_only() {
    let scene = Scene::new();
    for (ended, kind) in both(&scene, &format!("{FEW} --list")).iter().zip(["compare", "benchmark"])
    {
        ended.assert_code(0);
        let expected = ["abort", "commit"].map(|finish| {
            ["raw-ffi", "heed"]
                .map(|id| format!("{finish}-n1-v4-k4-sequential-nosync/{id}: {kind}\n"))
                .concat()
        });
        // Criterion ends each of its groups with an empty line.
        assert_eq!(ended.stdout.replace("\n\n", "\n"), expected.concat());
    }
    assert!(!scene.path("criterion").exists(), "something was measured");
}

pub(crate) fn help_names_our_options() {
    let scene = Scene::new();
    for (ended, bench) in both(&scene, "--help").iter().zip(["compare", "write"]) {
        let said = &ended.assert_code(0).stdout;
        let usage = format!("Usage: cargo bench -p harness --bench {bench} -- [OPTIONS] [FILTER]");
        let options = ["--backend", "--value-size", "--key-size", "--sync", "--dir", "--map-size"];
        for text in options.into_iter().chain([usage.as_str()]) {
            assert!(said.contains(text), "{text}: {said}");
        }
    }
}

/// With `--test`, and without the `--bench` that cargo gives when it benches.
pub(crate) fn a_test_checks_and_measures_nothing() {
    let scene = Scene::new();
    let [compare, write] = both(&scene, &format!("{FEW} --test"));
    // Away with the first argument, which is `--bench`.
    let tested = scene.run(scene.after("shift", &scene.compare(FEW)));
    for ended in [&compare, &tested] {
        ended.assert_code(0);
        // heed brings its control along.
        for id in ["raw-ffi", "raw-ffi@lmdb-master-sys", "heed"] {
            let line = format!("commit-n1-v4-k4-sequential-nosync/{id}: ok\n");
            assert!(ended.stdout.contains(&line), "{}", ended.stdout);
        }
        assert!(ended.stdout.ends_with("\n6 cases checked, 0 failed\n"), "{}", ended.stdout);
    }
    assert_eq!(write.assert_code(0).stdout.matches("Success").count(), 4, "{}", write.stdout);
    assert!(!scene.path("criterion").exists() && !scene.out().exists(), "something was kept");
}

pub(crate) fn a_test_finds_a_fault() {
    let scene = Scene::with("heed", "SkipsCommits");
    for ended in both(&scene, &format!("{FEW} --finish commit --test")) {
        ended.assert_code(1);
        let said = format!("{}{}", ended.stdout, ended.stderr);
        assert!(said.contains("/heed: ") && said.contains("LMDB counted 0"), "{said}");
    }
}

/// Criterion ends the program itself, without the ordinary way out.
pub(crate) fn criterion_refuses_its_own() {
    let scene = Scene::new();
    for options in ["--sample-size x", "--no-such-option", "--format x --list", "--sample-size 1"] {
        let ended = scene.run(scene.bench("write", &format!("{FEW} {options}")));
        assert!(!ended.status.success() && !ended.was_killed(), "{options}: {ended:?}");
    }
}
