//! A worker program's main loop: reads requests, does them with its one backend, replies.

use std::io::{self, BufRead, Read, Write};
use std::process::ExitCode;

use crate::axes::AXES;
use crate::backend::{EnvironmentInfo, WriteBackend};
use crate::batch::{Batch, Supply};
use crate::check::{self, Expected};
use crate::protocol::{
    Crate, Hello, MAX_LINE, PROTOCOL, Prepare, Prepared, Profile, Reply, Request, Verify,
};
use crate::state;
use crate::timed::{self, Loop, Run};
use crate::workload::{Finish, Nesting};

/// Functions start at a multiple of this, if the workspace's flags were used; see the workspace's
/// `.cargo/config.toml`.
const ALIGNMENT: usize = 64;

/// A variable of the environment whose length is drawn anew for every launch. It moves the stack, where
/// the system keeps it, and the heap, where a worker copies it to. The low bits of a heap address are
/// otherwise the same in every launch of a program, and they matter: LMDB copies pages between its map and
/// the heap, and with some of these addresses a commit of a hundred puts took 1.8 times as long (AMD EPYC,
/// glibc 2.36).
pub const PADDING: &str = "HARNESS_PADDING";

/// The `main` of a worker program: serves standard input and output until `finish` or the end of
/// input.
#[must_use]
pub fn main<B: WriteBackend>() -> ExitCode {
    // Its bytes stay taken, so everything that is allocated later lies elsewhere.
    std::mem::forget(std::env::var_os(PADDING));
    match serve::<B>(&mut io::stdin().lock(), &mut io::stdout().lock()) {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            eprintln!("worker {}: {error}", B::IDENTITY.id);
            ExitCode::FAILURE
        }
    }
}

/// Serves requests from `input` on `output` until `finish` or the end of input.
///
/// # Errors
/// When a line cannot be read or written.
pub fn serve<B: WriteBackend>(input: &mut impl BufRead, output: &mut impl Write) -> io::Result<()> {
    while let Some(request) = next_request(input, output)? {
        let reply = match request {
            Request::Hello => hello::<B>(),
            Request::Prepare(prepare) => match open::<B>(&prepare) {
                Ok((backend, run, prepared)) => {
                    send(output, &Reply::Prepared(prepared))?;
                    match serve_prepared(backend, run, &prepare, input, output)? {
                        Ended::Closed => Reply::Closed,
                        Ended::Finished => break,
                    }
                }
                Err(reason) => Reply::Failed { reason },
            },
            Request::Verify(verify) => verified::<B>(&verify),
            Request::Preload(asked) => preloaded::<B>(&asked),
            Request::Run { .. } | Request::Close => not_now("nothing is prepared"),
            Request::Finish => {
                send(output, &Reply::Finished)?;
                break;
            }
        };
        send(output, &reply)?;
    }
    Ok(())
}

/// How the time between `prepare` and `close` ended.
enum Ended {
    Closed,
    Finished,
}

/// Serves while an environment is open; closes it at the end.
fn serve_prepared<B: WriteBackend>(
    backend: B,
    run: Run<B>,
    prepare: &Prepare,
    input: &mut impl BufRead,
    output: &mut impl Write,
) -> io::Result<Ended> {
    let batch = Batch::new(&prepare.workload, prepare.seed).shaped(B::ENCODING);
    let mut supply = Supply::new(&prepare.workload, prepare.seed, B::ENCODING, &batch);
    while let Some(request) = next_request(input, output)? {
        let reply = match request {
            Request::Hello => hello::<B>(),
            Request::Run { warm_up, transactions } => {
                let mut timed =
                    |count| supply.run(count, |pairs, count| run(&backend, pairs, count));
                let elapsed = timed(warm_up).and_then(|_| timed(transactions));
                match elapsed {
                    Ok(elapsed) => Reply::Ran {
                        transactions,
                        // 584 years fit.
                        elapsed_ns: u64::try_from(elapsed.as_nanos()).unwrap_or(u64::MAX),
                    },
                    Err(reason) => Reply::Failed { reason },
                }
            }
            Request::Prepare(_) | Request::Verify(_) | Request::Preload(_) => {
                not_now("an environment is open: close it")
            }
            Request::Close => {
                drop(backend);
                return Ok(Ended::Closed);
            }
            Request::Finish => {
                drop(backend);
                send(output, &Reply::Finished)?;
                return Ok(Ended::Finished);
            }
        };
        send(output, &reply)?;
    }
    Ok(Ended::Finished)
}

fn not_now(why: &str) -> Reply {
    Reply::Failed { reason: format!("not possible now: {why}") }
}

fn open<B: WriteBackend>(prepare: &Prepare) -> Result<(B, Run<B>, Prepared), String> {
    prepare.workload.check()?;
    B::ENCODING.check(&prepare.workload)?;
    let run = timed::find::<B>(&prepare.workload)?;
    // SAFETY: who sends `prepare` has promised that nobody else touches the directory's files.
    let backend = unsafe { B::open(&prepare.directory, &prepare.environment) };
    let backend = backend.map_err(|error| error.to_string())?;
    // A backend without an engine has no flags to state.
    let observed = match B::IDENTITY.engine {
        Some(_) => Some(backend.info().map_err(|error| error.to_string())?.flags),
        None => None,
    };
    state::touch(&backend, &prepare.workload).map_err(|error| error.to_string())?;
    let prepared = Prepared {
        sync: observed.map(|flags| flags.sync),
        writable_map: observed.map(|flags| flags.writable_map),
        no_mem_init: observed.map(|flags| flags.no_mem_init),
        no_read_ahead: observed.map(|flags| flags.no_read_ahead),
    };
    Ok((backend, run, prepared))
}

fn preloaded<B: WriteBackend>(asked: &Prepare) -> Reply {
    let outcome = asked.workload.check().and_then(|()| {
        // SAFETY: who sends `preload` has promised that nobody else touches the directory's files.
        let backend = unsafe { B::open(&asked.directory, &asked.environment) };
        let backend = backend.map_err(|error| error.to_string())?;
        state::preload(&backend, asked)?;
        check::preload(&backend, &asked.workload, u64::MAX)
    });
    match outcome {
        Ok(()) => Reply::Preloaded,
        Err(reason) => Reply::Failed { reason },
    }
}

fn verified<B: WriteBackend>(verify: &Verify) -> Reply {
    let Verify { written, encoding, transactions } = verify;
    let expected = Expected {
        workload: &written.workload,
        seed: written.seed,
        encoding: *encoding,
        transactions: *transactions,
    };
    let outcome = written.workload.check().and_then(|()| {
        // SAFETY: who sends `verify` has promised that nobody else touches the directory's files.
        let backend = unsafe { B::open(&written.directory, &written.environment) };
        check::verify(&backend.map_err(|error| error.to_string())?, &expected)
    });
    match outcome {
        Ok(EnvironmentInfo { entries, .. }) => Reply::Verified { entries },
        Err(reason) => Reply::Failed { reason },
    }
}

fn hello<B: WriteBackend>() -> Reply {
    let named = |name: &str| Crate { name: name.to_owned(), version: None };
    // The remainder is below 64.
    let remainder = |address: usize| u32::try_from(address % ALIGNMENT).unwrap_or(u32::MAX);
    let engine = B::engine();
    let loops = B::loops();
    let is_nested = |offered: &&Loop<B>| offered.nesting != Nesting::None;
    let nests = loops.iter().any(|offered| is_nested(&offered));
    let shares = loops.iter().all(|offered| offered.shares.is_some());
    let alignment = loops.iter().flat_map(|offered| {
        Finish::ALL.map(|finish| {
            let address = offered.ending_with(finish) as usize;
            let inner = match offered.nesting {
                Nesting::None => String::new(),
                nesting => format!("/nested-{nesting}"),
            };
            (format!("{finish}/{}{inner}", offered.put), remainder(address))
        })
    });
    Reply::Hello(Box::new(Hello {
        protocol: PROTOCOL,
        backend: B::IDENTITY.id.to_owned(),
        binding: B::IDENTITY.binding.map(named),
        engine_crate: B::IDENTITY.engine.map(named),
        put_alignment: engine.as_ref().map(|engine| remainder(engine.put_address)),
        engine_version: engine.map(|engine| engine.version),
        data_format: None,
        encoding: B::ENCODING,
        profile: if cfg!(debug_assertions) { Profile::Debug } else { Profile::Release },
        axes: AXES
            .iter()
            .filter(|axis| match axis.key {
                "keys" => shares,
                "nesting" => nests,
                _ => axis.implied.is_some(),
            })
            .map(|axis| axis.key.to_owned())
            .collect(),
        puts: loops
            .iter()
            .filter(|offered| !is_nested(offered))
            .map(|offered| offered.put.to_string())
            .collect(),
        loop_alignment: alignment.collect(),
    }))
}

/// The next request that can be read; lines that cannot are answered with `failed`.
fn next_request(input: &mut impl BufRead, output: &mut impl Write) -> io::Result<Option<Request>> {
    loop {
        let mut line = Vec::new();
        let limit = MAX_LINE as u64 + 1;
        if input.by_ref().take(limit).read_until(b'\n', &mut line)? == 0 {
            return Ok(None);
        }
        if line.len() > MAX_LINE {
            let message = format!("a request is longer than {MAX_LINE} bytes");
            return Err(io::Error::new(io::ErrorKind::InvalidData, message));
        }
        match serde_json::from_slice(&line) {
            Ok(request) => return Ok(Some(request)),
            Err(error) => {
                send(output, &Reply::Failed { reason: format!("unreadable request: {error}") })?;
            }
        }
    }
}

fn send(output: &mut impl Write, reply: &Reply) -> io::Result<()> {
    let mut line = serde_json::to_vec(reply)?;
    line.push(b'\n');
    output.write_all(&line)?;
    output.flush()
}
