//! The Criterion bench `write`: every case is a Criterion benchmark, grouped by workload, timed by
//! the worker's own clock, with a case's samples spread over several launches of its worker.

use std::cell::RefCell;
use std::panic::{AssertUnwindSafe, catch_unwind, resume_unwind};
use std::path::Path;
use std::process::ExitCode;
use std::sync::Arc;
use std::time::Duration;

use criterion::measurement::WallTime;
use criterion::{BenchmarkGroup, BenchmarkId, Criterion, SamplingMode, Throughput};

use crate::backends::{Backend, Kind};
use crate::cli::arguments::workspace_path;
use crate::cli::bench::{self, Bench, Needs, Timed};
use crate::cli::output::width;
use crate::cli::supply::Supply;
use crate::cli::{compare, criterion_options};
use crate::interrupt;
use crate::launches::Launches;
use crate::selection::Case;
use crate::worker::{Failure, ProcessLauncher, Unmeasured};
use records::schema::{CaseRecord, Results, Time};
use records::store;
use report::answer::grid::wrapped;
use report::answer::screen;
use report::view::View;
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

/// The whole bench.
///
/// Exit codes: 0 all cases were measured and verified, 1 a case failed, 2 bad arguments, 130 interrupted.
#[must_use]
pub fn main(supply: &Supply) -> ExitCode {
    bench::finish(run(supply))
}

fn run(supply: &Supply) -> anyhow::Result<ExitCode> {
    let mut arguments = criterion_options::own_arguments()?;
    arguments.seed.get_or_insert(SEED);
    let backends = supply.backends(&arguments.brought())?;
    let cases = arguments.cases(&backends)?;
    if let Some(case) = cases.iter().find(|case| case.workload.grows()) {
        anyhow::bail!(
            "{}: Criterion chooses for each backend how often a case runs, so that trees would grow to \
             different sizes; `--bench compare` measures such cases",
            case.name()
        );
    }
    // Criterion ends the program itself when it is asked for help or does not know an option:
    // before there is anything to remove.
    let mut criterion = criterion();
    let wanted: Vec<&Backend> = cases.iter().map(|case| &*case.backend).collect();
    let mut lanes: Vec<_> = cases.iter().map(|case| (Arc::clone(&case.backend), 1)).collect();
    lanes.sort_by(|(a, _), (b, _)| a.id.cmp(&b.id));
    lanes.dedup_by(|(a, _), (b, _)| a.id == b.id);
    let passes = LAUNCHES;
    let timed = Timed { lanes: if is_test() { Vec::new() } else { lanes }, passes };
    let needs = Needs { backends: wanted, kinds: &[Kind::Worker], timed: Some(timed) };
    let mut bench = Bench::prepare(&arguments, supply, &backends, needs)?;
    let launcher = RefCell::new(bench.launcher()?);
    // An interrupt ends the run: there is nothing more to do with it than to stop.
    let mut records = Vec::new();
    let _ = measure(&mut criterion, &launcher, &cases, &mut records);
    let results = bench.results("write", &launcher.into_inner(), records);
    Ok(bench::conclude(&results, &arguments, None, &text(&results), true))
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

struct Interrupted;

/// Measures `cases`; what is known of each is added to `records`.
fn measure(
    criterion: &mut Criterion,
    launcher: &RefCell<ProcessLauncher>,
    cases: &[Case],
    records: &mut Vec<CaseRecord>,
) -> Result<(), Interrupted> {
    for cases in cases.chunk_by(|a, b| a.workload == b.workload) {
        let workload = cases[0].workload;
        let mut group = criterion.benchmark_group(workload.to_string());
        group.sampling_mode(SamplingMode::Flat);
        group.throughput(Throughput::ElementsAndBytes {
            elements: workload.batch_size as u64,
            bytes: workload.bytes(),
        });
        for case in cases {
            let id = &case.backend.id;
            match time(&mut group, launcher, case) {
                Ok(None) => {}
                Ok(Some(time)) => {
                    let ok = CaseRecord::ok(id, workload);
                    records.push(CaseRecord { time: Some(time), ..ok });
                }
                Err(Failure::Interrupted) => return Err(Interrupted),
                Err(failure) => {
                    if matches!(failure, Failure::NotOffered { .. }) {
                        note!("not offered: {}: {failure}", case.name());
                    } else {
                        note!("FAILED: {}: {failure}; ignore its time above", case.name());
                    }
                    records.push(Unmeasured::from(failure).record(id, workload));
                }
            }
        }
        group.finish();
    }
    criterion.final_summary();
    if interrupt::requested() { Err(Interrupted) } else { Ok(()) }
}

/// Lets Criterion time `case`; `None` where it does not want to.
fn time(
    group: &mut BenchmarkGroup<'_, WallTime>,
    launcher: &RefCell<ProcessLauncher>,
    case: &Case,
) -> Result<Option<Time>, Failure> {
    let mut launches = Launches::new(case.clone(), LAUNCHES);
    // A failure cannot be returned through Criterion, and with an invented time it would analyse and
    // keep that: the failure is carried past it, without a panic's message.
    let outcome = catch_unwind(AssertUnwindSafe(|| {
        group.bench_function(BenchmarkId::from_parameter(&case.backend.id), |bencher| {
            bencher.iter_custom(|transactions| {
                launches
                    .sample(&mut *launcher.borrow_mut(), transactions)
                    .unwrap_or_else(|failure| resume_unwind(Box::new(failure)))
            });
        });
    }));
    let payload = match outcome {
        Ok(()) => return launches.end(&mut *launcher.borrow_mut()),
        Err(payload) => payload,
    };
    match payload.downcast::<Failure>() {
        Ok(failure) => Err(*failure),
        Err(payload) => resume_unwind(payload),
    }
}

/// What is told after Criterion: nothing where it has measured nothing (`--list`, `--load-baseline`).
fn text(results: &Results) -> String {
    let cases = &results.cases;
    // A single transaction has no time worth a look.
    if is_test() {
        return format!("{} checked\n", units::counted(cases.len(), "case", "cases"));
    }
    if cases.is_empty() {
        return String::new();
    }
    let tables = if given("--verbose") { show::tables(results) } else { String::new() };
    let answer = last_comparison().unwrap_or_default();
    format!("{tables}\n{}{answer}", wrapped(GOOD_FOR, width()))
}

/// What this bench is for; `--verbose` shows its means in a table before this.
const GOOD_FOR: &str = "Measured one case after the other: good for following one case (--save-baseline), for profilers \
    (--profile-time) and plots: target/criterion/report/index.html. Which binding is faster by a few percent is for `compare`.";
/// A comparison that ended so long ago may be of another call of cargo.
const FRESH: Duration = Duration::from_secs(30 * 60);

/// The answer of a comparison that ended a short while ago. Cargo runs benches in the order of their names, so
/// that this one is the last of a `cargo bench`; its last words shall be the answer all the same.
fn last_comparison() -> Option<String> {
    let path = workspace_path(Path::new(compare::OUT));
    let age = path.metadata().ok()?.modified().ok()?.elapsed().ok().filter(|age| *age < FRESH)?;
    let results = store::read::<Results>(&path).ok()?;
    let answer = screen::of(&View::new(&results), width())?;
    let ago = units::duration(age);
    Some(format!(
        "\nThe answer of `compare`, which ended {ago} ago ({}):\n\n{answer}",
        compare::OUT
    ))
}

/// Whether Criterion runs every case once and measures nothing: asked for, or started by `cargo test`.
fn is_test() -> bool {
    !given("--list") && (given("--test") || !given("--bench"))
}

fn given(option: &str) -> bool {
    std::env::args_os().any(|word| word == option)
}
