//! This program as a bench: what the files in `benches/` are, with some of the workers replaced.

use std::ffi::OsString;
use std::path::Path;
use std::process::{Command, ExitCode};

use harness::programs::Programs;
use harness::registry::BACKENDS;

/// Which bench this program is; set by [`command`] and handed on to all that the bench starts.
const BENCH: &str = "HARNESS_FAULTS_BENCH";
/// Workers to replace: `NAME=PATH` each, one on each line.
const WORKERS: &str = "HARNESS_FAULTS_WORKERS";

/// The worker programs as they are built.
pub(crate) fn programs() -> Programs {
    harness::worker_programs!()
}

/// Runs the bench that the environment names; `None` where it names none.
pub(crate) fn serve() -> Option<ExitCode> {
    let bench = std::env::var(BENCH).ok()?;
    let replaced = std::env::var(WORKERS).unwrap_or_default();
    let programs = replaced.lines().fold(programs(), |programs, line| {
        let (name, path) = line.split_once('=').expect("a name and a path");
        let backend = BACKENDS.iter().find(|backend| backend.program == name);
        programs.with(backend.expect("a worker's name").program, Path::new(path))
    });
    Some(match bench.as_str() {
        "compare" => harness::cli::compare::main(&programs),
        "write" => harness::cli::write::main(&programs),
        other => panic!("no bench {other}"),
    })
}

/// A command that runs the bench called `bench` as `cargo bench` does, with `replaced` workers.
pub(crate) fn command(bench: &str, replaced: &[(&str, OsString)]) -> Command {
    let program = std::env::current_exe().expect("this program");
    let mut command = Command::new(program);
    let workers = replaced.iter().map(|(name, path)| format!("{name}={}\n", path.display()));
    command.env(BENCH, bench).env(WORKERS, workers.collect::<String>());
    // Flags that a person has set for his own builds would show up in what is printed.
    command.env_remove("CFLAGS").arg("--bench");
    command
}
