//! Carries the plan out. It knows launchers and workers by their traits only, so that its order and
//! its numbers are tested without processes.
//!
//! A run goes through passes: one block of every group, in random order, so that the blocks of a
//! workload are spread over the whole run and a slow phase of the machine meets them all. In a block
//! every entry is started, warmed up, sampled in rounds and ended; one worker runs at a time.

use std::sync::Arc;
use std::time::Duration;

use crate::compare::plan::{Block, Entry, Group, Role};
use crate::interrupt;
use crate::launches::{TICK, prove, warm_up};
use crate::random::Random;
use crate::selection::Case;
use crate::worker::{Failure, Launcher, PreparedWorker, Unmeasured, Wanted};
use statistics::median;
use write_backend::Workload;

/// How a launch is measured.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Shape {
    /// How long a launch runs before its first sample.
    pub warm_up: Duration,
    /// How long a sample of the reference takes; the others run as many transactions.
    pub sample: Duration,
    /// Samples per launch; their median is the launch's value.
    pub rounds: usize,
}

/// The share of a sample that is run before its clock starts: other workers have used the core since
/// the last one, and the first transactions find their caches cold.
const WARM_UP_SHARE: u64 = 4;

/// What was measured of a group.
#[derive(Debug, Clone, PartialEq)]
pub struct Series {
    /// The group.
    pub group: Group,
    /// Transactions per sample; 0 until the reference was tried.
    pub transactions: u64,
    /// For each entry and block the samples of its launch, round by round, in nanoseconds per
    /// transaction; `None` where it failed or no longer took part.
    pub launches: Vec<Vec<Option<Vec<f64>>>>,
    /// For each entry why it failed, if it did.
    pub failures: Vec<Option<Unmeasured>>,
}

impl Series {
    fn new(group: Group) -> Self {
        let entries = group.entries.len();
        Self {
            group,
            transactions: 0,
            launches: vec![Vec::new(); entries],
            failures: vec![None; entries],
        }
    }

    /// The entry that stands for the backend of `entry` itself.
    fn own(&self, entry: usize) -> Option<usize> {
        let Entry { backend, workload, .. } = &self.group.entries[entry];
        self.group.own(&backend.id, workload)
    }

    /// An A/A twin or an echo has no record of its own: when it fails, it is its backend that has failed, and
    /// when that fails, there is nothing to compare the twin with.
    fn share_fates(&mut self) {
        for twin in 0..self.failures.len() {
            if !matches!(self.group.entries[twin].role, Role::Twin | Role::Echo) {
                continue;
            }
            if let Some(own) = self.own(twin) {
                let reason = self.failures[own].take().or_else(|| self.failures[twin].take());
                self.failures[twin].clone_from(&reason);
                self.failures[own] = reason;
            }
        }
    }

    /// Whether there is anything left to measure.
    fn is_alive(&self) -> bool {
        self.failures.iter().any(Option::is_none)
    }

    /// The value of every launch of `entry`: the median of its samples, in nanoseconds per
    /// transaction.
    #[must_use]
    pub fn times(&self, entry: usize) -> Vec<f64> {
        let launches = self.launches.get(entry).into_iter().flatten().flatten();
        launches.filter_map(|samples| median(samples.clone())).collect()
    }

    /// For every block in which both entries took part the natural logarithm of the ratio of their
    /// launches: the median over its rounds of that within a round. The two samples of a round lie
    /// close together in time, so that a slow phase of the machine, which lasts for milliseconds,
    /// meets both more often than it would meet the medians of all rounds.
    #[must_use]
    pub fn log_ratios(&self, numerator: usize, denominator: usize) -> Vec<f64> {
        let launches = |entry: usize| self.launches.get(entry).into_iter().flatten();
        let blocks = launches(numerator).zip(launches(denominator));
        blocks
            .filter_map(|(a, b)| {
                let (a, b) = (a.as_ref()?, b.as_ref()?);
                median(a.iter().zip(b).map(|(a, b)| (a / b).ln()).collect())
            })
            .collect()
    }

    /// The entries that have not failed.
    fn present(&self) -> Vec<usize> {
        (0..self.failures.len()).filter(|&entry| self.failures[entry].is_none()).collect()
    }
}

/// Told after every step, between launches and never while a worker runs; returns whether to go on.
pub trait Observer {
    /// A group was proven or a block was measured: `done` of this pass's `all` groups.
    fn step(&mut self, pass: Pass, done: usize, all: usize, series: &Series);

    /// A pass is over: whether to start another one.
    fn again(&mut self, passes: usize, series: &[Series]) -> bool;
}

/// Which part of a run a step belongs to.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Pass {
    /// Every case is run once and checked before any time is taken.
    Proof,
    /// Blocks, counted from 0.
    Blocks(usize),
}

/// Measures `groups` until `observer` has enough. Failures are part of the series; an interrupted
/// run ends early with the blocks that were whole.
pub fn run<L: Launcher>(
    launcher: &mut L,
    groups: Vec<Group>,
    shape: Shape,
    seed: u64,
    observer: &mut impl Observer,
) -> Vec<Series> {
    let mut series: Vec<Series> = groups.into_iter().map(Series::new).collect();
    // `Err` says only that the user ended it: what there is until then is the result.
    let _ = passes(launcher, &mut series, shape, seed, observer);
    series
}

fn passes<L: Launcher>(
    launcher: &mut L,
    series: &mut [Series],
    shape: Shape,
    seed: u64,
    observer: &mut impl Observer,
) -> Result<(), Interrupted> {
    let all = series.len();
    for (done, series) in series.iter_mut().enumerate() {
        prepare(launcher, series, shape)?;
        observer.step(Pass::Proof, done + 1, all, series);
    }
    let mut random = Random::new(seed);
    let mut pass = 0;
    // Without anyone left there is nothing to wait for, whatever precision is asked for.
    while series.iter().any(Series::is_alive) && observer.again(pass, series) {
        if let Err(failure) = unless_interrupted(launcher.ready(pass))? {
            note!("{failure}");
            break;
        }
        for (done, index) in random.order(all).into_iter().enumerate() {
            let series = &mut series[index];
            let entries = series.group.entries.len();
            let block = Block::draw(&mut random, &series.present(), entries, shape.rounds);
            measure_block(launcher, series, &block, pass, shape)?;
            observer.step(Pass::Blocks(pass), done + 1, all, series);
        }
        pass += 1;
    }
    Ok(())
}

/// The user asked the program to end.
#[derive(Debug)]
struct Interrupted;

/// Splits an interrupt, which ends everything, from a failure, which ends one entry.
fn unless_interrupted<T>(outcome: Result<T, Failure>) -> Result<Result<T, Failure>, Interrupted> {
    match outcome {
        Err(Failure::Interrupted) => Err(Interrupted),
        _ if interrupt::requested() => Err(Interrupted),
        outcome => Ok(outcome),
    }
}

/// Proves every backend of a group and finds out how many transactions a sample has.
fn prepare<L: Launcher>(
    launcher: &mut L,
    series: &mut Series,
    shape: Shape,
) -> Result<(), Interrupted> {
    for index in 0..series.group.entries.len() {
        let Entry { backend, workload, role, .. } = series.group.entries[index].clone();
        let outcome = match role {
            Role::Backend => unless_interrupted(prove(launcher, &Case { backend, workload }))?
                .map_err(Unmeasured::from),
            // A twin shares its backend's fate.
            Role::Twin | Role::Echo | Role::Slowed(_) => {
                let own = series.own(index);
                own.and_then(|own| series.failures[own].clone()).map_or(Ok(()), Err)
            }
        };
        series.failures[index] = outcome.err();
    }
    // Where the first cannot say, the next one does.
    while let Some(&first) = series.present().first() {
        match unless_interrupted(pilot(launcher, series, first, shape))? {
            Ok(transactions) => {
                series.transactions = transactions;
                break;
            }
            Err(failure) => series.failures[first] = Some(failure.into()),
        }
        series.share_fates();
    }
    Ok(())
}

/// How many transactions of `entry` a sample has.
fn pilot<L: Launcher>(
    launcher: &mut L,
    series: &Series,
    entry: usize,
    shape: Shape,
) -> Result<u64, Failure> {
    let Entry { backend, workload, .. } = &series.group.entries[entry];
    let mut worker = launcher.launch(&Wanted::fixed(backend), workload)?;
    let nanoseconds = warm_up(&mut worker, shape.warm_up)?;
    launcher.end(worker)?;
    let transactions = (shape.sample.as_secs_f64() * 1e9 / nanoseconds.max(1e-3)).ceil() as u64;
    Ok(transactions.max(1))
}

/// Starts, samples and ends every entry that `block` names, and adds their values.
fn measure_block<L: Launcher>(
    launcher: &mut L,
    series: &mut Series,
    block: &Block,
    pass: usize,
    shape: Shape,
) -> Result<(), Interrupted> {
    let entries = series.group.entries.len();
    let mut workers: Vec<Option<L::Worker>> = (0..entries).map(|_| None).collect();
    let mut samples: Vec<Vec<f64>> = vec![Vec::new(); entries];
    let warm_up = shape.warm_up.as_secs_f64() / shape.sample.as_secs_f64();
    let warm_up = (series.transactions as f64 * warm_up) as u64;
    let wanted = |&entry: &usize| {
        let Entry { backend, workload, lane, .. } = &series.group.entries[entry];
        let (backend, padding) = (Arc::clone(backend), block.padding[entry]);
        (Wanted { backend, padding, order: Some((*lane, pass)) }, *workload)
    };
    let wanted: Vec<(Wanted, Workload)> = block.start.iter().map(wanted).collect();
    let launched = launcher.launch_all(&wanted);
    for (&entry, launched) in block.start.iter().zip(launched) {
        let warmed = launched.and_then(|mut worker| worker.run(0, warm_up.max(1)).map(|_| worker));
        match unless_interrupted(warmed)? {
            Ok(worker) => workers[entry] = Some(worker),
            Err(failure) => series.failures[entry] = Some(failure.into()),
        }
    }
    for &entry in block.rounds.iter().flatten() {
        let Some(worker) = &mut workers[entry] else { continue };
        let row = &series.group.entries[entry];
        match unless_interrupted(sample(worker, row, series.transactions))? {
            Ok(value) => samples[entry].push(value),
            Err(failure) => {
                series.failures[entry] = Some(failure.into());
                workers[entry] = None;
            }
        }
    }
    let (left, workers): (Vec<usize>, Vec<L::Worker>) =
        block.start.iter().filter_map(|&entry| Some((entry, workers[entry].take()?))).unzip();
    for (entry, ended) in left.into_iter().zip(launcher.end_all(workers)) {
        if let Err(failure) = unless_interrupted(ended)? {
            series.failures[entry] = Some(failure.into());
        }
    }
    series.share_fates();
    for ((launches, samples), failure) in
        series.launches.iter_mut().zip(samples).zip(&series.failures)
    {
        // An entry that has failed before has no samples, one that fails now not all of them.
        launches.push(Some(samples).filter(|samples| failure.is_none() && !samples.is_empty()));
    }
    Ok(())
}

/// One sample in nanoseconds per transaction reported.
fn sample(
    worker: &mut impl PreparedWorker,
    entry: &Entry,
    transactions: u64,
) -> Result<f64, Failure> {
    let done = match entry.role {
        Role::Backend | Role::Twin | Role::Echo => transactions,
        Role::Slowed(percent) => transactions * percent / 100,
    };
    let elapsed = worker.run(transactions.div_ceil(WARM_UP_SHARE), done)?;
    // A sample takes the reference as long as `Shape::sample`. Every clock sees a hundredth of that,
    // and only a backend that stores nothing is a hundred times as fast.
    let stores = entry.backend.stores();
    if elapsed.is_zero() && (stores || done >= TICK) {
        return Err(Failure::NoTime { transactions: done });
    }
    // A time of zero has no logarithm.
    let elapsed = elapsed.max(Duration::from_nanos(1));
    let nanoseconds = elapsed.as_secs_f64() * 1e9 / transactions as f64;
    Ok(match entry.role {
        Role::Backend | Role::Twin | Role::Echo => nanoseconds,
        // Whole transactions alone cannot slow a short sample by one percent: what is missing is
        // added to its time.
        Role::Slowed(percent) => {
            nanoseconds * (transactions * percent) as f64 / (done * 100) as f64
        }
    })
}

#[cfg(test)]
mod tests;
