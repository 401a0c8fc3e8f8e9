//! `compare --calibrate`: the instrument measures itself on this machine.

use std::time::{Instant, SystemTime, UNIX_EPOCH};

use write_backend::Workload;

use crate::backends::{Backends, Programs};
use crate::calibrate::trial;
use crate::cli::arguments::Arguments;
use crate::compare::scheduler::{self, Observer, Series, Shape};
use crate::interrupt;
use crate::machine::host;
use crate::progress::Progress;
use crate::worker::ProcessLauncher;
use records::calibration::{Calibration, SCHEMA};

/// What a calibration is made with.
#[derive(Debug)]
pub struct Request<'a> {
    /// Cases, directory, seed.
    pub arguments: &'a Arguments,
    /// The backends to choose from.
    pub backends: &'a Backends,
    /// The workers.
    pub programs: &'a Programs,
    /// How launches are measured.
    pub shape: Shape,
    /// The confidence of all intervals.
    pub confidence: f64,
    /// The half-width of intervals at which the trials end, as a part of 1, where one was asked for.
    pub precision: Option<f64>,
}

/// Runs the trial; `None` when the user ended it. `watcher` makes its observer.
///
/// # Errors
/// When nothing can be measured at all.
pub fn run<O: Observer>(
    request: &Request<'_>,
    watcher: impl Fn(Progress) -> O,
) -> anyhow::Result<Option<Calibration>> {
    let Request { arguments, backends, programs, shape, confidence, precision } = request;
    let host = host::observe();
    let mut workloads: Vec<Workload> =
        arguments.cases(backends)?.iter().map(|case| case.workload).collect();
    workloads.dedup();
    let settings = arguments.settings()?;
    let seed = settings.seed;
    interrupt::listen();
    let started_unix =
        SystemTime::now().duration_since(UNIX_EPOCH).map_or(0, |time| time.as_secs());

    let mut launcher = ProcessLauncher::new((*programs).clone(), settings)?;
    let start = Instant::now();
    let groups = trial::groups(&workloads, programs.reference());
    let series = scheduler::run(&mut launcher, groups, *shape, seed, &mut watcher(Progress::new()));
    let seconds = start.elapsed().as_secs_f64();
    drop(launcher);
    let Some(equal) = trial::equal(&series, *confidence).filter(|_| !interrupt::requested()) else {
        return Ok(None);
    };
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
        layout: Vec::new(),
    }))
}

/// The launches of each worker.
#[must_use]
pub fn launches(series: &[Series]) -> usize {
    series.iter().flat_map(|series| &series.launches).map(Vec::len).max().unwrap_or(0)
}
