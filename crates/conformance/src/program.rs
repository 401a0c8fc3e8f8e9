//! An adapter's test program: `fn main() -> ExitCode { conformance::main::<TheBackend>() }`.

use std::io::{self, Write as _};
use std::process::ExitCode;

use libtest_mimic::{Arguments, Completion, Failed, Trial};
use write_backend::Probe;
use write_backend::protocol::behaviour::RECORDS;

use crate::case::{self, Case};
use crate::outcome::Outcome;
use crate::{expected, runner};

/// Performs the named cases in the process itself, one after the other, under no watchdog: for a
/// memory checker, which looks at one process.
pub const HERE_ARGUMENT: &str = "--here";

/// Tests `B` with the command line and output of the standard test runner, or prints the records
/// of all cases when the first argument is [`RECORDS`], or performs some cases here when it
/// is [`HERE_ARGUMENT`].
#[must_use]
pub fn main<B: Probe>() -> ExitCode {
    if let Some(code) = runner::serve_child::<B>() {
        return code;
    }
    if std::env::args().nth(1).as_deref() == Some(RECORDS) {
        return print_records::<B>();
    }
    if std::env::args().nth(1).as_deref() == Some(HERE_ARGUMENT) {
        return perform_here::<B>(&std::env::args().skip(2).collect::<Vec<_>>());
    }
    let arguments = Arguments::from_args();
    let trial = |case: Case| Trial::ignorable_test(case.name, move || test::<B>(&case));
    let trials = case::all::<B>().into_iter().map(trial).collect();
    libtest_mimic::run(&arguments, trials).exit_code()
}

/// One case as a test.
fn test<B: Probe>(case: &Case) -> Result<Completion, Failed> {
    let record = runner::record::<B>(case);
    match record.outcome {
        Outcome::NotChecked { reason } => Ok(Completion::ignored_with(reason)),
        _ if record.as_expected => Ok(Completion::Completed),
        outcome => {
            let expected = match expected::of(B::IDENTITY.id, case.name) {
                Some(expected) => expected.to_string(),
                None => "nothing is declared".to_owned(),
            };
            Err(format!("{}\n  expected: {expected}\n  happened: {outcome}", case.means).into())
        }
    }
}

/// Each as soon as it is there, so that whoever reads them sees how far it is.
fn print_records<B: Probe>() -> ExitCode {
    for case in case::all::<B>() {
        let record = runner::record::<B>(&case);
        let written = serde_json::to_string(&record).map_err(io::Error::from).and_then(|line| {
            let mut output = io::stdout().lock();
            writeln!(output, "{line}").and_then(|()| output.flush())
        });
        if let Err(error) = written {
            eprintln!("{}: {error}", record.case);
            return ExitCode::FAILURE;
        }
    }
    ExitCode::SUCCESS
}

/// Says each outcome; fails when one is not the expected one or a name is unknown.
fn perform_here<B: Probe>(names: &[String]) -> ExitCode {
    let cases = case::all::<B>();
    let mut code = ExitCode::SUCCESS;
    for name in names {
        let performed = cases.iter().find(|case| case.name == name).map(runner::here);
        let (outcome, as_expected) = match performed {
            Some(Ok(outcome)) => {
                let expected = expected::of(B::IDENTITY.id, name);
                let as_expected = expected.is_some_and(|it| it.matches(&outcome));
                (outcome.to_string(), as_expected)
            }
            Some(Err(error)) => (error.to_string(), false),
            None => ("no such case".to_owned(), false),
        };
        println!("{name}: {outcome}");
        if !as_expected {
            code = ExitCode::FAILURE;
        }
    }
    code
}
