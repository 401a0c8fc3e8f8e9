//! The bench `behaviour`: conformance records of every backend, and writers that are killed.

use std::path::{Path, PathBuf};
use std::process::ExitCode;
use std::time::{Duration, SystemTime, UNIX_EPOCH};

use anyhow::{Context as _, bail};
use clap::Parser;
use write_backend::SyncMode;

use crate::behaviour::kills::{self, Plan};
use crate::behaviour::matrix;
use crate::cli::arguments::workspace_path;
use crate::interrupt;
use crate::machine::binary;
use records::behaviour::{Behaviour, Kills, SCHEMA, Seen};

use crate::machine::host;
use crate::programs::Programs;
use crate::progress::Progress;
use crate::random::Random;
use crate::registry::{self, BACKENDS, Backend};
use records::schema::BackendRecord;
use records::store::{self, StoreError};
use report::units;

/// Where the file goes unless asked otherwise.
const OUT: &str = "results/latest/behaviour.json";
/// Kills of a smoke run.
const TEST_KILLS: u64 = 2;
/// The modes in which a killed process may lose nothing. `mapasync` needs a writable map.
const MODES: [SyncMode; 3] = [SyncMode::NoSync, SyncMode::NoMetaSync, SyncMode::Sync];

/// The command line.
#[derive(Debug, Parser)]
#[command(
    name = "behaviour",
    about = "What does each backend do with awkward input, and when its process is killed?",
    after_help = "Exit codes: 0 all is as declared and nothing was lost, 1 something is not or the \
                  file could not be written, 2 bad arguments, 130 interrupted (what was found is \
                  kept)."
)]
struct Options {
    /// Backends, for example heed,lmdb-rkv [default: all]
    #[arg(long, value_name = "ID,..", value_delimiter = ',')]
    backend: Vec<String>,
    /// Writers killed per backend and sync mode
    #[arg(long, value_name = "N", default_value_t = 200)]
    kills: u64,
    /// Seed of the moments of the kills [default: from the clock, stored]
    #[arg(long, value_name = "NUMBER")]
    seed: Option<u64>,
    /// Where the killed writers' environments are made [default: the system's directory for
    /// temporary files]
    #[arg(long, value_name = "DIR")]
    dir: Option<PathBuf>,
    /// The file, relative to the workspace [default: results/latest/behaviour.json]
    #[arg(long, value_name = "FILE")]
    out: Option<PathBuf>,
    /// Kill a few writers, write no file
    #[arg(long)]
    test: bool,
    /// Given by cargo
    #[arg(long, hide = true)]
    bench: bool,
}

/// The whole bench; `programs` are the programs of the package `behaviour`.
#[must_use]
pub fn main(programs: &Programs) -> ExitCode {
    let options = Options::parse();
    match run(&options, programs) {
        Ok(code) => code,
        Err(error) => {
            eprintln!("error: {error:#}");
            ExitCode::from(2)
        }
    }
}

fn run(options: &Options, programs: &Programs) -> anyhow::Result<ExitCode> {
    let start = std::time::Instant::now();
    let backends = options.backends()?;
    let directory = options.dir.clone().unwrap_or_else(std::env::temp_dir);
    let directory = directory.canonicalize().with_context(|| directory.display().to_string())?;
    interrupt::listen();
    let mut found = options.nothing_found(&directory);
    for backend in &backends {
        observe(options, programs, backend, &directory, &mut found);
    }
    found.complete = !interrupt::requested();
    println!("{}", report::behaviour::summary(&found));
    println!("{}.", elapsed(&found, start.elapsed()));
    let written = options.is_test() || write(options, &found);
    Ok(if interrupt::requested() {
        ExitCode::from(interrupt::EXIT_CODE)
    } else if written && is_as_declared(&found) {
        ExitCode::SUCCESS
    } else {
        ExitCode::FAILURE
    })
}

impl Options {
    /// Like Criterion: cargo gives `--bench` to a bench that it benches, not to one that it tests.
    fn is_test(&self) -> bool {
        self.test || !self.bench
    }

    fn kills(&self) -> u64 {
        if self.is_test() { self.kills.min(TEST_KILLS) } else { self.kills }
    }

    /// The backends asked for, in the order of the tables.
    fn backends(&self) -> anyhow::Result<Vec<&'static Backend>> {
        let asked: Result<Vec<_>, _> = self.backend.iter().map(|id| registry::find(id)).collect();
        let asked = asked.map_err(anyhow::Error::msg)?;
        if let Some(none) = asked.iter().find(|backend| backend.engine_version.is_none()) {
            bail!("{} stores nothing: there is nothing to see", none.id);
        }
        let all = BACKENDS.iter().filter(|backend| backend.engine_version.is_some());
        Ok(all.filter(|backend| asked.is_empty() || asked.contains(backend)).collect())
    }

    fn nothing_found(&self, directory: &Path) -> Behaviour {
        let now = SystemTime::now().duration_since(UNIX_EPOCH).unwrap_or_default();
        Behaviour {
            schema: SCHEMA,
            producer: "behaviour".to_owned(),
            started_unix: now.as_secs(),
            complete: false,
            host: host::observe(),
            file_system: host::file_system(directory),
            // The sub-second part tells runs apart.
            seed: self.seed.unwrap_or_else(|| u64::from(now.subsec_nanos())),
            backends: Vec::new(),
            cases: Vec::new(),
            kills: Vec::new(),
            failures: Vec::new(),
        }
    }
}

/// Adds all there is to know of `backend` to `found`; what cannot be found out is a failure in it.
fn observe(
    options: &Options,
    programs: &Programs,
    backend: &'static Backend,
    directory: &Path,
    found: &mut Behaviour,
) {
    if interrupt::requested() {
        return;
    }
    let program = programs.of(backend);
    match matrix::identity(program, backend) {
        Ok(hello) => {
            let build = binary::observe(program);
            found.backends.push(BackendRecord::new(&hello, backend.control, build));
        }
        Err(reason) => {
            found.failures.push(format!("{}: {reason}", backend.id));
            return;
        }
    }
    eprintln!("{}: cases", backend.id);
    match matrix::records(program, backend, &mut |_| ()) {
        Ok(records) => matrix::add(&mut found.cases, records),
        Err(reason) => found.failures.push(format!("{}: cases: {reason}", backend.id)),
    }
    let kills = options.kills();
    if kills == 0 {
        return;
    }
    eprintln!("{}: kills", backend.id);
    // Raw FFI on the same engine: a checker may have the environment open beside the writer.
    let control = backend.control.map_or(Ok(backend), registry::find);
    let Ok(control) = control else { unreachable!("the registry knows its controls") };
    for sync in MODES {
        let plan = Plan { writer: program, checker: programs.of(control), sync, kills, directory };
        let mut random = Random::new(found.seed);
        let mut tally = Kills::none(backend.id, sync, control.id);
        let mut progress = Progress::new();
        let mut done = 0;
        let killed = kills::kill(&plan, &mut random, &mut tally, &mut || {
            done += 1;
            progress.show(done, kills as usize, backend.id);
        });
        progress.clear();
        if let Err(reason) = killed {
            found.failures.push(format!("{}: kills, {sync}: {reason}", backend.id));
        }
        found.kills.push(tally);
    }
}

fn is_as_declared(found: &Behaviour) -> bool {
    let surprise = found.cases.iter().flat_map(|case| &case.seen).any(Seen::is_surprise);
    !surprise && found.kills.iter().all(Kills::is_sound) && found.failures.is_empty()
}

fn elapsed(found: &Behaviour, elapsed: Duration) -> String {
    let kills: u64 = found.kills.iter().map(|kills| kills.kills).sum();
    format!(
        "{} with {} and {} in {}",
        units::counted(found.cases.len(), "case", "cases"),
        units::counted(found.backends.len(), "backend", "backends"),
        units::counted(kills as usize, "kill", "kills"),
        units::duration(elapsed)
    )
}

fn write(options: &Options, found: &Behaviour) -> bool {
    let out = workspace_path(options.out.as_deref().unwrap_or(Path::new(OUT)));
    match store::write(&out, found) {
        Ok(()) => {
            println!("Results: {}", out.canonicalize().unwrap_or(out).display());
            true
        }
        Err(error @ StoreError::Unreadable { .. }) => {
            eprintln!("error: {error}");
            false
        }
        Err(error) => {
            eprintln!("error: the file could not be written: {error}");
            false
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn parse(line: &str) -> Options {
        let words = std::iter::once("behaviour").chain(line.split_whitespace());
        Options::try_parse_from(words).unwrap()
    }

    #[test]
    fn a_backend_without_lmdb_has_no_behaviour() {
        assert_eq!(parse("").backends().unwrap().len(), BACKENDS.len() - 1);
        assert!(parse("--backend null").backends().unwrap_err().to_string().contains("nothing"));
        let two = parse("--backend heed,raw-ffi").backends().unwrap();
        assert_eq!(two.iter().map(|backend| backend.id).collect::<Vec<_>>(), ["raw-ffi", "heed"]);
    }

    #[test]
    fn without_cargo_bench_it_is_a_test() {
        assert_eq!(parse("").kills(), TEST_KILLS);
        assert_eq!(parse("--bench --kills 7").kills(), 7);
    }
}
