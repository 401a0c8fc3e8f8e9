//! The bench `counts`: instructions, allocations and system calls.

use std::path::{Path, PathBuf};
use std::process::ExitCode;
use std::sync::{Mutex, PoisonError};
use std::time::{Duration, Instant};

use clap::Parser;

use crate::backends::{Backend, Kind, Programs};
use crate::cli::arguments::{Arguments, workspace_path};
use crate::cli::publish;
use crate::cli::supply::Supply;
use crate::counts::run::{Plan, Run};
use crate::counts::selection;
use crate::counts::tools::Tools;
use crate::interrupt;

use crate::machine::host;
use crate::progress::Progress;
use crate::record;
use crate::selection::Case;
use crate::worker::ProcessLauncher;
use records::schema::{CaseRecord, Results, Status};
use records::store::{self, StoreError};
use report::{show, units};

mod gate;

use gate::Tolerance;

/// Where results go unless asked otherwise.
const OUT: &str = "results/latest/counts.json";
/// The seed unless another is given. Other benches take one from the clock; here two runs must give
/// the same numbers.
const SEED: u64 = 1;
/// How many cases a smoke run counts.
const TEST_CASES: usize = 2;

/// The command line.
#[derive(Debug, Parser)]
#[command(
    name = "counts",
    about = "What does a transaction cost in instructions, allocations and system calls?",
    after_help = "Exit codes: 0 all cases counted and verified, 1 a case failed, a number changed \
                  (--check) or the results could not be written or published, 2 bad arguments, 130 \
                  interrupted (what was counted is kept)."
)]
struct Options {
    #[command(flatten)]
    arguments: Arguments,
    /// n: numbers are the difference of 2n and n transactions, over n
    #[arg(long, value_name = "N", default_value_t = Plan::TRANSACTIONS,
          value_parser = clap::value_parser!(u64).range(1..=1_000_000))]
    transactions: u64,
    /// How many cases are counted at a time [default: one per core]
    #[arg(long, value_name = "N")]
    jobs: Option<usize>,
    /// The smallest and the largest batch and one value size only, unless given
    #[arg(long)]
    quick: bool,
    /// Results file, relative to the workspace [default: results/latest/counts.json]
    #[arg(long, value_name = "FILE")]
    out: Option<PathBuf>,
    /// Compare with this results file, relative to the workspace; fail if a number changed
    #[arg(long, value_name = "FILE")]
    check: Option<PathBuf>,
    /// How much a number may change before --check fails
    #[arg(long, value_name = "PERCENT", default_value = "0.5%")]
    tolerance: Tolerance,
    /// Name the cases and count nothing
    #[arg(long)]
    list: bool,
    /// Count two cases, write no file
    #[arg(long)]
    test: bool,
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
    let start = Instant::now();
    let arguments = options.arguments();
    let backends = supply.backends(&arguments.brought)?;
    let mut cases = selection::cases(&arguments, &backends)?;
    if options.list {
        for case in &cases {
            println!("{}: counts", case.name());
        }
        return Ok(ExitCode::SUCCESS);
    }
    if options.is_test() {
        cases.truncate(TEST_CASES);
    }
    // Before anything is counted: a file that cannot be read is found at once.
    let stored = options.check.as_deref().map(|path| store::read::<Results>(&workspace_path(path)));
    let stored = stored.transpose()?;
    let tools = Tools::observe();
    if let Some(stored) = &stored {
        gate::can_compare(stored, &tools)?;
    }
    let settings = arguments.unbound_settings()?;
    let takes_part = |it: &Backend| cases.iter().any(|case| case.backend.id == it.id);
    let programs = supply.programs(&backends, takes_part, &[Kind::Worker, Kind::Witness]);
    // Before there is anything to remove.
    interrupt::listen();
    let launcher = ProcessLauncher::new(programs.clone(), settings)?;

    let mut results = record::results("counts", &arguments, &backends, &launcher, host::observe());
    results.counters = Some(tools.counters());
    results.cases = count(options, &programs, &tools, &launcher, &cases);
    results.complete = !interrupt::requested();
    results.backends = record::backends(&launcher, &backends, &programs, &results.cases);
    results.conclude();
    drop(launcher);
    print(&results, &tools, options, start.elapsed());

    let written =
        options.is_test() || write(options, &results) && publish::after_run(&arguments, &results);
    let unchanged = match &stored {
        Some(stored) => {
            let file = options.check.as_deref().unwrap_or(Path::new(""));
            gate::compare(stored, &results, file, options.tolerance)?
        }
        None => true,
    };
    let counted = results.cases.iter().all(|case| case.status != Status::Failed);
    Ok(if interrupt::requested() {
        ExitCode::from(interrupt::EXIT_CODE)
    } else if counted && written && unchanged {
        ExitCode::SUCCESS
    } else {
        ExitCode::FAILURE
    })
}

impl Options {
    /// Like Criterion: cargo gives `--bench` to a bench that it benches, not to one that it tests.
    fn is_test(&self) -> bool {
        self.test || !self.arguments.bench
    }

    fn arguments(&self) -> Arguments {
        let mut arguments = self.arguments.clone();
        arguments.seed = arguments.seed.or(Some(SEED));
        if self.quick { selection::quick(arguments) } else { arguments }
    }

    fn jobs(&self) -> usize {
        let cores = std::thread::available_parallelism().map_or(1, usize::from);
        self.jobs.unwrap_or(cores).max(1)
    }
}

fn count(
    options: &Options,
    programs: &Programs,
    tools: &Tools,
    launcher: &ProcessLauncher,
    cases: &[Case],
) -> Vec<CaseRecord> {
    let plan = Plan::new(options.transactions);
    let settings = launcher.settings();
    let run = Run { programs, tools, settings, root: launcher.root(), plan };
    let progress = Mutex::new(Progress::new());
    let records = run.all(cases, options.jobs(), &|done, case| {
        let mut progress = progress.lock().unwrap_or_else(PoisonError::into_inner);
        progress.show(done, cases.len(), &case.name());
    });
    progress.into_inner().unwrap_or_else(PoisonError::into_inner).clear();
    records
}

fn print(results: &Results, tools: &Tools, options: &Options, elapsed: Duration) {
    print!("{}", show::tables(results, None));
    for case in &results.cases {
        if let Some(reason) = &case.reason {
            println!("{}/{}: {}: {reason}", case.workload, case.backend, case.status);
        }
    }
    if let Err(reason) = &tools.valgrind {
        println!("No instructions and no allocations of LMDB were counted: {reason}.");
    }
    if let Err(reason) = &tools.strace {
        println!("No system calls were counted: {reason}.");
    }
    println!(
        "{} in {}, by difference of {} and {} transactions each.{}",
        units::counted(results.cases.len(), "case", "cases"),
        units::duration(elapsed),
        2 * options.transactions,
        options.transactions,
        steadiness(&results.cases)
    );
}

/// Whether the numbers hold to the last digit.
fn steadiness(cases: &[CaseRecord]) -> String {
    let spreads: Vec<f64> =
        cases.iter().filter_map(|case| case.counts.as_ref()?.instructions_spread).collect();
    let unsteady = spreads.iter().filter(|spread| **spread > 0.0).count();
    match (spreads.len(), unsteady) {
        (0, _) => String::new(),
        (_, 0) => {
            " A second difference gave the same number of instructions in every case.".to_owned()
        }
        (all, unsteady) => format!(
            " A second difference gave another number of instructions in {unsteady} of {all} cases: \
             what it was off by stands beside them."
        ),
    }
}

fn write(options: &Options, results: &Results) -> bool {
    let out = workspace_path(options.out.as_deref().unwrap_or(Path::new(OUT)));
    match store::write(&out, results) {
        Ok(()) => {
            println!("Results: {}", out.canonicalize().unwrap_or(out).display());
            true
        }
        Err(error @ StoreError::Unreadable { .. }) => {
            eprintln!("error: {error}");
            false
        }
        Err(error) => {
            eprintln!("error: the results could not be written: {error}");
            false
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn parse(line: &str) -> Result<Options, String> {
        let words = std::iter::once("counts").chain(line.split_whitespace());
        Options::try_parse_from(words).map_err(|error| error.to_string())
    }

    #[test]
    fn the_seed_does_not_come_from_the_clock() {
        assert_eq!(parse("").unwrap().arguments().seed, Some(SEED));
        assert_eq!(parse("--seed 7").unwrap().arguments().seed, Some(7));
    }

    #[test]
    fn without_cargo_bench_it_is_a_test() {
        assert!(parse("").unwrap().is_test());
        assert!(parse("--bench --test").unwrap().is_test());
        assert!(!parse("--bench").unwrap().is_test());
    }

    #[test]
    fn bad_values_are_refused() {
        assert!(parse("--transactions 0").unwrap_err().contains("1..="));
        assert!(parse("--tolerance 200%").unwrap_err().contains("less than 100 %"));
    }
}
