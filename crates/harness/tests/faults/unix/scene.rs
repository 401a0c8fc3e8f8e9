//! A place for one test: directories of its own, benches that run in them, and the check, when it is
//! dropped, that nothing is left of its runs, neither a process nor a file.

use std::cell::Cell;
use std::ffi::OsString;
use std::fs::{self, File};
use std::os::unix::process::ExitStatusExt as _;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, ExitStatus, Stdio};
use std::thread;
use std::time::{Duration, Instant};

use records::schema::{CaseRecord, Results, Status};
use records::store;
use tempfile::TempDir;
use write_backend::protocol::MAX_LINE;

use super::bench;
use super::misbehaving;

/// The watchdog: no run of these tests takes this long, however busy the machine is.
const LIMIT: Duration = Duration::from_secs(120);
/// A process whose harness was killed ends this soon after it.
const END: Duration = Duration::from_secs(10);
/// How often a test looks whether something has happened.
const LOOK: Duration = Duration::from_millis(2);
/// Marks all processes of a scene: its value is the scene's directory.
const MARK: &str = "HARNESS_FAULTS_SCENE";

/// One workload, four launches in a block: raw-ffi and its twin, heed and its control.
pub(crate) const SMALL: &str =
    "--backend heed --batch 1 --value-size 4 --finish commit --launches 2 --seed 1";

/// Directories and replaced workers of one test.
pub(crate) struct Scene {
    home: TempDir,
    replaced: Vec<(&'static str, OsString)>,
    runs: Cell<usize>,
}

impl Scene {
    pub(crate) fn new() -> Self {
        let home = tempfile::Builder::new().prefix("faults-").tempdir().expect("a directory");
        for name in ["envs", "workers"] {
            fs::create_dir(home.path().join(name)).expect("a directory");
        }
        Self { home, replaced: Vec::new(), runs: Cell::new(0) }
    }

    /// A scene in which the worker of the backend `id` has `fault`.
    pub(crate) fn with(id: &'static str, fault: &str) -> Self {
        let mut scene = Self::new();
        let real = bench::worker(id);
        let worker = misbehaving::install(&scene.home.path().join("workers"), &real, fault);
        scene.replaced.push((id, worker.into()));
        scene
    }

    pub(crate) fn path(&self, name: &str) -> PathBuf {
        self.home.path().join(name)
    }

    /// Where the environments are made.
    pub(crate) fn envs(&self) -> PathBuf {
        self.path("envs")
    }

    /// Where `compare` writes its results.
    pub(crate) fn out(&self) -> PathBuf {
        self.path("results.json")
    }

    /// The bench `compare` with the scene's directories and the options `options`.
    pub(crate) fn compare(&self, options: &str) -> Command {
        let mut command = self.bench("compare", options);
        command.arg("--out").arg(self.out());
        command
    }

    /// The Criterion bench, its own settings as fast as they may be.
    pub(crate) fn write(&self, options: &str) -> Command {
        let fast = "--sample-size 10 --warm-up-time 0.01 --measurement-time 0.05 --noplot";
        self.bench("write", &format!("{fast} {options}"))
    }

    /// The bench called `name` with the options `options`; a bench that is given a directory twice
    /// would refuse it, so the scene's is left out where `options` names one.
    pub(crate) fn bench(&self, name: &str, options: &str) -> Command {
        let mut command = bench::command(name, &self.replaced);
        command.args(options.split_whitespace());
        if !options.split_whitespace().any(|word| word == "--dir") {
            command.arg("--dir").arg(self.envs());
        }
        self.prepare(&mut command);
        command
    }

    fn prepare(&self, command: &mut Command) {
        command.env(MARK, self.home.path()).env("CRITERION_HOME", self.path("criterion"));
        command.env("TMPDIR", self.envs());
        command.current_dir(self.home.path()).stdin(Stdio::null());
    }

    /// The same bench under `sh`, after the commands `first`.
    pub(crate) fn after(&self, first: &str, bench: &Command) -> Command {
        let mut command = Command::new("sh");
        command.arg("-c").arg(format!("{first}; exec \"$0\" \"$@\""));
        command.arg(bench.get_program()).args(bench.get_args());
        let changed = |(name, value): (&std::ffi::OsStr, Option<&std::ffi::OsStr>)| {
            Some((name.to_owned(), value?.to_owned()))
        };
        command.envs(bench.get_envs().filter_map(changed));
        self.prepare(&mut command);
        command
    }

    /// Starts `command`; what it says goes to files.
    pub(crate) fn start(&self, mut command: Command) -> Running {
        let run = self.runs.replace(self.runs.get() + 1);
        let paths = ["stdout", "stderr"].map(|name| self.path(&format!("{name}-{run}")));
        let [stdout, stderr] = paths.each_ref().map(|path| File::create(path).expect("a file"));
        let child = command.stdout(stdout).stderr(stderr).spawn().expect("the bench starts");
        Running { child, paths }
    }

    /// Runs `command` to its end.
    pub(crate) fn run(&self, command: Command) -> Ended {
        self.start(command).wait()
    }

    /// The results of the bench `compare`.
    pub(crate) fn results(&self) -> Results {
        store::read(&self.out()).expect("a results file")
    }

    /// Asserts that no process of this scene lives and that no environment is left.
    pub(crate) fn assert_nothing_is_left(&self) {
        // A worker behind a misbehaving one ends by itself when that is killed: give it a moment.
        let left = wait_for(END, || Some(self.processes("")).filter(Vec::is_empty));
        assert!(left.is_some(), "still running: {:?}", self.processes(""));
        if let Ok(entries) = fs::read_dir(self.envs()) {
            let left: Vec<PathBuf> = entries.flatten().map(|entry| entry.path()).collect();
            assert!(left.is_empty(), "left behind: {left:?}");
        }
    }

    /// The processes of this scene whose program's name begins with `program`: ids and programs.
    /// None where the system does not say.
    pub(crate) fn processes(&self, program: &str) -> Vec<(u32, String)> {
        let mark = format!("{MARK}={}\0", self.home.path().display()).into_bytes();
        let Ok(entries) = fs::read_dir("/proc") else { return Vec::new() };
        let ids = entries.flatten().filter_map(|entry| entry.file_name().to_str()?.parse().ok());
        let is_ours = |id: &u32| {
            // Not readable: somebody else's. Empty: it has ended and was not waited for yet.
            let environment = fs::read(format!("/proc/{id}/environ")).unwrap_or_default();
            environment.windows(mark.len()).any(|part| part == mark)
        };
        let named = ids.filter(is_ours).filter_map(|id| {
            let line = fs::read(format!("/proc/{id}/cmdline")).ok()?;
            let path = String::from_utf8_lossy(line.split(|byte| *byte == 0).next()?).into_owned();
            let name = Path::new(&path).file_name()?.to_str()?.to_owned();
            Some((id, name))
        });
        named.filter(|(_, name)| name.starts_with(program)).collect()
    }
}

impl Drop for Scene {
    fn drop(&mut self) {
        if !thread::panicking() {
            return self.assert_nothing_is_left();
        }
        // What a failed test left must not disturb the others.
        for (id, _) in self.processes("") {
            send(id, rustix::process::Signal::KILL);
        }
    }
}

/// Sends a signal; nothing happens where the process has ended.
pub(crate) fn send(id: u32, signal: rustix::process::Signal) {
    let id = i32::try_from(id).ok().and_then(rustix::process::Pid::from_raw).expect("an id");
    let _ = rustix::process::kill_process(id, signal);
}

/// Looks until `look` finds something; `None` after `limit`.
pub(crate) fn wait_for<T>(limit: Duration, mut look: impl FnMut() -> Option<T>) -> Option<T> {
    let start = Instant::now();
    loop {
        if let Some(found) = look() {
            return Some(found);
        }
        if start.elapsed() > limit {
            return None;
        }
        thread::sleep(LOOK);
    }
}

/// A bench that runs.
pub(crate) struct Running {
    pub(crate) child: Child,
    paths: [PathBuf; 2],
}

impl Running {
    /// Whether it has ended.
    pub(crate) fn has_ended(&mut self) -> bool {
        self.child.try_wait().expect("a child").is_some()
    }

    /// Waits for its end; kills it and fails the test when it takes too long.
    pub(crate) fn wait(mut self) -> Ended {
        let status = wait_for(LIMIT, || self.child.try_wait().expect("a child"));
        let said = || self.paths.each_ref().map(|path| fs::read(path).expect("a file"));
        let Some(status) = status else {
            let _ = self.child.kill();
            let [stdout, stderr] = said().map(|text| String::from_utf8_lossy(&text).into_owned());
            panic!("no end within {LIMIT:?}\n{stdout}\n{stderr}");
        };
        let [stdout, stderr] = said().map(|text| String::from_utf8(text).expect("text"));
        Ended { status, stdout, stderr }
    }
}

/// A bench that has ended.
#[derive(Debug)]
pub(crate) struct Ended {
    pub(crate) status: ExitStatus,
    pub(crate) stdout: String,
    pub(crate) stderr: String,
}

impl Ended {
    /// Asserts the exit code, which a program killed by a signal does not have.
    #[track_caller]
    pub(crate) fn assert_code(&self, code: i32) -> &Self {
        assert_eq!(
            self.status.code(),
            Some(code),
            "{}\n{}\n{}",
            self.status,
            self.stdout,
            self.stderr
        );
        // Nobody wants a progress line in a file, and nobody wants a worker to control his terminal.
        let control = |c: char| c.is_control() && c != '\n';
        assert!(!self.stderr.contains(control), "{:?}", self.stderr);
        assert!(!self.stdout.contains(control), "{:?}", self.stdout);
        assert!(!self.stdout.contains("panicked"), "{}", self.stdout);
        assert!(!self.stderr.contains("panicked"), "{}", self.stderr);
        self
    }

    /// Whether it was ended by a signal that it did not handle.
    pub(crate) fn was_killed(&self) -> bool {
        self.status.signal().is_some()
    }
}

/// Asserts that of `results` the cases of `id` alone failed, each with a reason that holds all of
/// `causes`, and that the others were measured.
#[track_caller]
pub(crate) fn assert_only(results: &Results, id: &str, causes: &[&str]) {
    assert!(results.cases.iter().any(|case| case.backend == id), "{:?}", results.cases);
    for case in &results.cases {
        if case.backend == id {
            assert_failed(case, causes);
        } else {
            assert_ok(case);
        }
    }
}

#[track_caller]
pub(crate) fn assert_failed(case: &CaseRecord, causes: &[&str]) {
    assert_eq!(case.status, Status::Failed, "{case:?}");
    assert!(case.time.is_none() && case.overhead.is_none() && case.relative.is_none(), "{case:?}");
    let reason = case.reason.as_deref().expect("a failed case has a reason");
    for cause in causes {
        assert!(reason.contains(cause), "`{cause}` is not in: {reason}");
    }
    // One line, to be shown in a list, and no longer than a person reads.
    assert!(!reason.contains(char::is_control) && reason.len() < MAX_LINE, "{reason:?}");
}

#[track_caller]
pub(crate) fn assert_ok(case: &CaseRecord) {
    assert_eq!((case.status, &case.reason), (Status::Ok, &None), "{case:?}");
    assert!(case.time.is_some(), "{case:?}");
}
