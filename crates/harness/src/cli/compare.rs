//! The bench `compare`: blocks of launches, ratios with intervals, verdicts.

use std::process::ExitCode;
use std::time::Duration;

use anyhow::{Context as _, bail};
use clap::Parser;

use crate::backends::{Backends, Kind};
use crate::calibrate::trial;
use crate::cli::arguments::{Arguments, LinkOrder};
use crate::cli::bench::{self, Bench, Kept, Mode, Needs, Timed};
use crate::cli::calibrate;
use crate::cli::output;
use crate::cli::percent::some_part;
use crate::cli::publish;
use crate::cli::supply::Supply;
use crate::cli::watch::{Stop, Watcher};
use crate::compare::analysis;
use crate::compare::plan::{self, Group, Role};
use crate::compare::scheduler::{self, Series, Shape};
use crate::suites::Suite;
use records::schema::{CaseRecord, LAUNCHES, Results, Status};
use report::answer::grid::wrapped;
use report::{calibration, units};
use statistics::blocks_needed;

/// Launches with `--quick`: with fewer, even a large difference cannot be shown from chance once the
/// number of comparisons is taken into account (the smallest possible p-value is 2^(1-launches)).
const QUICK_LAUNCHES: usize = 10;
/// How a launch is measured. With [`LAUNCHES`] this is the shape of a run: a ratio differs more from one
/// link order, and from one launch, to the next than within a launch, so that many short launches are
/// worth more than few long ones. The rounds stay short: on the reference machine the time of the same
/// work jumps by half and back within milliseconds, and rounds in which all workers take turns meet such
/// phases evenly. A request costs about as much as a sample, so shorter ones would gain no more.
const SHAPE: Shape =
    Shape { warm_up: Duration::from_micros(500), sample: Duration::from_micros(40), rounds: 10 };
/// A run that goes on until it is precise ends after this long, unless asked otherwise.
const MAX_TIME: Duration = Duration::from_secs(15 * 60);
/// The comparison of the default matrix, unless asked otherwise.
pub const OUT: &str = "results/latest/compare.json";
/// What a calibration's file is called.
const CALIBRATION: &str = "calibration";

/// The command line.
#[derive(Debug, Parser)]
#[command(
    name = "compare",
    bin_name = "cargo bench -p harness --bench compare --",
    about = "Which backend is faster, by how much, and is that real?",
    after_help = "Exit codes: 0 all cases were measured and verified; 1 a case failed, or the results \
                  could not be written or published; 2 bad arguments; 130 interrupted (what was \
                  measured is kept)."
)]
struct Options {
    #[command(flatten)]
    arguments: Arguments,
    /// Launches per backend and workload [default: 60]
    #[arg(long, value_name = "N", conflicts_with = "precision")]
    launches: Option<usize>,
    /// Go on until half of the overhead intervals are at most this wide on each side, e.g. 0.5%
    #[arg(long, value_name = "PERCENT", value_parser = some_part)]
    precision: Option<f64>,
    /// Start no further pass after this many seconds [default with --precision: 900]
    #[arg(long, value_name = "SECONDS")]
    max_time: Option<u64>,
    /// A few seconds: few launches, wide intervals
    #[arg(long, conflicts_with_all = ["launches", "precision"])]
    quick: bool,
    /// Confidence of the intervals, e.g. 99%
    #[arg(long, value_name = "PERCENT", value_parser = some_part, default_value = "95%")]
    confidence: f64,
    /// Measure the instrument itself: equal and slowed twins
    #[arg(long, conflicts_with_all = ["list", "test"])]
    calibrate: bool,
    #[command(flatten)]
    mode: Mode,
}

/// The whole bench.
#[must_use]
pub fn main(supply: &Supply) -> ExitCode {
    bench::main(supply, run)
}

fn run(options: &Options, supply: &Supply) -> anyhow::Result<ExitCode> {
    let Options { arguments, mode, confidence, .. } = options;
    if mode.list_suites {
        return Ok(bench::list_suites());
    }
    let backends = supply.backends(&arguments.brought())?;
    let cases = arguments.cases(&backends)?;
    if mode.list {
        return Ok(bench::list(&cases, "compare"));
    }
    let stop = options.stop()?;
    if options.calibrate {
        return run_calibration(options, supply, &backends, stop);
    }
    let out = if options.is_test() {
        None
    } else {
        Some(mode.out(arguments, arguments.suite(), "compare")?)
    };
    let with_echo = arguments.link_order == LinkOrder::Random && !options.is_test();
    let groups = plan::groups(&cases, &backends, with_echo, &arguments.suite().compares);
    let mut bench = options.bench(supply, &backends, &groups, stop)?;
    let linking = bench.linking;
    let mut launcher = bench.launcher()?;
    let (shape, seed) = (options.shape(), bench.settings.seed);
    let mut watcher = Watcher::new(stop, *confidence);
    let series = scheduler::run(&mut launcher, groups.clone(), shape, seed, &mut watcher);
    watcher.clear();

    let records = analysis::records(&series);
    let mut results = bench.results("compare", &launcher, records);
    results.options.confidence = *confidence;
    results.options.rounds = shape.rounds;
    results.twins = analysis::twins(&series, Role::Twin);
    results.echoes = analysis::twins(&series, Role::Echo);
    results.conclude();
    drop(launcher);
    let text = match out {
        None => checked(&results),
        Some(_) => text(mode, &results, &series, &watcher, linking),
    };
    Ok(bench::conclude(&results, arguments, out.as_deref(), &text, true))
}

impl Options {
    fn is_test(&self) -> bool {
        self.mode.is_test(&self.arguments)
    }

    /// A bench that measures `groups`.
    fn bench<'run>(
        &'run self,
        supply: &Supply,
        backends: &'run Backends,
        groups: &[Group],
        stop: Stop,
    ) -> anyhow::Result<Bench<'run>> {
        let entries = groups.iter().flat_map(|group| &group.entries);
        let wanted = entries.map(|entry| &*entry.backend).collect();
        let lanes = if self.is_test() { Vec::new() } else { plan::lanes(groups) };
        let timed = Some(Timed { lanes, passes: stop.planned() });
        let needs = Needs { backends: wanted, kinds: &[Kind::Worker], timed };
        Bench::prepare(&self.arguments, supply, backends, needs)
    }

    fn shape(&self) -> Shape {
        let rounds = if self.is_test() { 1 } else { SHAPE.rounds };
        Shape { rounds, ..SHAPE }
    }

    fn stop(&self) -> anyhow::Result<Stop> {
        let needed = blocks_needed(self.confidence).context("--confidence")?;
        let launches = match self.launches {
            Some(0) => bail!("--launches 0: at least 1 is needed, {needed} for an interval"),
            Some(launches) => launches,
            None if self.is_test() => 1,
            None if self.quick => QUICK_LAUNCHES.max(needed),
            None => LAUNCHES,
        };
        let default_time = self.precision.map(|_| MAX_TIME);
        let max_time = self.max_time.map(Duration::from_secs).or(default_time);
        Ok(Stop { launches, precision: self.precision, max_time })
    }
}

/// What a run that only checks has to tell: no times, since one launch has none worth a look.
fn checked(results: &Results) -> String {
    let line = |case: &CaseRecord| {
        let reason = case.reason.as_ref().map_or(String::new(), |reason| format!(": {reason}"));
        format!("{}/{}: {}{reason}\n", case.workload, case.backend, case.status)
    };
    let failed = results.cases.iter().filter(|case| case.status == Status::Failed).count();
    let lines: String = results.cases.iter().map(line).collect();
    let cases = units::counted(results.cases.len(), "case", "cases");
    format!("{lines}{cases} checked, {failed} failed\n")
}

/// Everything that a person is shown of a run.
fn text(
    mode: &Mode,
    results: &Results,
    series: &[Series],
    watcher: &Watcher,
    linking: Duration,
) -> String {
    let launches = calibrate::launches(series);
    let width = analysis::precision(series, results.options.confidence);
    let width = width.map_or(String::new(), |width| {
        format!("; half of the overhead intervals are within ±{}", units::percent(width))
    });
    let ended = format!(
        "{} in {}, {} of them for link orders{width}. {}",
        units::counted(launches, "launch", "launches"),
        units::duration(watcher.elapsed() + linking),
        units::duration(linking),
        if results.complete { watcher.ended(series) } else { "Interrupted.".to_owned() }
    );
    format!("{}{}", mode.shown(results), wrapped(ended.trim_end(), output::width()))
}

fn run_calibration(
    options: &Options,
    supply: &Supply,
    backends: &Backends,
    stop: Stop,
) -> anyhow::Result<ExitCode> {
    let Options { arguments, mode, confidence, .. } = options;
    let mut workloads: Vec<_> =
        arguments.cases(backends)?.iter().map(|case| case.workload).collect();
    workloads.dedup();
    let out = mode.out(arguments, Suite::usual(), CALIBRATION)?;
    let groups = trial::groups(&workloads, backends.reference());
    let mut bench = options.bench(supply, backends, &groups, stop)?;
    let mut watcher = Watcher::new(stop, *confidence);
    let found = calibrate::run(&mut bench, groups, options.shape(), *confidence, &mut watcher)?;
    watcher.clear();
    let Some(found) = found else {
        note!("Interrupted: a calibration that is not whole is not kept.");
        return Ok(bench::exit_code(false, false));
    };
    let text = format!("{}\n", calibration::tables(&found));
    let Kept { written, shown } = bench::keep(&found, Some(&out), &text);
    let published = written && publish::after_calibration(arguments, &found);
    Ok(bench::exit_code(true, published && shown))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn parse(line: &str) -> Result<Options, String> {
        let words = std::iter::once("compare").chain(line.split_whitespace());
        Options::try_parse_from(words).map_err(|error| error.to_string())
    }

    #[test]
    fn options_decide_when_a_run_ends() {
        let stop = |line| parse(line).unwrap().stop().unwrap();
        assert_eq!(stop("--bench").launches, LAUNCHES);
        assert_eq!(stop("--bench --quick").launches, QUICK_LAUNCHES);
        assert_eq!(stop("--bench --test").launches, 1);
        assert_eq!(stop("").launches, 1);
        assert_eq!(stop("--bench --precision 0.5%").max_time, Some(MAX_TIME));
        assert_eq!(stop("--bench --max-time 9").max_time, Some(Duration::from_secs(9)));
        assert!(parse("--bench --launches 0").unwrap().stop().is_err());
    }

    #[test]
    fn contradictions_are_refused() {
        assert!(parse("--quick --launches 3").is_err());
        assert!(parse("--precision 1% --launches 3").is_err());
        assert!(parse("--precision 200%").unwrap_err().contains("less than 100 %"));
    }
}
