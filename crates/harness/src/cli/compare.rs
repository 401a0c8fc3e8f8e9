//! The bench `compare`: blocks of launches, ratios with intervals, verdicts.

use std::path::{Path, PathBuf};
use std::process::ExitCode;
use std::str::FromStr;
use std::time::Duration;

use anyhow::{Context as _, bail};
use clap::Parser;

use crate::backends::{Backend, Backends, Kind};
use crate::cli::arguments::{Arguments, workspace_path};
use crate::cli::calibrate::{self, Request};
use crate::cli::documents::RESULTS;
use crate::cli::output::{say, tell};
use crate::cli::publish;
use crate::cli::supply::Supply;
use crate::cli::watch::{Stop, Watcher};
use crate::compare::analysis;
use crate::compare::plan;
use crate::compare::scheduler::{self, Series, Shape};
use crate::interrupt;
use crate::machine::host;
use crate::progress::Progress;
use crate::record;
use crate::worker::ProcessLauncher;
use records::schema::{CONFIDENCE, CaseRecord, LAUNCHES, Results, Status};
use records::store::StoreError;
use records::{published, store};
use report::{calibration, show, units};
use statistics::blocks_needed;

/// Launches with `--quick`: with fewer, even a large difference cannot be told from chance once the
/// number of comparisons is taken into account (the smallest possible p-value is 2^(1-launches)).
const QUICK_LAUNCHES: usize = 10;
/// Rounds with `--quick`.
const QUICK_ROUNDS: usize = 10;
/// How a launch is measured. On the reference machine the time of the same work jumps by half and
/// back within milliseconds: many short rounds in which all workers take turns meet such phases
/// evenly, where a few long ones do not (40 rounds of 25 µs gave half the spread of 5 rounds of
/// 200 µs). A request costs about as much as a sample, so shorter ones would gain no more.
const SHAPE: Shape =
    Shape { warm_up: Duration::from_micros(500), sample: Duration::from_micros(40), rounds: 25 };
/// A run that goes on until it is precise ends after this long, unless asked otherwise.
const MAX_TIME: Duration = Duration::from_secs(15 * 60);
/// Where results go unless asked otherwise.
const OUT: &str = "results/latest/compare.json";
/// Where a calibration goes unless asked otherwise.
const CALIBRATION_OUT: &str = "results/latest/calibration.json";

/// The command line.
#[derive(Debug, Parser)]
#[command(
    name = "compare",
    about = "Which backend is faster, by how much, and is that real?",
    after_help = "Exit codes: 0 all cases measured and verified, 1 a case failed or the results \
                  could not be written or published, 2 bad arguments, 130 interrupted (what was \
                  measured is kept)."
)]
// Each flag of a command line is a bool.
#[allow(clippy::struct_excessive_bools)]
struct Options {
    #[command(flatten)]
    arguments: Arguments,
    /// Launches per backend and workload [default: 30]
    #[arg(long, value_name = "N", conflicts_with = "precision")]
    launches: Option<usize>,
    /// Go on until half of the overhead intervals are at most this wide on each side, e.g. 0.5%
    #[arg(long, value_name = "PERCENT")]
    precision: Option<Percent>,
    /// Start no further pass after this many seconds [default with --precision: 900]
    #[arg(long, value_name = "SECONDS")]
    max_time: Option<u64>,
    /// A few seconds: few launches, wide intervals
    #[arg(long, conflicts_with_all = ["launches", "precision"])]
    quick: bool,
    /// Confidence of the intervals, e.g. 99%
    #[arg(long, value_name = "PERCENT")]
    confidence: Option<Percent>,
    /// Results file, relative to the workspace [default: results/latest/compare.json]
    #[arg(long, value_name = "FILE")]
    out: Option<PathBuf>,
    /// Measure the instrument itself: equal and slowed twins
    #[arg(long, conflicts_with_all = ["list", "test"])]
    calibrate: bool,
    /// Name the cases and measure nothing
    #[arg(long)]
    list: bool,
    /// Run and check every case once, measure nothing
    #[arg(long)]
    test: bool,
}

/// A part of a hundred, written `0.5%` or `0.005`.
#[derive(Debug, Clone, Copy, PartialEq)]
struct Percent(f64);

impl FromStr for Percent {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, Self::Err> {
        let (number, scale) = match text.strip_suffix('%') {
            Some(number) => (number.trim(), 0.01),
            None => (text, 1.0),
        };
        let part = number.parse::<f64>().map_err(|error| format!("`{text}`: {error}"))? * scale;
        if part > 0.0 && part < 1.0 {
            Ok(Self(part))
        } else {
            Err(format!("`{text}` must be more than 0 % and less than 100 %, for example 0.5%"))
        }
    }
}

/// The whole bench.
#[must_use]
pub fn main(supply: &Supply) -> ExitCode {
    let options = Options::parse();
    match run(&options, supply) {
        Ok(code) => code,
        Err(error) => {
            eprintln!("error: {error:#}");
            ExitCode::from(2)
        }
    }
}

fn run(options: &Options, supply: &Supply) -> anyhow::Result<ExitCode> {
    let backends = supply.backends(&options.arguments.brought)?;
    let cases = options.arguments.cases(&backends)?;
    if options.list {
        let names = cases.iter().map(|case| format!("{}: compare\n", case.name()));
        say(&names.collect::<String>());
        return Ok(ExitCode::SUCCESS);
    }
    let confidence = options.confidence.map_or(CONFIDENCE, |Percent(part)| part);
    let stop = stop(options, confidence)?;
    if options.calibrate {
        return run_calibration(options, supply, &backends, stop, confidence);
    }
    let groups = plan::groups(&cases, &backends);
    let entries = || groups.iter().flat_map(|group| &group.entries);
    let takes_part = |it: &Backend| entries().any(|entry| entry.backend.id == it.id);
    let programs = supply.programs(&backends, takes_part, &[Kind::Worker]);
    // Before this process keeps itself off a core.
    let host = host::observe();
    let settings = options.arguments.settings()?;
    let seed = settings.seed;
    // Before there is anything to remove.
    interrupt::listen();
    let mut launcher = ProcessLauncher::new(programs.clone(), settings)?;
    let shape = options.shape();
    let mut watcher = Watcher::new(stop, confidence, Progress::new());
    let series = scheduler::run(&mut launcher, groups, shape, seed, &mut watcher);
    watcher.clear();

    let mut results: Results =
        record::results("compare", &options.arguments, &backends, &launcher, host);
    results.complete = !interrupt::requested();
    results.options.confidence = confidence;
    results.options.rounds = shape.rounds;
    results.cases = analysis::records(&series);
    results.twins = analysis::twins(&series);
    results.backends = record::backends(&launcher, &backends, &programs, &results.cases);
    results.conclude();
    drop(launcher);
    let told =
        if options.is_test() { checked(&results) } else { text(&results, &series, &watcher) };
    Ok(keep_and_tell(options, &results, &told))
}

/// Writes the results file and then `told`: whatever happens to the terminal, what was measured is
/// kept.
fn keep_and_tell(options: &Options, results: &Results, told: &str) -> ExitCode {
    let out = workspace_path(options.out.as_deref().unwrap_or(OUT.as_ref()));
    // An interrupted run that has measured nothing leaves an earlier one's results alone.
    let nothing = !results.complete && results.cases.is_empty();
    let kept = !options.is_test() && !nothing;
    let written = if kept { store::write(&out, results) } else { Ok(()) };
    let heard = tell(told);
    match &written {
        Ok(()) if kept => {
            say(&format!("Results: {}\n", out.canonicalize().unwrap_or(out).display()));
        }
        Ok(()) => {}
        Err(error @ StoreError::Unreadable { .. }) => eprintln!("error: {error}"),
        Err(error) => eprintln!("error: the results could not be written: {error}"),
    }
    let refused = kept && written.is_ok() && !publish::after_run(&options.arguments, results);
    let failed = results.cases.iter().any(has_failed) || refused;
    if !results.complete {
        ExitCode::from(interrupt::EXIT_CODE)
    } else if failed || written.is_err() || !heard {
        ExitCode::FAILURE
    } else {
        ExitCode::SUCCESS
    }
}

impl Options {
    /// Like Criterion: cargo gives `--bench` to a bench that it benches, not to one that it tests.
    fn is_test(&self) -> bool {
        self.test || !self.arguments.bench
    }

    fn shape(&self) -> Shape {
        let rounds = if self.is_test() {
            1
        } else if self.quick {
            QUICK_ROUNDS
        } else {
            SHAPE.rounds
        };
        Shape { rounds, ..SHAPE }
    }
}

fn has_failed(case: &CaseRecord) -> bool {
    case.status == Status::Failed
}

/// What a run that only checks has to tell: no times, since one launch has none worth a look.
fn checked(results: &Results) -> String {
    let line = |case: &CaseRecord| {
        let reason = case.reason.as_ref().map_or(String::new(), |reason| format!(": {reason}"));
        format!("{}/{}: {}{reason}\n", case.workload, case.backend, case.status)
    };
    let failed = results.cases.iter().filter(|case| has_failed(case)).count();
    let lines: String = results.cases.iter().map(line).collect();
    format!(
        "{lines}{} checked, {failed} failed\n",
        units::counted(results.cases.len(), "case", "cases")
    )
}

/// Everything that a person is told of a run.
fn text(results: &Results, series: &[Series], watcher: &Watcher) -> String {
    let launches = calibrate::launches(series);
    let width = analysis::precision(series, results.options.confidence);
    let width = width.map_or(String::new(), |width| {
        format!("; half of the overhead intervals are within ±{}", units::percent(width))
    });
    format!(
        "{}{} of each backend and workload, {} in all{width}. {}\n",
        show::tables(results, layout_luck()),
        units::counted(launches, "launch", "launches"),
        units::duration(watcher.elapsed()),
        if results.complete { watcher.ended(series) } else { "Interrupted.".to_owned() }
    )
}

fn stop(options: &Options, confidence: f64) -> anyhow::Result<Stop> {
    let needed = blocks_needed(confidence).context("--confidence")?;
    let launches = match options.launches {
        Some(0) => bail!("--launches 0: at least 1 is needed, {needed} for an interval"),
        Some(launches) => launches,
        None if options.is_test() => 1,
        None if options.quick => QUICK_LAUNCHES.max(needed),
        None => LAUNCHES,
    };
    let precision = options.precision.map(|Percent(part)| part);
    let default_time = precision.map(|_| MAX_TIME);
    let max_time = options.max_time.map(Duration::from_secs).or(default_time);
    Ok(Stop { launches, precision, max_time })
}

/// The spread by code layout that the reference machine's calibration found, if it is there.
fn layout_luck() -> Option<f64> {
    let results = workspace_path(Path::new(RESULTS));
    let stored = published::newest_of_reference(&results, published::file::CALIBRATION).ok()??;
    store::read(&stored).ok().and_then(|found| calibration::layout_luck(&found))
}

fn run_calibration(
    options: &Options,
    supply: &Supply,
    backends: &Backends,
    stop: Stop,
    confidence: f64,
) -> anyhow::Result<ExitCode> {
    let arguments = &options.arguments;
    let shape = options.shape();
    let precision = stop.precision;
    let programs = &supply.programs(backends, |_| false, &[Kind::Worker]);
    let request = Request { arguments, backends, programs, shape, confidence, precision };
    let watcher = |progress| Watcher::new(stop, confidence, progress);
    let Some(found) = calibrate::run(&request, watcher)? else {
        eprintln!("Interrupted: nothing is kept of a calibration that is not whole.");
        return Ok(ExitCode::from(interrupt::EXIT_CODE));
    };
    println!("{}", calibration::tables(&found));
    let out = workspace_path(options.out.as_deref().unwrap_or(CALIBRATION_OUT.as_ref()));
    if let Err(error) = store::write(&out, &found) {
        eprintln!("error: {error}");
        return Ok(ExitCode::FAILURE);
    }
    println!("Calibration: {}", out.canonicalize().unwrap_or(out).display());
    let published = publish::after_calibration(arguments, &found);
    Ok(if published { ExitCode::SUCCESS } else { ExitCode::FAILURE })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn parse(line: &str) -> Result<Options, String> {
        let words = std::iter::once("compare").chain(line.split_whitespace());
        Options::try_parse_from(words).map_err(|error| error.to_string())
    }

    #[test]
    fn percentages_are_read_with_and_without_their_sign() {
        assert_eq!("0.5%".parse(), Ok(Percent(0.005)));
        assert_eq!("0.005".parse(), Ok(Percent(0.005)));
        for bad in ["0%", "100%", "-1%", "NaN", "x", ""] {
            assert!(bad.parse::<Percent>().is_err(), "{bad}");
        }
    }

    #[test]
    fn options_decide_when_a_run_ends() {
        let stop = |line| super::stop(&parse(line).unwrap(), 0.95).unwrap();
        assert_eq!(stop("--bench").launches, LAUNCHES);
        assert_eq!(stop("--bench --quick").launches, QUICK_LAUNCHES);
        assert_eq!(stop("--bench --test").launches, 1);
        assert_eq!(stop("").launches, 1);
        assert_eq!(stop("--bench --precision 0.5%").max_time, Some(MAX_TIME));
        assert_eq!(stop("--bench --max-time 9").max_time, Some(Duration::from_secs(9)));
        assert!(super::stop(&parse("--bench --launches 0").unwrap(), 0.95).is_err());
    }

    #[test]
    fn contradictions_are_refused() {
        assert!(parse("--quick --launches 3").is_err());
        assert!(parse("--precision 1% --launches 3").is_err());
        assert!(parse("--precision 200%").unwrap_err().contains("less than 100 %"));
    }
}
