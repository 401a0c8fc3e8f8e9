//! What all command lines share, from the words that were typed to the exit code.

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};
use std::process::ExitCode;
use std::sync::Arc;
use std::time::{Duration, Instant};

use clap::{Args, Parser};
use records::host::Host;
use records::schema::{CaseRecord, Results, Status};
use records::store::{self, Problem, StoreError, Stored};
use report::answer::screen;
use report::show;
use report::suites::SuiteView;
use report::table::markdown;
use report::view::View;

use crate::backends::{Backend, Backends, Kind, Programs};
use crate::cli::arguments::{Arguments, LinkOrder, workspace_path};
use crate::cli::output::{say, tell, width};
use crate::cli::publish;
use crate::cli::supply::{Supply, root};
use crate::interrupt;
use crate::links::RunOrders;
use crate::machine::host;
use crate::record;
use crate::selection::Case;
use crate::suites::Suite;
use crate::worker::ProcessLauncher;
use crate::worker::launcher::Settings;

/// Where results go unless asked otherwise.
const LATEST: &str = "results/latest";
/// Why a run has one link order where that was wanted.
const ASKED_FOR: &str = "`--link-order fixed`";

pub fn main<O: Parser>(
    supply: &Supply,
    run: fn(&O, &Supply) -> anyhow::Result<ExitCode>,
) -> ExitCode {
    finish(run(&O::parse(), supply))
}

/// The exit code of what was `done`: 2 where it was not possible, after the reason.
pub fn finish(done: anyhow::Result<ExitCode>) -> ExitCode {
    done.unwrap_or_else(|error| {
        note!("error: {error:#}");
        ExitCode::from(2)
    })
}

pub fn exit_code(is_complete: bool, is_well: bool) -> ExitCode {
    match (is_complete, is_well) {
        (false, _) => ExitCode::from(interrupt::EXIT_CODE),
        (true, false) => ExitCode::FAILURE,
        (true, true) => ExitCode::SUCCESS,
    }
}

/// What a bench does beside measuring. Criterion has options of its own for it.
#[derive(Debug, Args)]
#[expect(clippy::struct_excessive_bools, reason = "each is a flag of the command line")]
pub struct Mode {
    /// Results file, relative to the workspace [default: one in results/latest]
    #[arg(long, value_name = "FILE")]
    pub out: Option<PathBuf>,
    /// Name the cases and measure nothing
    #[arg(long)]
    pub list: bool,
    /// Name the suites and their questions, and measure nothing
    #[arg(long)]
    pub list_suites: bool,
    /// Run and check cases once, write no file
    #[arg(long)]
    pub test: bool,
    /// Show all tables before the answer
    #[arg(long)]
    pub verbose: bool,
}

impl Mode {
    /// As in Criterion: cargo gives `--bench` to a bench that it benches, not to one that it tests.
    pub fn is_test(&self, arguments: &Arguments) -> bool {
        self.test || !arguments.bench
    }

    /// What a person is shown of `results`: the answer, which fits on a screen, or that of the suite; all
    /// tables too where they are asked for, or where there is no such answer.
    pub fn shown(&self, results: &Results) -> String {
        let suite = SuiteView::of_file(results).map(|it| markdown(&it.sections()));
        let answer = suite.filter(|it| !it.is_empty() && !self.verbose);
        let answer = answer.or_else(|| screen::of(&View::new(results), width()));
        let tables = (self.verbose || answer.is_none()).then(|| show::tables(results));
        tables.into_iter().chain(answer).collect::<Vec<_>>().join("\n")
    }

    /// The file for what `producer` finds, after it was seen that it can be kept there and published.
    pub fn out(
        &self,
        arguments: &Arguments,
        suite: &Suite,
        producer: &str,
    ) -> anyhow::Result<PathBuf> {
        let name = suite.file(producer);
        let usual = || Path::new(LATEST).join(&name);
        let out = workspace_path(&self.out.clone().unwrap_or_else(usual));
        publish::check(arguments, &out, &name)?;
        Ok(out)
    }
}

pub fn list_suites() -> ExitCode {
    say(&Suite::list());
    ExitCode::SUCCESS
}

pub fn list(cases: &[Case], bench: &str) -> ExitCode {
    let names = cases.iter().map(|case| format!("{}: {bench}\n", case.name()));
    say(&names.collect::<String>());
    ExitCode::SUCCESS
}

/// The programs that a bench needs beside those of the reference.
pub struct Needs<'run> {
    pub backends: Vec<&'run Backend>,
    pub kinds: &'run [Kind],
    pub timed: Option<Timed>,
}

/// The launches of a bench that takes times: their workers are bound to a core, and each launch has a
/// link order of its own.
pub struct Timed {
    /// How many lanes of link orders each backend has; nobody where one transaction is run as a test.
    pub lanes: Vec<(Arc<Backend>, usize)>,
    pub passes: usize,
}

pub struct Bench<'run> {
    arguments: &'run Arguments,
    backends: &'run Backends,
    programs: Programs,
    orders: RunOrders,
    pub host: Host,
    pub settings: Settings,
    /// How long its link orders took: object files and links.
    pub linking: Duration,
}

impl<'run> Bench<'run> {
    /// Builds the programs that it needs, and links those whose times are taken. From here on the bench can
    /// be interrupted in good order.
    pub fn prepare(
        arguments: &'run Arguments,
        supply: &Supply,
        backends: &'run Backends,
        needs: Needs<'_>,
    ) -> anyhow::Result<Self> {
        let mut settings = arguments.settings()?;
        let is_wanted = |backend: &Backend| needs.backends.iter().any(|one| one.id == backend.id);
        let mut programs = supply.programs(backends, is_wanted, needs.kinds);
        // Before there is anything to remove.
        interrupt::listen();
        let host = host::observe();
        let mut orders = RunOrders::default();
        let start = Instant::now();
        if let Some(Timed { lanes, passes }) = needs.timed {
            let is_control =
                |id: &String| needs.backends.iter().any(|it| it.control.as_ref() == Some(id));
            let has_none = |it: &&&Backend| {
                it.is_brought() && it.stores() && it.control.is_none() && !is_control(&it.id)
            };
            let ids: BTreeSet<&str> =
                needs.backends.iter().filter(has_none).map(|it| it.id.as_str()).collect();
            for id in ids {
                note!("{id} gets a ratio and no overhead: no control with its engine was named");
            }
            orders = match arguments.link_order {
                LinkOrder::Fixed => RunOrders::fixed(lanes.iter().map(|(it, _)| it), ASKED_FOR),
                LinkOrder::Random => supply.orders(&lanes, &programs, settings.seed, passes),
            };
            programs = orders.instead_of(programs);
            // All cores take part, before this process keeps itself off one. An interrupt is seen later.
            let _ = orders.ready(0);
            settings = settings.bound();
        }
        let linking = start.elapsed();
        Ok(Self { arguments, backends, programs, orders, host, settings, linking })
    }

    /// What starts its workers, in the link orders of the run if it is the first.
    pub fn launcher(&mut self) -> anyhow::Result<ProcessLauncher> {
        let orders = std::mem::take(&mut self.orders);
        Ok(ProcessLauncher::new(self.programs.clone(), orders, self.settings.clone())?)
    }

    /// The results of the bench called `producer`, whose workers `launcher` has started.
    pub fn results(
        self,
        producer: &str,
        launcher: &ProcessLauncher,
        cases: Vec<CaseRecord>,
    ) -> Results {
        let mut results =
            record::results(producer, self.arguments, self.backends, launcher, self.host);
        results.complete = !interrupt::requested();
        results.backends = record::backends(launcher, self.backends, &self.programs, &cases);
        results.cases = cases;
        results
    }
}

/// Keeps `results` in `out`, if that is wanted, shows `text`, and publishes if that was asked for. The exit
/// code is 0 only if all of this went well, no case failed, and `is_well`.
pub fn conclude(
    results: &Results,
    arguments: &Arguments,
    out: Option<&Path>,
    text: &str,
    is_well: bool,
) -> ExitCode {
    // An interrupted run that has measured nothing leaves an earlier one's results alone.
    let out = out.filter(|_| results.complete || !results.cases.is_empty());
    let Kept { written, shown } = keep(results, out, text);
    if let Some(out) = out.filter(|_| written) {
        say(&format!("All tables: cargo run -p harness -- show {}\n", named(out)));
    }
    let published = out.is_none() || !written || publish::after_run(arguments, results);
    let failed = results.cases.iter().any(|case| case.status == Status::Failed);
    exit_code(results.complete, written && shown && published && !failed && is_well)
}

/// The file at `path` as a person in the workspace names it.
fn named(path: &Path) -> String {
    let path = path.canonicalize().unwrap_or(path.to_owned());
    path.strip_prefix(root()).unwrap_or(&path).display().to_string()
}

pub struct Kept {
    /// The file is there, if one was wanted.
    pub written: bool,
    /// The text was written, or its reader has gone.
    pub shown: bool,
}

/// Writes `value` to `out` and then shows `text`: whatever happens to the terminal, what was measured is
/// kept.
pub fn keep<T: Stored>(value: &T, out: Option<&Path>, text: &str) -> Kept {
    let written = out.map_or(Ok(()), |out| store::write(out, value));
    let shown = tell(text);
    match (&written, out) {
        (Ok(()), Some(out)) => {
            say(&format!("Results: {}\n", named(out)));
        }
        (Ok(()), None) => {}
        (Err(error @ StoreError { problem: Problem::Unreadable(_), .. }), _) => {
            note!("error: {error}");
        }
        (Err(error), _) => note!("error: the results could not be written: {error}"),
    }
    Kept { written: written.is_ok(), shown }
}
