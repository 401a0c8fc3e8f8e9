//! `harness behaviour`: conformance records of every backend, and writers that are killed.

use std::path::{Path, PathBuf};
use std::process::ExitCode;
use std::sync::Arc;
use std::time::{Duration, Instant, SystemTime, UNIX_EPOCH};

use anyhow::{Context as _, bail};
use clap::Args;
use write_backend::SyncMode;

use crate::backends::{Backend, Backends, Brought, Kind, Programs};
use crate::behaviour::kills::{self, Plan};
use crate::behaviour::matrix;
use crate::cli::arguments::{directory, workspace_path};
use crate::cli::bench::{self, Kept};
use crate::cli::supply::Supply;
use crate::interrupt;
use crate::machine::root::Root;
use crate::machine::{binary, host};
use crate::progress::Progress;
use crate::random::Random;
use crate::record;
use crate::selection;
use records::behaviour::{Behaviour, Kills, SCHEMA, Seen};
use records::schema::BackendRecord;
use records::store;
use report::units;

const OUT: &str = "results/latest/behaviour.json";
/// The modes in which a killed process may lose nothing. `mapasync` needs a writable map.
const MODES: [SyncMode; 3] = [SyncMode::NoSync, SyncMode::NoMetaSync, SyncMode::Sync];

#[derive(Debug, Args)]
pub struct Options {
    /// Backends, for example heed,lmdb-rkv [default: all]
    #[arg(long, value_name = "ID,..", value_delimiter = ',')]
    backend: Vec<String>,
    #[command(flatten)]
    brought: Brought,
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
}

pub fn run(options: &Options) -> anyhow::Result<ExitCode> {
    let start = Instant::now();
    let supply = Supply::Workspace;
    let all = supply.backends(&options.brought)?;
    let backends = options.backends(&all)?;
    let takes_part = |one: &Backend| {
        backends.iter().any(|shown| shown.id == one.id || all.checker_of(shown).id == one.id)
    };
    let out = workspace_path(options.out.as_deref().unwrap_or(Path::new(OUT)));
    store::can_write(&out).context("--out")?;
    let directory = directory(options.dir.as_deref())?;
    let programs = &supply.programs(&all, takes_part, &[Kind::Witness]);
    interrupt::listen();
    let mut found = options.nothing_found(&directory);
    // Cases are looked at where a user would try them, kills where they were asked for.
    let [cases, kills] = [&std::env::temp_dir(), &directory].map(|it| Root::new(it));
    let (cases, kills) = (cases?, kills?);
    let places = [cases.path(), kills.path()];
    for backend in &backends {
        observe(options, programs, (backend, all.checker_of(backend)), places, &mut found);
    }
    found.complete = !interrupt::requested();
    let text =
        format!("{}\n{}.\n", report::behaviour::summary(&found), elapsed(&found, start.elapsed()));
    let Kept { written, shown } = bench::keep(&found, Some(&out), &text);
    Ok(bench::exit_code(found.complete, written && shown && is_as_declared(&found)))
}

impl Options {
    /// The backends asked for, in the order of the tables; all with a program that shows what they do by
    /// default.
    fn backends(&self, all: &Backends) -> anyhow::Result<Vec<Arc<Backend>>> {
        let is_shown = |backend: &&Arc<Backend>| backend.stores() && backend.has_witness();
        let asked = selection::named(all, &self.backend).map_err(anyhow::Error::msg)?;
        if let Some(none) = asked.iter().find(|backend| !backend.stores()) {
            bail!("{} stores nothing: there is nothing to see", none.id);
        }
        if let Some(none) = asked.iter().find(|backend| !backend.has_witness()) {
            bail!("{} has no program that shows what it does (src/bin/witness-*.rs)", none.id);
        }
        if asked.is_empty() { Ok(all.all().filter(is_shown).cloned().collect()) } else { Ok(asked) }
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
    (backend, control): (&Backend, &Backend),
    [temporary, directory]: [&Path; 2],
    found: &mut Behaviour,
) {
    if interrupt::requested() {
        return;
    }
    let known = programs.of(backend, Kind::Witness).map_err(String::from);
    let known = known.and_then(|path| Ok((path, matrix::identity(path, backend)?)));
    let checker = programs.of(control, Kind::Witness).map_err(String::from);
    let (program, checker) = match (known, checker) {
        (Ok((program, hello)), Ok(checker)) => {
            let build = binary::observe(program);
            found.backends.push(BackendRecord::new(&hello, record::declared(backend), build));
            (program, checker)
        }
        (Err(reason), _) | (_, Err(reason)) => {
            found.failures.push(format!("{}: {reason}", backend.id));
            return;
        }
    };
    note!("{}: cases", backend.id);
    match matrix::records(program, backend, temporary) {
        Ok(records) => matrix::add(&mut found.cases, records),
        Err(reason) => found.failures.push(format!("{}: cases: {reason}", backend.id)),
    }
    let kills = options.kills;
    if kills == 0 {
        return;
    }
    note!("{}: kills", backend.id);
    for sync in MODES {
        // The checker is raw FFI on the same engine: it may have the environment open beside the writer.
        let plan = Plan { writer: program, checker, sync, kills, directory };
        kill(&plan, backend, control, found);
    }
}

fn kill(plan: &Plan<'_>, backend: &Backend, control: &Backend, found: &mut Behaviour) {
    let mut tally = Kills::none(&backend.id, plan.sync, &control.id);
    let mut progress = Progress::new();
    let mut done = 0;
    let killed = kills::kill(plan, &mut Random::new(found.seed), &mut tally, &mut || {
        done += 1;
        progress.show(done, plan.kills as usize, &backend.id);
    });
    if let Err(reason) = killed {
        found.failures.push(format!("{}: kills, {}: {reason}", backend.id, plan.sync));
    }
    found.kills.push(tally);
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

#[cfg(test)]
mod tests {
    use clap::Parser as _;

    use super::*;
    use crate::backends::testing;

    #[derive(clap::Parser)]
    struct Program {
        #[command(flatten)]
        options: Options,
    }

    #[test]
    fn what_has_no_behaviour_to_show_is_refused_with_the_reason() {
        for (ids, cause) in [("null", "stores nothing"), ("heed", "witness"), ("sled", "lmdb-rkv")]
        {
            let Program { options } = Program::parse_from(["behaviour", "--backend", ids]);
            let refused = options.backends(&testing::backends()).unwrap_err().to_string();
            assert!(refused.contains(cause), "{refused}");
        }
    }
}
