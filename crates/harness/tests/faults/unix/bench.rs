//! This program as a bench: what the files in `benches/` are, with some of the workers replaced.

use std::ffi::OsString;
use std::path::{Path, PathBuf};
use std::process::{Command, ExitCode};
use std::sync::LazyLock;

use harness::{Backends, Kind, Programs, Supply};

/// Which bench this program is; set by [`command`] and handed on to all that the bench starts.
const BENCH: &str = "HARNESS_FAULTS_BENCH";
/// The backends and their programs, as JSON: found and built once for all tests.
const SUPPLY: &str = "HARNESS_FAULTS_SUPPLY";

/// The backends of this workspace and their workers.
static BUILT: LazyLock<(Backends, Programs)> = LazyLock::new(|| {
    let root = Path::new(concat!(env!("CARGO_MANIFEST_DIR"), "/../.."));
    let backends = Backends::of_workspace(root).expect("this workspace's backends");
    let programs = Programs::build(root, &backends, |_| true, &[Kind::Worker]);
    (backends, programs)
});

/// The worker of the backend `id` as it is built.
pub(crate) fn worker(id: &str) -> PathBuf {
    let (backends, programs) = &*BUILT;
    let backend = backends.find(id).expect("a backend");
    programs.of(backend, Kind::Worker).expect("it was built").to_owned()
}

/// Runs the bench that the environment names; `None` where it names none.
pub(crate) fn serve() -> Option<ExitCode> {
    let bench = std::env::var(BENCH).ok()?;
    let supply = std::env::var(SUPPLY).expect("backends and programs");
    let (backends, programs) = serde_json::from_str(&supply).expect("what `command` has written");
    let supply = Supply::Given { backends, programs };
    Some(match bench.as_str() {
        "compare" => harness::compare(&supply),
        "write" => harness::write(&supply),
        other => panic!("no bench {other}"),
    })
}

/// A command that runs the bench called `bench` as `cargo bench` does, with `replaced` workers.
pub(crate) fn command(bench: &str, replaced: &[(&str, OsString)]) -> Command {
    let program = std::env::current_exe().expect("this program");
    let mut command = Command::new(program);
    let (backends, programs) = BUILT.clone();
    let programs = replaced
        .iter()
        .fold(programs, |programs, (id, path)| programs.with(id, Kind::Worker, Path::new(path)));
    let supply = serde_json::to_string(&(backends, programs)).expect("it is JSON");
    command.env(BENCH, bench).env(SUPPLY, supply);
    // Flags that a person has set for his own builds would show up in what is printed.
    command.env_remove("CFLAGS").arg("--bench");
    command
}
