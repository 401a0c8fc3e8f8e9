//! An adapter's test program, and the part of its witness program that performs cases.

use std::io::{self, Write as _};
use std::process::ExitCode;

use libtest_mimic::{Arguments, Completion, Failed, Trial};
use write_backend::Probe;
use write_backend::protocol::behaviour::{HERE, RECORDS};

use crate::case::{self, Case};
use crate::expected::{self, Difference};
use crate::outcome::Outcome;
use crate::runner;

/// Tests `B` with the command line and output of the standard test runner, or prints the records of all
/// cases, one JSON object per line, when the first argument is [`RECORDS`], or performs some cases here
/// when it is [`HERE`]. `differences` is what `B` declares.
#[must_use]
pub fn main<B: Probe>(differences: &'static [Difference]) -> ExitCode {
    main_with::<B>(differences, Vec::new())
}

/// As [`main`], with further tests beside the cases.
#[must_use]
pub fn main_with<B: Probe>(differences: &'static [Difference], more: Vec<Trial>) -> ExitCode {
    if let Some(code) = runner::serve_child::<B>() {
        return code;
    }
    if std::env::args().nth(1).as_deref() == Some(RECORDS) {
        return print_records::<B>(differences);
    }
    if std::env::args().nth(1).as_deref() == Some(HERE) {
        return perform_here::<B>(differences, &std::env::args().skip(2).collect::<Vec<_>>());
    }
    let arguments = Arguments::from_args();
    let trial =
        |case: Case| Trial::ignorable_test(case.name, move || test::<B>(differences, &case));
    let trials = case::all::<B>().into_iter().map(trial).chain(more).collect();
    libtest_mimic::run(&arguments, trials).exit_code()
}

/// One case as a test.
fn test<B: Probe>(differences: &[Difference], case: &Case) -> Result<Completion, Failed> {
    let record = runner::record::<B>(differences, case);
    match record.outcome {
        Outcome::NotChecked { reason } => Ok(Completion::ignored_with(reason)),
        _ if record.as_expected => Ok(Completion::Completed),
        outcome => {
            let expected = match expected::of(differences, case.name) {
                Some(expected) => expected.to_string(),
                None => "nothing is declared".to_owned(),
            };
            Err(format!("{}\n  expected: {expected}\n  happened: {outcome}", case.means).into())
        }
    }
}

/// Each as soon as it is there, so that whoever reads them sees how far it is.
fn print_records<B: Probe>(differences: &[Difference]) -> ExitCode {
    for case in case::all::<B>() {
        let record = runner::record::<B>(differences, &case);
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
fn perform_here<B: Probe>(differences: &[Difference], names: &[String]) -> ExitCode {
    let cases = case::all::<B>();
    let mut code = ExitCode::SUCCESS;
    for name in names {
        let performed = cases.iter().find(|case| case.name == name).map(runner::here);
        let (outcome, as_expected) = match performed {
            Some(Ok(outcome)) => {
                let expected = expected::of(differences, name);
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
