//! An adapter's test program, and the part of its witness program that performs cases.

use std::process::ExitCode;

use libtest_mimic::{Arguments, Completion, Failed, Trial};
use write_backend::Probe;
use write_backend::protocol::behaviour::{HERE, Outcome, RECORDS};

use crate::case::{self, Case};
use crate::expected::{self, Difference};
use crate::runner;

/// Performs the cases of `B`, which differs from what is usual in `differences`, as the first argument
/// says.
///
/// * [`RECORDS`]: each in a process of its own; prints the record of each, one JSON object a line, as soon
///   as it is there. Names of cases may follow; without any it is all.
/// * [`HERE`]: those named after it, in this process.
/// * Anything else is the standard test runner's: each case is a test, and so is each of `more`.
#[must_use]
pub fn main<B: Probe + 'static>(differences: &'static [Difference], more: Vec<Trial>) -> ExitCode {
    if let Some(code) = runner::serve_child::<B>() {
        return code;
    }
    let cases = case::all::<B>();
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    match arguments.split_first() {
        Some((first, names)) if first == RECORDS => {
            let wanted = |case: &&Case<B>| names.is_empty() || names.iter().any(|n| n == case.name);
            for case in cases.iter().filter(wanted) {
                runner::say(&runner::record(differences, case));
            }
            ExitCode::SUCCESS
        }
        Some((first, names)) if first == HERE => perform_here(differences, &cases, names),
        _ => {
            let declared = expected::check(differences, &cases).map_err(Failed::from);
            let trial =
                |case: Case<B>| Trial::ignorable_test(case.name, move || test(differences, &case));
            let trials = cases.into_iter().map(trial).chain(more);
            let declared = Trial::test("declared-differences", || declared);
            let trials = trials.chain([declared]).collect();
            libtest_mimic::run(&Arguments::from_args(), trials).exit_code()
        }
    }
}

/// One case as a test.
fn test<B: Probe>(differences: &[Difference], case: &Case<B>) -> Result<Completion, Failed> {
    let record = runner::record(differences, case);
    match record.outcome {
        Outcome::NotChecked { reason } => Ok(Completion::ignored_with(reason)),
        _ if record.as_expected => Ok(Completion::Completed),
        outcome => {
            let (expected, _) = expected::of(differences, case);
            Err(format!("{}\n  expected: {expected}\n  happened: {outcome}", case.means).into())
        }
    }
}

/// Says each outcome; fails when one is not the expected one or a name is unknown.
fn perform_here<B: Probe>(
    differences: &[Difference],
    cases: &[Case<B>],
    names: &[String],
) -> ExitCode {
    let mut code = ExitCode::SUCCESS;
    for name in names {
        let case = cases.iter().find(|case| case.name == name);
        let (outcome, as_expected) = match case.map(|case| runner::here(differences, case)) {
            Some(Ok((outcome, as_expected))) => (outcome.to_string(), as_expected),
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
