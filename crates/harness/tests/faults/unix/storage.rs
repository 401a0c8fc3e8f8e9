//! Maps and disks that are full, directories that go away, results that cannot be written.

use std::fs;
use std::io::Write as _;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::time::Duration;

use records::schema::{CaseRecord, Results};

use super::scene::{SMALL, Scene, assert_failed, assert_ok, wait_for};
use super::skipped;

/// Two workloads: one that fits anywhere, one of more than 64 KiB.
const TWO_SIZES: &str =
    "--backend heed,null --batch 1,1000 --value-size 64 --finish commit --launches 2 --seed 1";
/// The watchdog for the start of a run.
const LIMIT: Duration = Duration::from_secs(60);

/// The large batch fails with `cause` for all that write files; the small one is measured.
fn assert_large_failed(results: &Results, cause: &str) {
    assert_eq!(results.cases.len(), 2 * 4, "{:?}", results.cases);
    let (small, large): (Vec<&CaseRecord>, Vec<&CaseRecord>) =
        results.cases.iter().partition(|case| case.workload.batch_size == 1);
    small.into_iter().for_each(assert_ok);
    for case in large {
        if case.backend == "null" { assert_ok(case) } else { assert_failed(case, &[cause]) }
    }
}

/// Maps, files and disks that have room for the small batch alone.
pub(crate) fn what_is_full_fails_the_large_batch() {
    let fails = |scene: &Scene, command: Command, cause: &str| {
        scene.run(command).assert_code(1);
        assert_large_failed(&scene.results(), cause);
        scene.assert_nothing_is_left();
    };
    let scene = Scene::new();
    fails(&scene, scene.compare(&format!("{TWO_SIZES} --map-size 98304")), "(--map-size) may help");
    // No privilege is needed to limit the size of one's own files. With the signal ignored, a write
    // beyond it is cut short as one to a full disk is. In the POSIX shell the unit is 512 bytes.
    let limited = scene.after("trap '' XFSZ; ulimit -f 128", &scene.compare(TWO_SIZES));
    fails(&scene, limited, "Input/output error");
    let Some(_disk) = SmallDisk::mount(&scene.envs(), 256) else { return };
    fails(&scene, scene.compare(TWO_SIZES), "bytes are left in");
    let preloading = "--backend heed,null --batch 10 --value-size 64 --preload 10000 --launches 2";
    scene.run(scene.compare(preloading)).assert_code(1);
    for case in &scene.results().cases {
        match &*case.backend {
            "null" => assert_ok(case),
            _ => assert_failed(case, &["of 10000 preloaded pairs", "bytes are left in"]),
        }
    }
    scene.assert_nothing_is_left();
    // Memory that cannot be written to any more ends the process: there is no call that could fail.
    fails(&scene, scene.compare(&format!("{TWO_SIZES} --writable-map")), "(SIGBUS)");
}

pub(crate) fn a_small_map_stops_criterion_only_there() {
    let scene = Scene::new();
    let cases = "--backend heed,null --batch 1,1000 --value-size 64 --finish commit";
    let ended = scene.run(scene.write(&format!("{cases} --map-size 98304")));
    ended.assert_code(1);
    let failed: Vec<&str> =
        ended.stderr.lines().filter(|line| line.starts_with("FAILED: ")).collect();
    assert_eq!(failed.len(), 1, "{}", ended.stderr);
    assert!(failed[0].contains("-n1000-") && failed[0].contains("map full"), "{}", failed[0]);
}

/// A file system in memory of a few hundred KiB; unmounted when dropped.
struct SmallDisk(PathBuf);

impl SmallDisk {
    /// `None` where nothing can be mounted.
    fn mount(at: &Path, kibibytes: usize) -> Option<Self> {
        let size = format!("size={kibibytes}k");
        let mut command = Command::new("mount");
        command.args(["-t", "tmpfs", "-o", &size, "tmpfs"]).arg(at).stdin(Stdio::null());
        match command.output() {
            Ok(output) if output.status.success() => return Some(Self(at.to_owned())),
            failed => skipped(&format!("mount: {failed:?}")),
        }
        None
    }

    fn file(&self) -> PathBuf {
        self.0.join("filler")
    }

    /// Writes until nothing more fits.
    fn fill(&self) {
        let options = fs::OpenOptions::new().create(true).append(true).open(self.file());
        let mut file = options.expect("a file");
        while file.write_all(&[0; 4096]).is_ok() {}
    }
}

impl Drop for SmallDisk {
    fn drop(&mut self) {
        // Lazily: after a failed test a process may still use it.
        let _ = Command::new("umount").arg("-l").arg(&self.0).status();
    }
}

pub(crate) fn a_disk_that_becomes_full_fails_all() {
    let scene = Scene::new();
    let Some(disk) = SmallDisk::mount(&scene.envs(), 4096) else { return };
    let options = SMALL.replace("--launches 2", "--launches 1000000");
    let mut running = scene.start(scene.compare(&options));
    until_several_live(&scene);
    // What failed makes room for the next, which must not find any.
    wait_for(LIMIT, || {
        disk.fill();
        running.has_ended().then_some(())
    });
    running.wait().assert_code(1);
    for case in &scene.results().cases {
        // Of a directory "No space left on device", of a file how many "bytes are left".
        assert_failed(case, &["left"]);
    }
    fs::remove_file(disk.file()).expect("the filler");
    scene.assert_nothing_is_left();
}

/// The directory that a run made for itself.
fn root(scene: &Scene) -> Option<PathBuf> {
    Some(fs::read_dir(scene.envs()).ok()?.next()?.ok()?.path())
}

/// The environments of a run.
fn environments(scene: &Scene) -> Vec<PathBuf> {
    let entries = root(scene).and_then(|root| fs::read_dir(root).ok());
    entries.into_iter().flatten().flatten().map(|entry| entry.path()).collect()
}

/// Waits until the run is in a block: in the proof one environment lives at a time.
fn until_several_live(scene: &Scene) {
    let several = || Some(environments(scene)).filter(|live| live.len() >= 3);
    assert!(wait_for(LIMIT, several).is_some(), "the run gets to a block");
}

/// Takes away environments of a run until one of its cases has failed. heed's control and raw-ffi
/// may be met too: all are alike.
pub(crate) fn an_environment_that_is_removed_fails_one_case() {
    let scene = Scene::new();
    let options = SMALL.replace("--launches 2", "--launches 30");
    let mut running = scene.start(scene.compare(&options));
    until_several_live(&scene);
    wait_for(LIMIT, || {
        let removed = environments(&scene).iter().any(|path| fs::remove_dir_all(path).is_ok());
        (removed || running.has_ended()).then_some(())
    });
    let ended = running.wait();
    ended.assert_code(1);
    let results = scene.results();
    let (failed, ok): (Vec<&CaseRecord>, Vec<&CaseRecord>) =
        results.cases.iter().partition(|case| case.reason.is_some());
    assert_eq!((failed.len(), ok.len()), (1, 2), "{:?}", results.cases);
    assert_failed(failed[0], &["No such file or directory"]);
    ok.into_iter().for_each(assert_ok);
}

/// Something cleans the directory for temporary files in the middle of a run: who lived then has
/// failed, and the next find a place again.
pub(crate) fn a_root_that_is_removed_is_made_again() {
    let scene = Scene::new();
    let options =
        SMALL.replace("--launches 2", "--launches 200").replace("--batch 1", "--batch 1,10");
    let running = scene.start(scene.compare(&options));
    until_several_live(&scene);
    let removed = wait_for(LIMIT, || fs::remove_dir_all(root(&scene)?).ok());
    assert!(removed.is_some(), "it is removed between two launches");
    running.wait().assert_code(1);
    let results = scene.results();
    let ok =
        results.cases.iter().filter(|case| case.reason.is_none()).inspect(|case| assert_ok(case));
    assert!(ok.count() >= 3, "one of two workloads was not at work: {:?}", results.cases);
    for case in results.cases.iter().filter(|case| case.reason.is_some()) {
        assert_failed(case, &["No such file or directory"]);
    }
}

pub(crate) fn a_directory_that_is_removed_fails_all() {
    let scene = Scene::new();
    let running = scene.start(scene.compare(&SMALL.replace("--launches 2", "--launches 1000000")));
    until_several_live(&scene);
    wait_for(LIMIT, || fs::remove_dir_all(scene.envs()).ok());
    running.wait().assert_code(1);
    for case in &scene.results().cases {
        assert_failed(case, &["No such file or directory"]);
    }
}

/// Before anything is measured.
pub(crate) fn results_that_could_not_be_written_are_refused() {
    let scene = Scene::new();
    let file = scene.path("file");
    fs::write(&file, "mine").expect("a file");
    for out in [file.join("results.json"), scene.path("workers"), "/proc/results.json".into()] {
        let ended = scene.run(scene.bench("compare", &format!("{SMALL} --out {}", out.display())));
        ended.assert_code(2);
        assert!(ended.stderr.contains(&format!("--out: {}", out.display())), "{}", ended.stderr);
        assert_eq!(ended.stdout, "");
    }
    assert_eq!(fs::read_to_string(file).expect("a file"), "mine");
    // A run that is published already: of the reference machine there is one.
    let published = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../results/of-another-test");
    let day = records::names::Day::of_unix(
        std::time::UNIX_EPOCH.elapsed().expect("after 1970").as_secs(),
    );
    let stored = published.join(day.to_string()).join("compare.json");
    fs::create_dir_all(stored.parent().expect("below")).expect("a directory");
    fs::write(&stored, "{}").expect("a file");
    let ended = scene.run(scene.compare(&format!("{SMALL} --publish of-another-test")));
    fs::remove_dir_all(published).expect("it was made");
    ended.assert_code(2);
    assert!(ended.stderr.contains("is there already"), "{}", ended.stderr);
    assert!(ended.stderr.contains("publish of-another-test --replace"), "{}", ended.stderr);
    let left = fs::read_dir(scene.path("workers")).expect("a directory").count();
    assert_eq!(left, 0, "half a results file was left");
}

/// What could be written when the run began, and cannot be at its end.
pub(crate) fn results_that_cannot_be_written_are_shown() {
    let scene = Scene::new();
    let place = scene.path("place");
    fs::create_dir(&place).expect("a directory");
    let out = place.join("results.json");
    let options = SMALL.replace("--launches 2", "--launches 100");
    let running =
        scene.start(scene.bench("compare", &format!("{options} --out {}", out.display())));
    until_several_live(&scene);
    fs::remove_dir(&place).expect("it is empty");
    fs::write(&place, "").expect("a file");
    let ended = running.wait();
    ended.assert_code(1);
    assert!(ended.stderr.contains("the results could not be written"), "{}", ended.stderr);
    assert!(ended.stderr.contains(&out.display().to_string()), "{}", ended.stderr);
    assert!(ended.stdout.contains("commit, nosync: over raw FFI"), "{}", ended.stdout);
}

/// As in `... | head`: what was measured is in the file all the same.
pub(crate) fn a_reader_that_goes_away_loses_nothing() {
    let scene = Scene::new();
    // The second has something to say on standard error: why it is not published.
    for (options, code) in [("", 0), ("--publish of-a-test", 1)] {
        let mut command = scene.compare(&format!("{SMALL} {options}"));
        command.stdout(Stdio::piped()).stderr(Stdio::piped());
        let mut child = command.spawn().expect("it starts");
        drop((child.stdout.take(), child.stderr.take()));
        let status = wait_for(LIMIT, || child.try_wait().expect("a child")).expect("it ends");
        assert_eq!(status.code(), Some(code));
        scene.results().cases.iter().for_each(assert_ok);
        fs::remove_file(scene.out()).expect("it was there");
    }
    // Criterion prints by itself.
    let mut command = scene.write("--backend heed --batch 1 --value-size 4");
    command.stdout(Stdio::piped()).stderr(Stdio::null());
    let mut child = command.spawn().expect("it starts");
    drop(child.stdout.take());
    let status = wait_for(LIMIT, || child.try_wait().expect("a child")).expect("it ends");
    assert_eq!(status.code(), Some(0));
}

pub(crate) fn two_runs_at_once_do_not_meet() {
    let scene = Scene::with("heed", "");
    let first = scene.start(scene.compare(SMALL));
    let second = scene.start(
        scene.bench("compare", &format!("{SMALL} --out {}", scene.path("other.json").display())),
    );
    first.wait().assert_code(0);
    second.wait().assert_code(0);
    for path in [scene.out(), scene.path("other.json")] {
        let results: Results = records::store::read(&path).expect("a results file");
        results.cases.iter().for_each(assert_ok);
    }
}
