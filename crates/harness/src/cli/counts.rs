//! The bench `counts`: instructions, allocations and system calls.

use std::path::{Path, PathBuf};
use std::process::ExitCode;
use std::sync::{Mutex, PoisonError};
use std::time::{Duration, Instant};

use anyhow::{anyhow, bail};
use clap::Parser;

use crate::backends::{Backend, Kind};
use crate::cli::arguments::{Arguments, workspace_path};
use crate::cli::bench::{self, Bench, Mode, Needs};
use crate::cli::output;
use crate::cli::percent::part;
use crate::cli::supply::Supply;
use crate::counts::run::{Plan, Run};
use crate::counts::selection;
use crate::counts::tools::Tools;
use crate::progress::Progress;
use crate::selection::Case;
use crate::worker::ProcessLauncher;
use records::schema::{CaseRecord, Results};
use records::store;
use report::answer::grid::wrapped;
use report::counts::check;
use report::units;

/// The seed unless another is given. Other benches take one from the clock; here two runs must give
/// the same numbers.
const SEED: u64 = 1;
const TEST_CASES: usize = 2;

#[derive(Debug, Parser)]
#[command(
    name = "counts",
    bin_name = "cargo bench -p harness --bench counts --",
    about = "What does a transaction cost in instructions, allocations and system calls?",
    after_help = "Exit codes: 0 all cases were counted and verified; 1 a case failed, a number changed \
                  (--check), or the results could not be written or published; 2 bad arguments; 130 \
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
    /// Compare with this results file, relative to the workspace; fail if a number changed
    #[arg(long, value_name = "FILE")]
    check: Option<PathBuf>,
    /// How much a number may change before --check fails
    #[arg(long, value_name = "PERCENT", default_value = "0.5%", value_parser = part)]
    tolerance: f64,
    #[command(flatten)]
    mode: Mode,
}

/// The bench `counts`.
#[must_use]
pub fn main(supply: &Supply) -> ExitCode {
    bench::main(supply, run)
}

fn run(options: &Options, supply: &Supply) -> anyhow::Result<ExitCode> {
    let start = Instant::now();
    let arguments = options.arguments();
    let mode = &options.mode;
    if mode.list_suites {
        return Ok(bench::list_suites());
    }
    let backends = supply.backends(&arguments.brought())?;
    let mut cases = selection::cases(&arguments, &backends)?;
    if mode.list {
        return Ok(bench::list(&cases, "counts"));
    }
    let is_test = mode.is_test(&arguments);
    if is_test {
        cases.truncate(TEST_CASES);
    }
    // Before anything is counted: a file that cannot be read is found at once.
    let stored = options.check.as_deref().map(|path| store::read::<Results>(&workspace_path(path)));
    let stored = stored.transpose()?;
    let out = (!is_test).then(|| mode.out(&arguments, arguments.suite(), "counts")).transpose()?;
    let tools = Tools::observe();
    if let Some(stored) = &stored {
        can_compare(stored, &tools)?;
    }
    let wanted: Vec<&Backend> = cases.iter().map(|case| &*case.backend).collect();
    let kinds = [Kind::Worker, Kind::Witness];
    let needs = Needs { backends: wanted, kinds: &kinds, timed: None };
    let mut bench = Bench::prepare(&arguments, supply, &backends, needs)?;
    let mut launchers = Vec::new();
    for _ in 0..options.jobs().min(cases.len()) {
        launchers.push(bench.launcher()?);
    }
    let records = count(options, &tools, &mut launchers, &cases);
    let mut results = bench.results("counts", &launchers[0], records);
    results.counters = Some(tools.counters());
    results.conclude();
    drop(launchers);

    let mut text = text(&results, &tools, options, start.elapsed());
    let mut is_unchanged = true;
    if let (Some(stored), Some(file)) = (&stored, &options.check) {
        // What was counted is kept, comparable or not.
        let (changes, is_equal) = compare(stored, &results, file, options.tolerance)
            .unwrap_or_else(|reason| (format!("\nNot compared: {reason}.\n"), false));
        text.push_str(&changes);
        is_unchanged = is_equal;
    }
    Ok(bench::conclude(&results, &arguments, out.as_deref(), &text, is_unchanged))
}

impl Options {
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
    tools: &Tools,
    launchers: &mut [ProcessLauncher],
    cases: &[Case],
) -> Vec<CaseRecord> {
    let run = Run { tools, plan: Plan::new(options.transactions) };
    let progress = Mutex::new(Progress::new());
    run.all(launchers, cases, &|done, case| {
        let mut progress = progress.lock().unwrap_or_else(PoisonError::into_inner);
        progress.show(done, cases.len(), &case.name());
    })
}

fn text(results: &Results, tools: &Tools, options: &Options, elapsed: Duration) -> String {
    let mut text = vec![options.mode.shown(results)];
    if let Err(reason) = &tools.valgrind {
        text.push(format!("No instructions and no allocations of LMDB were counted: {reason}."));
    }
    if let Err(reason) = &tools.strace {
        text.push(format!("No system calls were counted: {reason}."));
    }
    text.push(format!(
        "{} in {}, by the difference of {} and {} transactions each.{}\n",
        units::counted(results.cases.len(), "case", "cases"),
        units::duration(elapsed),
        2 * options.transactions,
        options.transactions,
        steadiness(&results.cases)
    ));
    let [answer, notes @ ..] = text.as_slice() else { return String::new() };
    format!("{answer}\n{}", wrapped(&notes.join("\n"), output::width()))
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
             the tables show by how much."
        ),
    }
}

/// Refuses to compare with numbers that cannot be counted here.
fn can_compare(stored: &Results, tools: &Tools) -> anyhow::Result<()> {
    let counters = stored.counters.clone().unwrap_or_default();
    for (had, tool) in [(counters.valgrind, &tools.valgrind), (counters.strace, &tools.strace)] {
        if let (Some(version), Err(reason)) = (had, tool) {
            bail!("--check: the stored file was made with {version}, and here {reason}");
        }
    }
    Ok(())
}

fn compare(
    stored: &Results,
    results: &Results,
    file: &Path,
    tolerance: f64,
) -> anyhow::Result<(String, bool)> {
    let comparison =
        check::compare(stored, results, tolerance).map_err(|reason| anyhow!(reason))?;
    let file = file.display();
    let is_unchanged = comparison.changes.is_empty();
    let advice = format!("If that is as it should be, store the new numbers with --out {file}.\n");
    let text = format!(
        "\nCompared with {file}:\n{comparison}{} of {} changed by more than {} %.\n{}",
        units::counted(comparison.changes.len(), "number", "numbers"),
        units::counted(comparison.cases, "case", "cases"),
        units::count(tolerance * 100.0),
        if is_unchanged { "" } else { &advice },
    );
    Ok((text, is_unchanged))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn parse(line: &str) -> Result<Options, String> {
        let words = std::iter::once("counts").chain(line.split_whitespace());
        Options::try_parse_from(words).map_err(|error| error.to_string())
    }

    #[test]
    fn without_cargo_bench_it_is_a_test() {
        let is_test = |line| {
            let options = parse(line).unwrap();
            options.mode.is_test(&options.arguments)
        };
        assert!(is_test("") && is_test("--bench --test") && !is_test("--bench"));
    }

    #[test]
    fn bad_values_are_refused() {
        assert!(parse("--transactions 0").unwrap_err().contains("1..="));
        assert!(parse("--tolerance 200%").unwrap_err().contains("less than 100 %"));
    }

    #[test]
    fn what_cannot_be_counted_here_is_not_compared() {
        let stored = Results {
            counters: Some(records::schema::Counters {
                valgrind: Some("valgrind-3".to_owned()),
                ..Default::default()
            }),
            ..records::testing::Run::counts().build()
        };
        let absent = || Err("it is not there".to_owned());
        let mut tools = Tools { valgrind: absent(), strace: absent(), libc: None };
        let message = can_compare(&stored, &tools).unwrap_err().to_string();
        assert!(message.contains("valgrind-3, and here it is not there"), "{message}");
        tools.valgrind = Ok("valgrind-4".to_owned());
        assert!(can_compare(&stored, &tools).is_ok());
    }
}
