//! Ctrl-C and SIGTERM at any moment: what was measured is kept, nothing else is left.

use std::fs;
use std::thread;
use std::time::Duration;

use records::schema::Status;
use rustix::process::{Pid, Signal, kill_process_group};

use super::scene::{Running, Scene, send, wait_for};

/// After the environments' directory was seen: in the proof, in the first block, later.
const MOMENTS_MS: [u64; 6] = [0, 7, 40, 110, 350, 1500];
/// After the program was started: before it listens, while it does.
const EARLY_MS: [u64; 8] = [0, 1, 2, 4, 6, 8, 12, 20];
/// A run that no machine ends in time.
const ENDLESS: &str = "--backend heed,null --batch 1,10 --value-size 4 --launches 1000000 --seed 1";
/// The watchdog for the start of a run.
const LIMIT: Duration = Duration::from_secs(60);
/// As shells have it for a program that was interrupted.
const INTERRUPTED: i32 = 130;

/// Waits until the run has made its directory.
fn until_begun(scene: &Scene) {
    let begun = || fs::read_dir(scene.envs()).ok()?.next();
    assert!(wait_for(LIMIT, begun).is_some(), "the run begins");
}

fn after(running: &Running, milliseconds: u64, signal: Signal) {
    thread::sleep(Duration::from_millis(milliseconds));
    send(running.child.id(), signal);
}

/// Takes the signals in turn; the last is that of a terminal that is closed.
fn signals(moments: &[u64]) -> impl Iterator<Item = (u64, Signal)> {
    let signals = [Signal::INT, Signal::TERM, Signal::HUP];
    moments.iter().copied().zip(signals.into_iter().cycle())
}

pub(crate) fn compare_keeps_what_it_measured() {
    for (moment, signal) in signals(&MOMENTS_MS) {
        let scene = Scene::new();
        let running = scene.start(scene.compare(ENDLESS));
        until_begun(&scene);
        after(&running, moment, signal);
        running.wait().assert_code(INTERRUPTED);
        if !scene.out().exists() {
            // It did not come to the first block.
            assert!(moment < 1000, "nothing was measured");
            continue;
        }
        let results = scene.results();
        assert!(!results.complete, "it is marked as partial");
        for case in &results.cases {
            assert_eq!(case.status, Status::Ok, "{case:?}");
            let time = case.time.as_ref().expect("what was not measured is left out");
            assert!(!time.launches_ns.is_empty(), "{case:?}");
            let known = results.backends.iter().any(|backend| backend.id == case.backend);
            assert!(known, "{}: {:?}", case.backend, results.backends);
        }
    }
}

/// Before the program listens, a signal simply ends it. Of the three, this is the one that a program
/// started in the background or under `nohup` does not ignore until then.
pub(crate) fn nothing_is_left_at_the_start() {
    for moment in EARLY_MS {
        for bench in ["compare", "write"] {
            let scene = Scene::new();
            let command = if bench == "write" { scene.write("") } else { scene.compare(ENDLESS) };
            let running = scene.start(command);
            after(&running, moment, Signal::TERM);
            let ended = running.wait();
            assert!(ended.was_killed() || ended.status.code() == Some(INTERRUPTED), "{ended:?}");
            assert!(!ended.was_killed() || !scene.out().exists());
        }
    }
}

pub(crate) fn write_leaves_nothing() {
    for (moment, signal) in signals(&[0, 60, 400, 1500]) {
        let scene = Scene::new();
        let running = scene.start(scene.bench("write", "--noplot"));
        until_begun(&scene);
        after(&running, moment, signal);
        running.wait().assert_code(INTERRUPTED);
    }
}

/// A terminal sends Ctrl-C to all that runs in its foreground. Workers that it reached would end in
/// the middle of their work, and their cases would have failed.
pub(crate) fn ctrl_c_does_not_reach_the_workers() {
    for bench in ["compare", "write"] {
        let scene = Scene::new();
        let mut command = match bench {
            "compare" => scene.compare(ENDLESS),
            _ => scene.bench(bench, "--noplot"),
        };
        std::os::unix::process::CommandExt::process_group(&mut command, 0);
        let running = scene.start(command);
        until_begun(&scene);
        thread::sleep(Duration::from_millis(700));
        let group = i32::try_from(running.child.id()).ok().and_then(Pid::from_raw);
        kill_process_group(group.expect("an id"), Signal::INT).expect("it runs");
        let ended = running.wait();
        ended.assert_code(INTERRUPTED);
        assert!(!format!("{ended:?}").to_lowercase().contains("failed: "), "{ended:?}");
    }
}

/// An impatient user, and a precision that is not known before there are enough launches for an interval.
pub(crate) fn a_second_signal_changes_nothing() {
    for options in ["--backend heed", "--backend null", "--backend raw-ffi"] {
        let scene = Scene::new();
        let options = format!("{options} --batch 1 --value-size 4 --precision 0.0001%");
        let running = scene.start(scene.compare(&options));
        until_begun(&scene);
        after(&running, 150, Signal::INT);
        after(&running, 1, Signal::INT);
        after(&running, 1, Signal::TERM);
        running.wait().assert_code(INTERRUPTED);
    }
}

/// Nothing was measured, so there is nothing that could be worth more than an earlier run's results.
pub(crate) fn nothing_does_not_replace_results() {
    let scene = Scene::with("raw-ffi", "HangsInRun");
    fs::write(scene.out(), "an earlier run's").expect("a file");
    let running = scene.start(scene.compare(ENDLESS));
    until_begun(&scene);
    // By then the worker hangs in the proof.
    after(&running, 500, Signal::INT);
    running.wait().assert_code(INTERRUPTED);
    assert_eq!(fs::read_to_string(scene.out()).expect("a file"), "an earlier run's");
}

/// As `nohup` does it, and a shell for what it starts in the background.
pub(crate) fn what_was_ignored_stays_ignored() {
    let scene = Scene::new();
    let options = ENDLESS.replace("--launches 1000000", "--launches 1000000 --max-time 3");
    let running = scene.start(scene.after("trap '' HUP INT", &scene.compare(&options)));
    until_begun(&scene);
    after(&running, 300, Signal::HUP);
    after(&running, 100, Signal::INT);
    running.wait().assert_code(0);
    assert!(scene.results().complete);
}

/// With a shell in the place of cargo that runs two benches in turn, as cargo does.
pub(crate) fn a_run_has_the_day_of_its_cargo_and_ends_with_it() {
    if !cfg!(target_os = "linux") {
        return;
    }
    let scene = Scene::new();
    let cargo = scene.path("cargo");
    fs::copy("/bin/sh", &cargo).expect("a shell");
    let small = scene.compare("--backend heed --batch 1 --value-size 4 --launches 1 --seed 1");
    let (first, second) = (scene.path("first.json"), scene.path("second.json"));
    // `sleep`: the second starts in another second.
    let script = format!(
        "\"$0\" \"$@\" --out {}; sleep 1.1; \"$0\" \"$@\" --out {}; \
         \"$0\" --bench --dir {} --out {} {ENDLESS}; exit",
        first.display(),
        second.display(),
        scene.envs().display(),
        scene.out().display()
    );
    let mut command = scene.after("", &small);
    let mut words: Vec<std::ffi::OsString> = command.get_args().map(Into::into).collect();
    words[1] = script.into();
    let arguments = words.iter().filter(|it| *it != "--out" && **it != *scene.out().as_os_str());
    let mut with_cargo = std::process::Command::new(&cargo);
    with_cargo.args(arguments);
    with_cargo.envs(command.get_envs().filter_map(|(name, value)| Some((name, value?))));
    with_cargo.current_dir(scene.path("")).stdin(std::process::Stdio::null());
    command = with_cargo;
    let mut running = scene.start(command);
    let read =
        |path| wait_for(LIMIT, || records::store::read::<records::schema::Results>(path).ok());
    let [one, other] = [&first, &second].map(|path| read(path).expect("a run").started_unix);
    assert_eq!(one, other, "one run has one start");
    until_begun(&scene);
    running.child.kill().expect("it runs");
    running.child.wait().expect("it ends");
    let ended = wait_for(LIMIT, || Some(scene.processes("")).filter(Vec::is_empty));
    assert!(ended.is_some(), "it ends with cargo: {:?}", scene.processes(""));
}
