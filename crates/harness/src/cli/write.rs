//! The Criterion bench `write`: every case is a Criterion benchmark, grouped by workload, timed by
//! the worker's own clock, with a case's samples spread over several launches of its worker.

use std::cell::RefCell;
use std::ffi::OsString;
use std::panic::{AssertUnwindSafe, catch_unwind, resume_unwind};
use std::process::ExitCode;
use std::time::Duration;

use clap::Parser;
use criterion::{BenchmarkId, Criterion, SamplingMode, Throughput};
use write_backend::Workload;

use crate::backends::{Backend, Backends, Kind, Programs};
use crate::cli::arguments::Arguments;
use crate::cli::criterion_options;
use crate::cli::supply::Supply;
use crate::interrupt;
use crate::launches::Launches;
use crate::machine::host;
use crate::record;
use crate::selection::Case;
use crate::worker::{Failure, ProcessLauncher, Unmeasured};
use records::host::Host;
use records::schema::{CaseRecord, Results, Status, Time};
use report::{show, units};

// 192 cases in the default matrix: together these settings make a run of about four minutes, most
// of it Criterion's analysis and plots. Longer samples would not make it truer, since launches
// differ by more than samples do; `compare` is the bench for small differences.
/// Before the samples of a case, Criterion runs it this long.
const WARM_UP: Duration = Duration::from_millis(100);
/// The samples of a case take this long together.
const MEASUREMENT: Duration = Duration::from_millis(300);
/// Samples per case: three for each launch.
const SAMPLES: usize = 30;
/// Resamples of Criterion's bootstrap; its own default of 100,000 is five times slower and moves an
/// interval's ends by less than launches differ.
const RESAMPLES: usize = 10_000;
/// A case's samples come from this many launches of its worker.
const LAUNCHES: usize = 10;
/// Seed unless one is given: a fixed one, so that saved baselines hold the same random keys.
const SEED: u64 = 1;

#[derive(Debug, Parser)]
#[command(name = "write", about = "Every case as a Criterion benchmark")]
struct Options {
    #[command(flatten)]
    arguments: Arguments,
}

/// The whole bench.
///
/// Exit codes: 0 all cases measured and verified, 1 a case failed, 2 bad arguments, 130 interrupted.
#[must_use]
pub fn main(supply: &Supply) -> ExitCode {
    let given: Vec<OsString> = std::env::args_os().collect();
    let options = match criterion_options::own(&given) {
        Ok(criterion_options::Own::Parse(words)) => match Options::try_parse_from(words) {
            Ok(options) => options,
            Err(error) => error.exit(),
        },
        Ok(criterion_options::Own::Restarted(code)) => return code,
        Err(error) => {
            eprintln!("error: {error}");
            return ExitCode::from(2);
        }
    };
    let mut arguments = options.arguments;
    arguments.seed.get_or_insert(SEED);
    // Before this process keeps itself off a core.
    let host = host::observe();
    interrupt::listen();
    let prepared = supply.backends(&arguments.brought).and_then(|backends| {
        let cases = arguments.cases(&backends)?;
        // Criterion ends the program itself when it is asked for help or does not know an option:
        // before there is anything to remove.
        let criterion = criterion();
        let takes_part = |it: &Backend| cases.iter().any(|case| case.backend.id == it.id);
        let programs = supply.programs(&backends, takes_part, &[Kind::Worker]);
        let launcher = ProcessLauncher::new(programs.clone(), arguments.settings()?)?;
        Ok((cases, criterion, launcher, backends, programs))
    });
    let (cases, criterion, launcher, backends, programs) = match prepared {
        Ok(prepared) => prepared,
        Err(error) => {
            eprintln!("error: {error:#}");
            return ExitCode::from(2);
        }
    };
    let run = Run { launcher: RefCell::new(launcher), records: RefCell::new(Vec::new()) };
    let interrupted = run.all(criterion, &cases);
    run.report(&arguments, (&backends, &programs), host, interrupted)
}

/// Criterion with our settings, and what the command line changes in them.
fn criterion() -> Criterion {
    Criterion::default()
        .warm_up_time(WARM_UP)
        .measurement_time(MEASUREMENT)
        .sample_size(SAMPLES)
        .nresamples(RESAMPLES)
        .configure_from_args()
}

/// A run of the bench.
struct Run {
    launcher: RefCell<ProcessLauncher>,
    records: RefCell<Vec<CaseRecord>>,
}

impl Run {
    /// Measures `cases`; returns whether the user ended it.
    fn all(&self, mut criterion: Criterion, cases: &[Case]) -> bool {
        for cases in cases.chunk_by(|a, b| a.workload == b.workload) {
            let workload = cases[0].workload;
            let mut group = criterion.benchmark_group(workload.to_string());
            group.sampling_mode(SamplingMode::Flat);
            group.throughput(Throughput::ElementsAndBytes {
                elements: workload.batch_size as u64,
                bytes: workload.bytes(),
            });
            for case in cases {
                let mut launches = Launches::new(case.clone(), LAUNCHES);
                // A failure cannot be returned through Criterion: it is carried past it, without a
                // panic's message, and becomes a record here.
                let outcome = catch_unwind(AssertUnwindSafe(|| {
                    let id = BenchmarkId::from_parameter(&case.backend.id);
                    group.bench_function(id, |bencher| {
                        bencher.iter_custom(|transactions| {
                            let mut launcher = self.launcher.borrow_mut();
                            match launches.sample(&mut *launcher, transactions) {
                                Ok(elapsed) => elapsed,
                                Err(failure) => resume_unwind(Box::new(failure)),
                            }
                        });
                    });
                }));
                let outcome = match outcome {
                    Ok(()) => launches.end(&mut *self.launcher.borrow_mut()),
                    Err(payload) => match payload.downcast::<Failure>() {
                        Ok(failure) => Err(*failure),
                        Err(payload) => resume_unwind(payload),
                    },
                };
                match outcome {
                    Ok(None) => {}
                    Ok(Some(time)) => self.record(case, Ok(time)),
                    Err(Failure::Interrupted) => return true,
                    Err(failure @ Failure::NotOffered { .. }) => {
                        eprintln!("not offered: {}: {failure}", case.name());
                        self.record(case, Err(failure));
                    }
                    Err(failure) => {
                        eprintln!("FAILED: {}: {failure}; a time above is void", case.name());
                        self.record(case, Err(failure));
                    }
                }
            }
            group.finish();
        }
        criterion.final_summary();
        interrupt::requested()
    }

    fn record(&self, case: &Case, outcome: Result<Time, Failure>) {
        let Case { backend, workload } = case;
        let record = match outcome {
            Ok(time) => CaseRecord { time: Some(time), ..CaseRecord::ok(&backend.id, *workload) },
            Err(failure) => Unmeasured::from(failure).record(&backend.id, *workload),
        };
        self.records.borrow_mut().push(record);
    }

    /// Prints header and tables, unless nothing was measured (`--list`, `--load-baseline`).
    fn report(
        self,
        arguments: &Arguments,
        (backends, programs): (&Backends, &Programs),
        host: Host,
        interrupted: bool,
    ) -> ExitCode {
        let cases = self.records.into_inner();
        let failed = cases.iter().any(|case| case.status == Status::Failed);
        // A single transaction has no time worth a look.
        if is_test() {
            println!("{} checked", units::counted(cases.len(), "case", "cases"));
        } else if !cases.is_empty() {
            let launcher = self.launcher.into_inner();
            let mut results: Results =
                record::results("write", arguments, backends, &launcher, host);
            results.complete = !interrupted;
            results.backends = record::backends(&launcher, backends, programs, &cases);
            results.cases = cases;
            print!("{}", show::tables(&results, None));
            println!("{}", footnote(&results.cases));
        }
        if interrupted {
            ExitCode::from(interrupt::EXIT_CODE)
        } else if failed {
            ExitCode::FAILURE
        } else {
            ExitCode::SUCCESS
        }
    }
}

/// Whether Criterion runs every case once and measures nothing: asked for, or started by `cargo test`.
fn is_test() -> bool {
    let given = |option: &str| std::env::args_os().any(|word| word == option);
    !given("--list") && (given("--test") || !given("--bench"))
}

/// What the columns mean.
fn footnote(cases: &[CaseRecord]) -> String {
    let mixed = cases.iter().any(|case| {
        let Workload { batch_size, .. } = case.workload;
        batch_size > 1
    });
    let per = if mixed { " with all its puts" } else { "" };
    format!(
        "Times are per transaction{per}. Mean, StdDev and Median are over launches of the worker; \
         Error is half of the 99.9 % interval of the mean; Ratio is Mean over that of raw-ffi. Each \
         backend runs on the LMDB that its binding ships: for the binding's share alone see \
         `cargo bench -p harness --bench compare`."
    )
}
