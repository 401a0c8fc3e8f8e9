//! The watchdog: performs each case in a process of its own and sees panics, crashes and deadlocks.

use std::io::{self, BufRead as _, BufReader, Read};
use std::process::{Child, Command, ExitCode, ExitStatus, Stdio};
use std::sync::mpsc::{self, Receiver, RecvTimeoutError};
use std::thread;

use write_backend::Probe;

use crate::case::{self, Case};
use crate::child::{self, CASE_ARGUMENT, Message};
use crate::directory::Directory;
use crate::expected::{self, Difference, differences};
use crate::outcome::{Outcome, Record};

/// Performs the cases of `B` that are `wanted`, one after the other.
///
/// Each case runs in a new process of the calling program, whose `main` must begin with
/// [`serve_child`], as [`crate::main`] does.
#[must_use]
pub fn run<B: Probe>(differences: &[Difference], wanted: impl Fn(&Case) -> bool) -> Vec<Record> {
    let cases = case::all::<B>();
    let wanted = cases.iter().filter(|case| wanted(case));
    wanted.map(|case| record::<B>(differences, case)).collect()
}

/// If this process was started for a case, or by a case, does its work and returns its exit code.
#[must_use]
pub fn serve_child<B: Probe>() -> Option<ExitCode> {
    child::serve::<B>()
}

/// Performs one case and compares the outcome with what is expected.
pub(crate) fn record<B: Probe>(differences: &[Difference], case: &Case) -> Record {
    let outcome = perform(case).unwrap_or_else(Outcome::from);
    let why = differences::declared(differences, case.name).map(|it| it.why);
    Record {
        backend: B::IDENTITY.id.to_owned(),
        case: case.name.to_owned(),
        means: case.means.to_owned(),
        as_expected: expected::of(differences, case.name).is_some_and(|it| it.matches(&outcome)),
        differs_because: why.map(|why| why.because.to_owned()),
        for_the_user: why.map(|why| why.for_the_user.to_owned()),
        outcome,
    }
}

/// Performs one case in this process.
///
/// # Errors
/// When its directory cannot be made.
pub(crate) fn here(case: &Case) -> io::Result<Outcome> {
    let directory = tempfile::Builder::new().prefix("conformance-").tempdir()?;
    Ok(child::perform(case.run, &Directory::new(directory.path().to_owned())))
}

/// Performs one case in a new process.
///
/// # Errors
/// When the process cannot be started or its directory not be made.
fn perform(case: &Case) -> io::Result<Outcome> {
    let directory = tempfile::Builder::new().prefix("conformance-").tempdir()?;
    let mut child = Command::new(std::env::current_exe()?)
        .arg(CASE_ARGUMENT)
        .arg(case.name)
        .arg(directory.path())
        // It ends when this pipe does.
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()?;
    let outcome = watch(&mut child, case);
    // Whatever went wrong above: nothing may be left running.
    let _ = child.kill();
    let _ = child.wait();
    outcome
}

/// Follows a case's process to its end, or ends it when it is silent for too long.
fn watch(child: &mut Child, case: &Case) -> io::Result<Outcome> {
    let (messages, last_words) = match (child.stdout.take(), child.stderr.take()) {
        (Some(output), Some(errors)) => (messages_of(output), last_line_of(errors)),
        _ => return Err(io::Error::other("no pipe to the process of a case")),
    };
    let mut step = String::from("start");
    let mut outcome = None;
    loop {
        match messages.recv_timeout(case.patience) {
            Ok(Message::Step(next)) => step = next,
            Ok(Message::Outcome(last)) => outcome = Some(last),
            Err(RecvTimeoutError::Disconnected) => break,
            Err(RecvTimeoutError::Timeout) => return Ok(Outcome::Deadlocked { step }),
        }
    }
    let status = child.wait()?;
    match outcome {
        Some(outcome) if status.success() => Ok(outcome),
        _ => {
            let last_words = last_words.recv().unwrap_or_default();
            Ok(Outcome::Crashed { step, how: end_of(status), last_words })
        }
    }
}

/// What the process says, line by line.
fn messages_of(output: impl Read + Send + 'static) -> Receiver<Message> {
    let (sender, receiver) = mpsc::channel();
    thread::spawn(move || {
        for line in BufReader::new(output).lines().map_while(Result::ok) {
            // A line that is none of ours comes from the binding and is no message.
            if let Ok(message) = serde_json::from_str(&line) {
                // The watchdog may have stopped listening.
                let _ = sender.send(message);
            }
        }
    });
    receiver
}

/// The last line of what the process says on standard error, when it has ended.
fn last_line_of(mut errors: impl Read + Send + 'static) -> Receiver<String> {
    let (sender, receiver) = mpsc::channel();
    thread::spawn(move || {
        let mut bytes = Vec::new();
        // What was read before a failure is still worth showing.
        let _ = errors.read_to_end(&mut bytes);
        let text = String::from_utf8_lossy(&bytes);
        let _ = sender.send(text.lines().last().unwrap_or_default().to_owned());
    });
    receiver
}

/// How a process ended, in words.
#[cfg(unix)]
pub(crate) fn end_of(status: ExitStatus) -> String {
    use std::os::unix::process::ExitStatusExt as _;
    match status.signal() {
        Some(4) => "SIGILL".to_owned(),
        Some(6) => "SIGABRT".to_owned(),
        // The one signal here whose number depends on the system.
        Some(7) if cfg!(any(target_os = "linux", target_os = "android")) => "SIGBUS".to_owned(),
        Some(8) => "SIGFPE".to_owned(),
        Some(10) if !cfg!(any(target_os = "linux", target_os = "android")) => "SIGBUS".to_owned(),
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
