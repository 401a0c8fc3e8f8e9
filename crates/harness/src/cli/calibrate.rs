//! `compare --calibrate`: the instrument measures itself on this machine.

use std::time::{Instant, UNIX_EPOCH};

use crate::calibrate::trial;
use crate::cli::bench::Bench;
use crate::cli::watch::Watcher;
use crate::compare::plan::Group;
use crate::compare::scheduler::{self, Series, Shape};
use crate::interrupt;
use records::calibration::{Calibration, SCHEMA};

/// Runs the trial with the reference; `None` when the user ended it.
pub fn run(
    bench: &mut Bench<'_>,
    groups: Vec<Group>,
    shape: Shape,
    confidence: f64,
    watcher: &mut Watcher,
) -> anyhow::Result<Option<Calibration>> {
    let mut launcher = bench.launcher()?;
    let start = Instant::now();
    let seed = bench.settings.seed;
    let series = scheduler::run(&mut launcher, groups, shape, seed, watcher);
    let seconds = start.elapsed().as_secs_f64();
    let Some(equal) = trial::equal(&series, confidence).filter(|_| !interrupt::requested()) else {
        return Ok(None);
    };
    let started = launcher.started().duration_since(UNIX_EPOCH);
    Ok(Some(Calibration {
        schema: SCHEMA,
        started_unix: started.map_or(0, |since| since.as_secs()),
        host: bench.host.clone(),
        seed,
        confidence,
        precision: watcher.precision(),
        launches: launches(&series),
        seconds,
        equal,
        slowed: trial::slowed(&series, confidence),
        layout: Vec::new(),
    }))
}

/// The launches of each worker.
pub fn launches(series: &[Series]) -> usize {
    series.iter().flat_map(|series| &series.launches).map(Vec::len).max().unwrap_or(0)
}
