//! The process of each case, and the watchdog that sees panics, crashes and deadlocks.
//!
//! A program that performs cases starts itself again with [`CASE_ARGUMENT`], a case's name and a
//! directory. The new process says on standard output, one JSON object a line, what it is about to do
//! and, at the end, the outcome.

use std::any::Any;
use std::io::{self, Write as _};
use std::panic::{self, AssertUnwindSafe};
use std::path::PathBuf;
use std::process::{self, Command, ExitCode, ExitStatus};
use std::sync::{Mutex, PoisonError};

use child_process::{Child, Heard, lines_of_input};
use serde::{Deserialize, Serialize};
use write_backend::Probe;
use write_backend::protocol::behaviour::{Outcome, Record};

use crate::case::{self, Case};
use crate::expected::{self, Difference};
use crate::partner::{self, PARTNER_ARGUMENT};
use crate::place::Place;
use crate::steps::Answer;

/// Followed by a case's name and a directory.
const CASE_ARGUMENT: &str = "--conformance-case";

/// A line that the process of a case says.
#[derive(Debug, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
enum Message {
    /// What is done next.
    Step(String),
    /// What happened; the last line.
    Outcome(Outcome),
}

/// What was being done last, for the report of a panic.
static LAST_STEP: Mutex<String> = Mutex::new(String::new());

/// Says what is done next: a crash or deadlock is reported with the last step.
pub(crate) fn step(what: &str) {
    what.clone_into(&mut LAST_STEP.lock().unwrap_or_else(PoisonError::into_inner));
    say(&Message::Step(what.to_owned()));
}

/// Says `message` as a line of JSON.
pub(crate) fn say(message: &impl Serialize) {
    // Strings and numbers can always be written as JSON.
    say_line(&serde_json::to_string(message).unwrap_or_default());
}

pub(crate) fn say_line(line: &str) {
    let mut output = io::stdout().lock();
    if writeln!(output, "{line}").and_then(|()| output.flush()).is_err() {
        // Whoever started this process has gone.
        process::exit(1);
    }
}

/// If this process was started for a case, or by a case, does its work and returns its exit code.
pub(crate) fn serve_child<B: Probe>() -> Option<ExitCode> {
    let mut arguments = std::env::args_os().skip(1);
    let which = arguments.next()?.into_string().ok()?;
    let name = arguments.next()?.into_string().ok()?;
    let at = Place::<B>::new(PathBuf::from(arguments.next()?));
    match which.as_str() {
        CASE_ARGUMENT => {
            let case = case::all::<B>().into_iter().find(|case| case.name == name)?;
            let _lines = lines_of_input();
            say(&Message::Outcome(perform(case.steps, &at)));
        }
        PARTNER_ARGUMENT => {
            partner::play(&at, serde_json::from_str(&name).ok()?, &lines_of_input());
        }
        _ => return None,
    }
    Some(ExitCode::SUCCESS)
}

/// Performs one case in this process; a panic becomes an outcome.
pub(crate) fn perform<B>(steps: fn(&Place<B>) -> Answer, at: &Place<B>) -> Outcome {
    match panic::catch_unwind(AssertUnwindSafe(|| steps(at))) {
        Ok(Ok(outcome) | Err(outcome)) => outcome,
        Err(payload) => Outcome::Panicked {
            step: LAST_STEP.lock().unwrap_or_else(PoisonError::into_inner).clone(),
            message: panic_message(payload.as_ref()),
        },
    }
}

fn panic_message(payload: &(dyn Any + Send)) -> String {
    let text = payload.downcast_ref::<&str>().map(|text| (*text).to_owned());
    text.or_else(|| payload.downcast_ref::<String>().cloned()).unwrap_or_default()
}

/// Performs one case in a new process and compares the outcome with what is expected.
pub(crate) fn record<B: Probe>(differences: &[Difference], case: &Case<B>) -> Record {
    let outcome = watch(case).unwrap_or_else(Outcome::from);
    let (expected, why) = expected::of(differences, case);
    Record {
        backend: B::IDENTITY.id.to_owned(),
        case: case.name.to_owned(),
        means: case.means.to_owned(),
        as_expected: expected.matches(&outcome),
        differs_because: why.map(|why| why.because.to_owned()),
        for_the_user: why.map(|why| why.for_the_user.to_owned()),
        outcome,
    }
}

/// Performs one case in this process: its outcome, and whether that is the expected one.
pub(crate) fn here<B: Probe>(
    differences: &[Difference],
    case: &Case<B>,
) -> io::Result<(Outcome, bool)> {
    let directory = directory()?;
    let outcome = perform(case.steps, &Place::new(directory.path().to_owned()));
    let as_expected = expected::of(differences, case).0.matches(&outcome);
    Ok((outcome, as_expected))
}

fn directory() -> io::Result<tempfile::TempDir> {
    tempfile::Builder::new().prefix("conformance-").tempdir()
}

/// Follows a case's process to its end, or ends it when it is silent for too long.
fn watch<B>(case: &Case<B>) -> io::Result<Outcome> {
    let directory = directory()?;
    let mut command = Command::new(std::env::current_exe()?);
    let mut child = Child::start(command.arg(CASE_ARGUMENT).arg(case.name).arg(directory.path()))?;
    let mut step = String::from("start");
    let mut outcome = None;
    loop {
        match child.hear(case.patience()) {
            Heard::Line(line) => match serde_json::from_str(&line) {
                Ok(Message::Step(next)) => step = next,
                Ok(Message::Outcome(last)) => outcome = Some(last),
                // It comes from the binding and is no message.
                Err(_) => {}
            },
            Heard::End => break,
            Heard::Nothing => return Ok(Outcome::Deadlocked { step }),
        }
    }
    let ended = child.end()?;
    Ok(match outcome {
        Some(outcome) if ended.status.success() => outcome,
        _ => {
            let last_words = ended.last_words().to_owned();
            Outcome::Crashed { step, how: end_of(ended.status), last_words }
        }
    })
}

/// How a process ended, in words.
#[cfg(unix)]
pub(crate) fn end_of(status: ExitStatus) -> String {
    use std::os::unix::process::ExitStatusExt as _;
    // The one signal here whose number depends on the system.
    const SIGBUS: i32 = if cfg!(any(target_os = "linux", target_os = "android")) { 7 } else { 10 };
    match status.signal() {
        Some(4) => "SIGILL".to_owned(),
        Some(6) => "SIGABRT".to_owned(),
        Some(SIGBUS) => "SIGBUS".to_owned(),
        Some(8) => "SIGFPE".to_owned(),
        Some(11) => "SIGSEGV".to_owned(),
        Some(signal) => format!("signal {signal}"),
        None => status.to_string(),
    }
}

/// How a process ended, in words.
#[cfg(not(unix))]
pub(crate) fn end_of(status: ExitStatus) -> String {
    status.to_string()
}
