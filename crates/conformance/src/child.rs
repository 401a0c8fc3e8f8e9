//! The process of one case, and of a partner that a case asks for.
//!
//! A program that performs cases starts itself again with [`CASE_ARGUMENT`], a case's name and a
//! directory. The new process says on standard output, one JSON object per line, what it is about
//! to do and, at the end, the outcome. It ends when its standard input does, so that nothing is
//! left behind when the program that started it is ended.

use std::any::Any;
use std::ffi::OsString;
use std::io::{self, BufRead as _, Write as _};
use std::panic::{self, AssertUnwindSafe};
use std::path::PathBuf;
use std::process::{self, ExitCode};
use std::sync::mpsc::{self, Receiver};
use std::sync::{Mutex, PoisonError};
use std::thread;

use serde::{Deserialize, Serialize};
use write_backend::{EnvironmentInfo, EnvironmentOptions, Probe, WriteTransaction as _};

use crate::case;
use crate::cases::damage;
use crate::cases::read_only::READ_ONLY;
use crate::directory::{Directory, Role};
use crate::outcome::{Answer, Outcome};
use crate::steps::{
    KEY, VALUE, must_hold, nth_key, open, open_with, options, pairs, put_and_commit,
};

/// Followed by a case's name and a directory.
pub(crate) const CASE_ARGUMENT: &str = "--conformance-case";

/// Followed by a role's name and a directory.
pub(crate) const PARTNER_ARGUMENT: &str = "--conformance-partner";

/// A line that the process of a case says.
#[derive(Debug, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub(crate) enum Message {
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

fn say(message: &Message) {
    // Strings and numbers can always be written as JSON; if the runner is gone, so is the reader.
    let line = serde_json::to_string(message).unwrap_or_default();
    let mut output = io::stdout().lock();
    let _ = writeln!(output, "{line}").and_then(|()| output.flush());
}

/// If this process was started for a case or as a partner, does that and returns its exit code.
pub(crate) fn serve<B: Probe>() -> Option<ExitCode> {
    let mut arguments = std::env::args_os().skip(1);
    let which = arguments.next()?;
    let name = arguments.next().and_then(|name| name.into_string().ok());
    let directory = arguments.next().map(|path: OsString| Directory::new(PathBuf::from(path)));
    if which == CASE_ARGUMENT {
        let case = case::all::<B>().into_iter().find(|case| Some(case.name) == name.as_deref())?;
        let _lines = lines_of_input();
        say(&Message::Outcome(perform(case.run, &directory?)));
        Some(ExitCode::SUCCESS)
    } else if which == PARTNER_ARGUMENT {
        let role = Role::by_name(&name?)?;
        play::<B>(role, &directory?, &lines_of_input());
        Some(ExitCode::SUCCESS)
    } else {
        None
    }
}

/// Performs a case in this process; a panic becomes an outcome.
pub(crate) fn perform(run: fn(&Directory) -> Answer, directory: &Directory) -> Outcome {
    let answer = panic::catch_unwind(AssertUnwindSafe(|| run(directory)));
    match answer {
        Ok(Ok(outcome) | Err(outcome)) => outcome,
        Err(payload) => Outcome::Panicked {
            step: LAST_STEP.lock().unwrap_or_else(PoisonError::into_inner).clone(),
            message: panic_message(payload.as_ref()),
        },
    }
}

/// The message of a panic.
pub(crate) fn panic_message(payload: &(dyn Any + Send)) -> String {
    let text = payload.downcast_ref::<&str>().map(|text| (*text).to_owned());
    text.or_else(|| payload.downcast_ref::<String>().cloned()).unwrap_or_default()
}

/// The lines of standard input; the process ends with it.
#[must_use]
pub fn lines_of_input() -> Receiver<String> {
    let (sender, receiver) = mpsc::channel();
    thread::spawn(move || {
        for line in io::stdin().lock().lines().map_while(Result::ok) {
            // Nobody may be listening.
            let _ = sender.send(line);
        }
        process::exit(0);
    });
    receiver
}

/// Does what a partner does.
fn play<B: Probe>(role: Role, directory: &Directory, input: &Receiver<String>) {
    let played = match role {
        Role::Read => read::<B>(directory, input),
        Role::HoldTransaction => hold_transaction::<B>(directory, input),
        Role::HoldEnvironment => hold_environment::<B>(directory, input),
        Role::Grow => grow::<B>(directory),
        Role::HoldReader => hold_reader::<B>(directory, input),
        Role::OpenAndPut => say_outcome(open_and_put::<B>, directory),
        Role::OpenAndRead => say_outcome(open_and_read::<B>, directory),
        Role::SpoilLock => damage::spoil_lock(directory).map(|()| say_word("spoiled")),
        Role::FillDisk => say_outcome(|directory| fill_disk::<B>(directory, false), directory),
        Role::FillDiskThroughMap => {
            say_outcome(|directory| fill_disk::<B>(directory, true), directory)
        }
    };
    if let Err(outcome) = played {
        say_word(&outcome.to_string());
    }
}

/// Performs `run` and says its outcome as JSON.
// The other roles can fail, and this one stands among them.
#[allow(clippy::unnecessary_wraps)]
fn say_outcome(run: fn(&Directory) -> Answer, directory: &Directory) -> Result<(), Outcome> {
    say_word(&serde_json::to_string(&perform(run, directory)).unwrap_or_default());
    Ok(())
}

fn say_word(word: &str) {
    let mut output = io::stdout().lock();
    let _ = writeln!(output, "{word}").and_then(|()| output.flush());
}

fn read<B: Probe>(directory: &Directory, input: &Receiver<String>) -> Result<(), Outcome> {
    let backend = open::<B>(directory.path(), &options())?;
    say_word("open");
    for key in input {
        let found = backend.get(key.as_bytes())?;
        say_word(&found.map_or_else(
            || "nothing".to_owned(),
            |value| String::from_utf8_lossy(&value).into_owned(),
        ));
    }
    Ok(())
}

fn hold_transaction<B: Probe>(
    directory: &Directory,
    input: &Receiver<String>,
) -> Result<(), Outcome> {
    let backend = open::<B>(directory.path(), &options())?;
    let mut txn = backend.begin()?;
    txn.put(KEY, VALUE)?;
    say_word("holding");
    if input.recv().is_ok() {
        txn.commit()?;
        say_word("committed");
    }
    Ok(())
}

fn hold_environment<B: Probe>(
    directory: &Directory,
    input: &Receiver<String>,
) -> Result<(), Outcome> {
    let backend = open::<B>(directory.path(), &options())?;
    put_and_commit(&backend, &[(KEY, VALUE)])?;
    say_word("committed");
    let _ = input.recv();
    Ok(())
}

fn hold_reader<B: Probe>(directory: &Directory, input: &Receiver<String>) -> Result<(), Outcome> {
    let backend = open::<B>(directory.path(), &options())?;
    // SAFETY: the map is not resized here.
    let reader = unsafe { backend.begin_read() }?;
    say_word("reading");
    if input.recv().is_ok() {
        drop(reader);
        drop(backend);
        say_word("closed");
        let _ = input.recv();
    }
    Ok(())
}

fn grow<B: Probe>(directory: &Directory) -> Result<(), Outcome> {
    const VALUE_SIZE: usize = 1000;
    let backend = open::<B>(directory.path(), &EnvironmentOptions { map_size: 0, ..options() })?;
    let EnvironmentInfo { map_size, .. } = backend.info()?;
    backend.resize(map_size * 4)?;
    let mut txn = backend.begin()?;
    for index in 0..map_size * 2 / VALUE_SIZE {
        txn.put(&nth_key(index), &[1; VALUE_SIZE])?;
    }
    txn.commit()?;
    say_word("grown");
    Ok(())
}

fn open_and_put<B: Probe>(directory: &Directory) -> Answer {
    let backend = open::<B>(directory.path(), &options()).map_err(|error| {
        let named = error.path() == Some(directory.path());
        Outcome::refused(&error, if named { "the error names the path" } else { "" })
    })?;
    put_and_commit(&backend, &[(KEY, VALUE)])?;
    Ok(Outcome::done(""))
}

fn open_and_read<B: Probe>(directory: &Directory) -> Answer {
    let opened = open_with::<B>(directory.path(), &options(), READ_ONLY);
    let backend = opened.map_err(|error| {
        let named = error.path() == Some(directory.path());
        Outcome::refused(&error, if named { "the error names the path" } else { "" })
    })?;
    must_hold(&backend, &[(KEY, VALUE)])?;
    Ok(Outcome::done("all pairs are there"))
}

/// Commits pairs until that fails; all that was committed before must be there.
fn fill_disk<B: Probe>(directory: &Directory, writable_map: bool) -> Answer {
    /// More than fit the small file system.
    const PAIRS: usize = 10_000;
    /// Puts per transaction.
    const BATCH: usize = 10;
    let backend = open::<B>(directory.path(), &EnvironmentOptions { writable_map, ..options() })?;
    let pairs = pairs(PAIRS, 256);
    for (index, batch) in pairs.chunks(BATCH).enumerate() {
        if let Err(error) = put_and_commit(&backend, batch) {
            must_hold(&backend, &pairs[..index * BATCH])?;
            return Ok(Outcome::refused(&error, "all that was committed before is there"));
        }
    }
    Ok(Outcome::wrong("more was committed than there is room for"))
}
