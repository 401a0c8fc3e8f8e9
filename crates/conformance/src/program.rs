//! An adapter's test program: `fn main() -> ExitCode { conformance::main::<TheBackend>() }`.

use std::io::{self, Write as _};
use std::process::ExitCode;

use libtest_mimic::{Arguments, Completion, Failed, Trial};
use write_backend::Probe;

use crate::case::{self, Case};
use crate::outcome::Outcome;
use crate::{expected, runner};

/// Prints the records of all cases, one JSON object per line, instead of testing.
pub const RECORDS_ARGUMENT: &str = "--records";

/// Tests `B` with the command line and output of the standard test runner, or prints the records
/// of all cases when the first argument is `--records`.
#[must_use]
pub fn main<B: Probe>() -> ExitCode {
    if let Some(code) = runner::serve_child::<B>() {
        return code;
    }
    if std::env::args().nth(1).as_deref() == Some(RECORDS_ARGUMENT) {
        return print_records::<B>();
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
