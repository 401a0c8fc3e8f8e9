//! Workers that misbehave: their cases fail with the cause, the others are measured.

use std::fs;
use std::path::Path;
use std::time::{Duration, SystemTime, UNIX_EPOCH};

use rustix::process::Signal;

use super::scene::{SMALL, Scene, assert_failed, assert_ok, assert_only, send, wait_for};
use super::skipped;

/// A fault of heed's worker, and what the reason must say about it.
pub(crate) const FAULTS: [(&str, &[&str]); 23] = [
    ("DiesAtStart", &["ended", "exit status: 7", "no luck from the start"]),
    ("DiesInRun", &["ended", "exit status: 7", "it said: out of", "luck"]),
    ("DiesLater", &["ended", "exit status: 7", "it said: out of", "luck"]),
    ("HangsInRun", &["did not answer within 2s", "lost in thought"]),
    ("HangsAtFinish", &["did not answer within 2s"]),
    ("StaysAfterFinish", &["did not end within 5s"]),
    ("SpeaksGarbage", &["nonsense", "gar|bage"]),
    ("TruncatesLine", &["nonsense", "`{\"reply\":\"ran\",\"transac`"]),
    ("IsCutOff", &["ended", "exit status: 7", "cut off"]),
    ("NeverEndsLine", &["nonsense", "xxxx"]),
    ("ClosesOutput", &["closed its output without ending"]),
    ("AnswersAnother", &["nonsense", "Closed"]),
    ("SpeaksOldProtocol", &["refused", "expected, found 0"]),
    ("IsAnother", &["refused", "backend heed expected, found lmdb-rkv"]),
    ("HasOtherEngine", &["refused", "LMDB 0.9.70 expected for heed, found LMDB 0.9.24"]),
    ("TakesNoTime", &["took no time"]),
    ("ClaimsTooLong", &["the worker claims", "by the harness's clock"]),
    ("ClaimsTooShort", &["the worker claims", "by the harness's clock"]),
    ("ClaimsMore", &["asked for 5 transactions", "claims 6"]),
    ("DoesLess", &["verification failed", "5 commits were claimed, LMDB counted 4"]),
    ("SkipsCommits", &["verification failed", "5 commits were claimed, LMDB counted 0"]),
    ("IgnoresSync", &["verification failed", "nosync was asked for", "has sync"]),
    ("HidesSync", &["verification failed", "does not say"]),
];

/// Signals reach a worker that lives for some milliseconds: this long until one was met.
const LIMIT: Duration = Duration::from_secs(60);

pub(crate) fn one_fails_and_the_others_are_measured(fault: &'static str, causes: &[&str]) {
    let scene = Scene::with("heed", fault);
    // Only where it is waited for: on a busy machine a good worker may be slow.
    let hangs = fault.starts_with("Hangs");
    let limit = if hangs { "--limit 2" } else { "" };
    let ended = scene.run(scene.compare(&format!("{SMALL} {limit}")));
    ended.assert_code(1);
    let results = scene.results();
    assert!(results.complete);
    assert_only(&results, "heed", causes);
    if hangs {
        // The time that it was waited for has passed since the start.
        let now = SystemTime::now().duration_since(UNIX_EPOCH).expect("a later time").as_secs();
        assert!(results.started_unix + 2 <= now, "{} at {now}", results.started_unix);
    }
    // A person sees it too, on one line.
    let line = ended.stdout.lines().find(|line| line.starts_with("- failed: "));
    let line = line.expect("a line that names the case");
    assert!(causes.iter().all(|cause| line.contains(cause)), "{line}");
}

pub(crate) fn what_stands_between_changes_nothing() {
    let scene = Scene::with("heed", "");
    scene.run(scene.compare(SMALL)).assert_code(0);
    scene.results().cases.iter().for_each(assert_ok);
}

/// The worker of raw-ffi is also the one that checks the others, and its twin shares its fate.
pub(crate) fn a_broken_reference_is_a_case_as_any() {
    let scene = Scene::with("raw-ffi", "DiesInRun");
    scene.run(scene.compare(SMALL)).assert_code(1);
    let results = scene.results();
    assert_only(&results, "raw-ffi", &["exit status: 7", "luck"]);
    let heed = results.cases.iter().find(|case| case.backend == "heed").expect("a case");
    assert!(heed.relative.is_none(), "{heed:?}");
}

pub(crate) fn without_a_verifier_nothing_is_ok() {
    let scene = Scene::with("raw-ffi", "DiesInVerify");
    // With a precision to reach, it would go on for minutes without measuring anything.
    let options = SMALL.replace("--launches 2", "--precision 0.1%");
    let ended = scene.run(scene.compare(&options));
    assert!(ended.assert_code(1).stdout.contains("no case is left to measure"), "{}", ended.stdout);
    for case in &scene.results().cases {
        assert_failed(case, &["verification failed", "exit status: 7", "cannot look"]);
    }
}

/// The twin of raw-ffi has no row of its own. Of the worker's launches it is the fifth or the one after,
/// in random order: the proof, its verifier, the proof of its clock and the pilot come first.
pub(crate) fn a_broken_twin_is_not_hidden() {
    for seed in 1..=4 {
        let scene = Scene::with("raw-ffi", "DiesFifth");
        let options =
            SMALL.replace("--launches 2 --seed 1", &format!("--launches 1 --seed {seed}"));
        scene.run(scene.compare(&options)).assert_code(1);
        assert_only(&scene.results(), "raw-ffi", &["exit status: 7", "luck"]);
    }
}

pub(crate) fn criterion_goes_on() {
    const CASES: &str =
        "--backend raw-ffi,heed,null --batch 1 --value-size 4 --finish commit --verbose";
    for (fault, cause) in [("DiesLater", "luck"), ("SkipsCommits", "LMDB counted 0")] {
        let scene = Scene::with("heed", fault);
        let ended = scene.run(scene.write(CASES));
        ended.assert_code(1);
        let failed = ended.stderr.lines().find(|line| line.starts_with("FAILED: commit-n1-v4-"));
        let failed = failed.expect("a line that names the case");
        assert!(failed.contains("/heed: ") && failed.contains(cause), "{failed}");
        let row = |id: &str| {
            // The header has a table too.
            let row = ended.stdout.lines().rfind(|line| line.starts_with(&format!("| {id} ")));
            row.expect("a row").contains("s |")
        };
        assert!(row("raw-ffi") && row("null") && !row("heed"), "{}", ended.stdout);
    }
}

/// Sends a signal to heed's worker until one was met in the middle of its work.
pub(crate) fn a_signal_fails_one_alone() {
    if !processes_can_be_found() {
        return;
    }
    for (signal, cause) in [(Signal::KILL, "signal: 9 (SIGKILL)"), (Signal::STOP, "within 2s")] {
        let scene = Scene::new();
        let options = SMALL.replace("--launches 2", "--launches 20");
        let mut running = scene.start(scene.compare(&format!("{options} --limit 2")));
        wait_for(LIMIT, || {
            scene.processes("backend-heed").iter().for_each(|(id, _)| send(*id, signal));
            running.has_ended().then_some(())
        });
        running.wait().assert_code(1);
        assert_only(&scene.results(), "heed", &[cause]);
    }
}

/// Nothing can remove the directories then; the processes end by themselves.
pub(crate) fn none_outlives_a_killed_harness() {
    if !processes_can_be_found() {
        return;
    }
    let scene = Scene::new();
    let running = scene.start(scene.compare(&SMALL.replace("--launches 2", "--launches 100000")));
    let met =
        wait_for(LIMIT, || Some(scene.processes("backend-")).filter(|workers| workers.len() >= 3));
    assert!(met.is_some(), "workers were started");
    send(running.child.id(), Signal::KILL);
    assert!(running.wait().was_killed());
    let left = wait_for(LIMIT, || Some(scene.processes("")).filter(Vec::is_empty));
    assert!(left.is_some(), "still running: {:?}", scene.processes(""));
    // What it has left, the next run removes.
    assert_eq!(fs::read_dir(scene.envs()).expect("a directory").count(), 1);
    scene.run(scene.compare(SMALL)).assert_code(0);
    assert_eq!(fs::read_dir(scene.envs()).expect("a directory").count(), 0);
}

fn processes_can_be_found() -> bool {
    let possible = Path::new("/proc/self/environ").exists();
    if !possible {
        skipped("other processes cannot be found without /proc");
    }
    possible
}
