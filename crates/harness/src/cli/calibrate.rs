//! `compare --calibrate`: the instrument measures itself on this machine.

use std::path::Path;
use std::time::{Instant, SystemTime, UNIX_EPOCH};

use write_backend::Workload;

use crate::calibrate::layout::Trial;
use crate::calibrate::trial;
use crate::cli::arguments::Arguments;
use crate::compare::scheduler::{self, Observer, Series, Shape};
use crate::interrupt;
use crate::machine::host;
use crate::programs::Programs;
use crate::progress::Progress;
use crate::worker::ProcessLauncher;
use records::calibration::{Calibration, SCHEMA};

/// The workloads of the layout trial: the ends of the matrix.
const LAYOUT_WORKLOADS: [&str; 4] = [
    "abort-n1-v64-k4-sequential-nosync",
    "abort-n100-v64-k4-sequential-nosync",
    "commit-n1-v64-k4-sequential-nosync",
    "commit-n100-v64-k4-sequential-nosync",
];

/// What a calibration is made with.
#[derive(Debug)]
pub struct Request<'a> {
    /// Cases, directory, seed.
    pub arguments: &'a Arguments,
    /// The workers.
    pub programs: &'a Programs,
    /// How launches are measured.
    pub shape: Shape,
    /// The confidence of all intervals.
    pub confidence: f64,
    /// The half-width of intervals at which the trials end, as a part of 1, where one was asked for.
    pub precision: Option<f64>,
}

/// Runs both trials; `None` when the user ended it. `watcher` makes the observer of a trial.
///
/// # Errors
/// When nothing can be measured at all.
pub fn run<O: Observer>(
    request: &Request<'_>,
    watcher: impl Fn(Progress) -> O,
) -> anyhow::Result<Option<Calibration>> {
    let Request { arguments, programs, shape, confidence, precision } = request;
    let host = host::observe();
    let mut workloads: Vec<Workload> =
        arguments.cases()?.iter().map(|case| case.workload).collect();
    workloads.dedup();
    // Moved workers are compiled before this process keeps itself off a core.
    let moved = if cfg!(target_os = "linux") { Some(build(programs)?) } else { None };
    let settings = arguments.settings()?;
    let seed = settings.seed;
    interrupt::listen();
    let started_unix =
        SystemTime::now().duration_since(UNIX_EPOCH).map_or(0, |time| time.as_secs());

    let mut launcher = ProcessLauncher::new((*programs).clone(), settings.clone())?;
    let start = Instant::now();
    let groups = trial::groups(&workloads);
    let series = scheduler::run(&mut launcher, groups, *shape, seed, &mut watcher(Progress::new()));
    let seconds = start.elapsed().as_secs_f64();
    drop(launcher);
    let Some(equal) = trial::equal(&series, *confidence).filter(|_| !interrupt::requested()) else {
        return Ok(None);
    };
    let mut layout = Vec::new();
    if let Some(moved) = moved {
        let workloads: Vec<Workload> =
            LAYOUT_WORKLOADS.iter().filter_map(|name| name.parse().ok()).collect();
        let mut launcher = ProcessLauncher::new(moved.programs.clone(), settings)?;
        let groups = moved.groups(&workloads);
        let series =
            scheduler::run(&mut launcher, groups, *shape, seed, &mut watcher(Progress::new()));
        if interrupt::requested() {
            return Ok(None);
        }
        layout = moved.records(&series, *confidence);
    }
    Ok(Some(Calibration {
        schema: SCHEMA,
        started_unix,
        host,
        seed,
        confidence: *confidence,
        precision: *precision,
        launches: launches(&series),
        seconds,
        equal,
        slowed: trial::slowed(&series, *confidence),
        layout,
    }))
}

/// The launches of each worker.
#[must_use]
pub fn launches(series: &[Series]) -> usize {
    series.iter().flat_map(|series| &series.launches).map(Vec::len).max().unwrap_or(0)
}

/// Compiles the moved workers beside this build's own files.
fn build(programs: &Programs) -> anyhow::Result<Trial> {
    let target = match std::env::current_exe()?.ancestors().nth(3).map(Path::to_owned) {
        Some(target) => target,
        None => std::env::temp_dir(),
    };
    let mut progress = Progress::new();
    let directory = target.join("layout");
    std::fs::create_dir_all(&directory)?;
    Trial::build(programs, &directory, |done, all| {
        progress.show(done, all, "compiling workers with their code moved");
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_workloads_of_the_layout_trial_are_workloads() {
        for name in LAYOUT_WORKLOADS {
            assert!(name.parse::<Workload>().is_ok(), "{name}");
        }
    }
}
