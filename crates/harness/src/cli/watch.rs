//! Watches a comparison: shows how far it is, and decides when it has enough.

use std::time::{Duration, Instant};

use crate::calibrate::trial;
use crate::compare::analysis;
use crate::compare::scheduler::{Observer, Pass, Series};
use crate::progress::Progress;
use report::units;

/// Fewest launches before the precision is looked at: a width estimated from fewer stops too early.
const PRECISION_LAUNCHES: usize = 20;

#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Stop {
    /// Launches of each backend and workload, unless a precision is asked for.
    pub launches: usize,
    /// The median half-width of the overhead intervals that is asked for, as a part of 1.
    pub precision: Option<f64>,
    /// No pass is started after this long.
    pub max_time: Option<Duration>,
}

impl Stop {
    /// How many passes are planned; with a precision nobody knows how many there will be.
    pub fn planned(&self) -> usize {
        if self.precision.is_some() { PRECISION_LAUNCHES } else { self.launches }
    }
}

#[derive(Debug)]
pub struct Watcher {
    stop: Stop,
    confidence: f64,
    progress: Progress,
    start: Instant,
}

impl Watcher {
    pub fn new(stop: Stop, confidence: f64) -> Self {
        Self { stop, confidence, progress: Progress::new(), start: Instant::now() }
    }

    pub fn precision(&self) -> Option<f64> {
        self.stop.precision
    }

    pub fn elapsed(&self) -> Duration {
        self.start.elapsed()
    }

    pub fn clear(&mut self) {
        self.progress.clear();
    }

    fn out_of_time(&self) -> bool {
        self.stop.max_time.is_some_and(|limit| self.start.elapsed() >= limit)
    }

    fn is_precise(&self, series: &[Series], target: f64) -> bool {
        // A calibration has no overheads, but pairs that are as noisy.
        let width = analysis::precision(series, self.confidence)
            .or_else(|| trial::equal(series, self.confidence).map(|equal| equal.median_half_width));
        width.is_some_and(|width| width <= target)
    }

    pub fn ended(&self, series: &[Series]) -> String {
        match self.stop.precision {
            Some(target) if self.is_precise(series, target) => {
                format!("The precision of {} was reached.", units::percent(target))
            }
            Some(target) => {
                let why = if self.out_of_time() {
                    "the time was over"
                } else {
                    "no case is left to measure"
                };
                format!("The precision of {} was not reached: {why}.", units::percent(target))
            }
            None if self.out_of_time() => "The time was over.".to_owned(),
            None => String::new(),
        }
    }
}

impl Observer for Watcher {
    fn step(&mut self, pass: Pass, done: usize, all: usize, series: &Series) {
        let what = series.group.workload.to_string();
        match pass {
            Pass::Proof => self.progress.show(0, 0, &format!("checking {what}")),
            Pass::Blocks(pass) => {
                let passes = match self.stop.precision {
                    None => self.stop.launches,
                    Some(_) => (pass + 1).max(PRECISION_LAUNCHES),
                };
                self.progress.show(pass * all + done, passes * all, &what);
            }
        }
    }

    fn again(&mut self, passes: usize, series: &[Series]) -> bool {
        if passes > 0 && self.out_of_time() {
            return false;
        }
        match self.stop.precision {
            Some(target) => passes < PRECISION_LAUNCHES || !self.is_precise(series, target),
            None => passes < self.stop.launches,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_fine_precision_is_not_told_as_none() {
        let stop = Stop { launches: 1, precision: Some(0.000_01), max_time: None };
        let told = Watcher::new(stop, 0.95).ended(&[]);
        assert_eq!(told, "The precision of 0.001 % was not reached: no case is left to measure.");
    }
}
