//! Programs that show what a backend allocates and does: one per backend, looked at and never timed.
//!
//! [`main`] is the whole of such a program, [`tests`] the whole of an adapter's test program. What a
//! program is asked and what it says stands in [`allocations`](write_backend::protocol::allocations) and
//! [`behaviour`](write_backend::protocol::behaviour).
//!
//! | module | what it owns |
//! |---|---|
//! | `counting` | Rust heap allocations in the measured loop |
//! | `crash` | a writer that may be killed, and the check of what it left |
//!
//! A program that names this package gets its counting allocator. It knows no adapter and no LMDB
//! library.

#![deny(unsafe_code)]

use std::io::{self, Write as _};
use std::path::Path;
use std::process::ExitCode;

use child_process::lines_of_input;
use conformance::expected::Difference;
use libtest_mimic::Trial;
use serde::Serialize;
use write_backend::protocol::Request;
use write_backend::protocol::allocations::COUNT;
use write_backend::protocol::behaviour::{CHECK, IDENTITY, Opened, WRITE};
use write_backend::{Probe, SyncMode, WriteBackend, worker};

mod counting;
mod crash;

pub use counting::{Cost, Counts, KEY_SIZE, VALUE_SIZE, check_allocations};

/// The `main` of the witness program of `B`, which differs from what is usual in `differences`.
#[must_use]
pub fn main<B: Probe + 'static>(differences: &'static [Difference]) -> ExitCode {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let words: Vec<&str> = arguments.iter().map(String::as_str).collect();
    match words[..] {
        [COUNT] => counting::<B>(),
        [IDENTITY] => ended::<B>(identity::<B>()),
        [WRITE, directory, mode, first] => ended::<B>(write::<B>(directory, mode, first)),
        [CHECK, directory] => ended::<B>(check::<B>(directory)),
        // The records, and the processes that a case asks for.
        _ => conformance::main::<B>(differences, Vec::new()),
    }
}

/// The `main` of the witness program of a backend without an engine: it counts allocations, and there
/// is no behaviour to see.
#[must_use]
pub fn counting<B: WriteBackend>() -> ExitCode {
    ended::<B>(counting::answer::<B>().map_err(|error| error.to_string()))
}

/// The `main` of the test program of `B`: every conformance case, its declared `differences`, what it
/// allocates, and that it says who it is. That its engine is the expected one the harness checks.
#[must_use]
pub fn tests<B: Probe + 'static>(differences: &'static [Difference], cost: Cost) -> ExitCode {
    let more = vec![
        Trial::test("allocations", move || Ok(check_allocations::<B>(cost)?)),
        Trial::test("identity-and-engine", || {
            let identity = B::IDENTITY;
            match B::engine() {
                Some(engine) if engine.put_address == 0 => Err("mdb_put has no address".into()),
                Some(_) if identity.binding.is_some() && identity.engine.is_some() => Ok(()),
                _ => Err(format!("{}: binding and engine must be named", identity.id).into()),
            }
        }),
    ];
    conformance::main::<B>(differences, more)
}

fn ended<B: WriteBackend>(done: Result<(), String>) -> ExitCode {
    match done {
        Ok(()) => ExitCode::SUCCESS,
        Err(reason) => {
            eprintln!("witness of {}: {reason}", B::IDENTITY.id);
            ExitCode::FAILURE
        }
    }
}

/// Answers as the timed worker does.
fn identity<B: WriteBackend>() -> Result<(), String> {
    let request = serde_json::to_vec(&Request::Hello).map_err(|error| error.to_string())?;
    worker::serve::<B>(&mut &request[..], &mut io::stdout()).map_err(|error| error.to_string())
}

fn write<B: WriteBackend>(directory: &str, mode: &str, first: &str) -> Result<(), String> {
    let sync: SyncMode = mode.parse()?;
    let first = first.parse().map_err(|error| format!("`{first}`: {error}"))?;
    // The process ends when its input does, so that it never outlives the one that is to kill it.
    let _lines = lines_of_input();
    crash::write::<B>(Path::new(directory), sync, first, &mut |wrote| say(&wrote))
}

fn check<B: WriteBackend>(directory: &str) -> Result<(), String> {
    let lines = lines_of_input();
    let checker = crash::Checker::<B>::open(Path::new(directory))?;
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
