//! Worker programs that show what a backend does, one per backend: they print the records of the
//! conformance cases, write batches until they are killed, and check what a killed writer left.
//!
//! A program is started for one thing, which its first argument names, and ends with it or with its
//! standard input. What it says is one JSON object per line, of
//! [`behaviour`](write_backend::protocol::behaviour).
//!
//! | argument | what it does |
//! |---|---|
//! | `--identity` | says who it is |
//! | `--records` | performs the conformance cases and says a record for each |
//! | `--write DIR MODE NUMBER` | commits batches from NUMBER on and says so |
//! | `--check DIR` | opens, waits for a question, says what was found |
//!
//! It knows no adapter and no LMDB library.

use std::io::{self, BufRead as _, Write as _};
use std::path::PathBuf;
use std::process::{self, ExitCode};
use std::sync::mpsc::{self, Receiver};
use std::thread;

use serde::Serialize;
use write_backend::protocol::behaviour::{CHECK, IDENTITY, Opened, WRITE};
use write_backend::protocol::{Reply, Request};
use write_backend::{Probe, SyncMode, WriteBackend};

pub mod crash;

/// The `main` of a worker program of `B`.
#[must_use]
pub fn main<B: Probe>() -> ExitCode {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let words: Vec<&str> = arguments.iter().map(String::as_str).collect();
    let done = match words[..] {
        [IDENTITY] => identity::<B>(),
        [WRITE, directory, mode, first] => write::<B>(directory, mode, first),
        [CHECK, directory] => check::<B>(directory),
        // `--records`, and the processes that a case asks for.
        _ => return conformance::main::<B>(),
    };
    match done {
        Ok(()) => ExitCode::SUCCESS,
        Err(reason) => {
            eprintln!("behaviour worker {}: {reason}", B::IDENTITY.id);
            ExitCode::FAILURE
        }
    }
}

fn identity<B: WriteBackend>() -> Result<(), String> {
    let said = conformance::conversation::converse::<B>(&[Request::Hello]);
    match said.map_err(|error| error.to_string())?.first() {
        Some(Reply::Hello(hello)) => say(hello),
        other => Err(format!("no answer to who it is: {other:?}")),
    }
}

fn write<B: WriteBackend>(directory: &str, mode: &str, first: &str) -> Result<(), String> {
    let sync: SyncMode = mode.parse()?;
    let first = first.parse().map_err(|error| format!("`{first}`: {error}"))?;
    // The process ends when its input does, so that it never outlives the one that is to kill it.
    let _lines = lines_of_input();
    crash::write::<B>(&PathBuf::from(directory), sync, first, &mut |wrote| say(&wrote))
}

fn check<B: WriteBackend>(directory: &str) -> Result<(), String> {
    let lines = lines_of_input();
    let checker = crash::Checker::<B>::open(&PathBuf::from(directory))?;
    say(&Opened)?;
    let question = lines.recv().map_err(|_| "nothing was asked".to_owned())?;
    let question = serde_json::from_str(&question).map_err(|error| error.to_string())?;
    say(&checker.answer(question)?)
}

fn say(message: &impl Serialize) -> Result<(), String> {
    let mut line = serde_json::to_vec(message).map_err(|error| error.to_string())?;
    line.push(b'\n');
    // One write: a line is said whole or not at all, also by a process that is killed.
    let mut output = io::stdout().lock();
    output.write_all(&line).and_then(|()| output.flush()).map_err(|error| error.to_string())
}

/// The lines of standard input; the process ends with it.
fn lines_of_input() -> Receiver<String> {
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
