//! A worker program's main loop: reads requests, does them with its one backend, replies.

use std::io::{self, BufRead, Read, Write};
use std::process::ExitCode;

use crate::backend::{EnvironmentInfo, Package, WriteBackend};
use crate::batch::Batch;
use crate::check::{self, Expected};
use crate::protocol::{
    Crate, Hello, MAX_LINE, PROTOCOL, Prepare, Prepared, Profile, Reply, Request, Verify,
};
use crate::timed;

/// Functions start at a multiple of this, if the workspace's flags were used; see the workspace's
/// `.cargo/config.toml`.
const ALIGNMENT: usize = 64;

/// The `main` of a worker program: serves standard input and output until `finish` or the end of
/// input.
#[must_use]
pub fn main<B: WriteBackend>() -> ExitCode {
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
                Ok((backend, prepared)) => {
                    send(output, &Reply::Prepared(prepared))?;
                    match serve_prepared(backend, &prepare, input, output)? {
                        Ended::Closed => Reply::Closed,
                        Ended::Finished => break,
                    }
                }
                Err(reason) => Reply::Failed { reason },
            },
            Request::Verify(verify) => verified::<B>(&verify),
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
    prepare: &Prepare,
    input: &mut impl BufRead,
    output: &mut impl Write,
) -> io::Result<Ended> {
    let batch = Batch::new(&prepare.workload, prepare.seed);
    let pairs = batch.pairs();
    while let Some(request) = next_request(input, output)? {
        let reply = match request {
            Request::Hello => hello::<B>(),
            Request::Run { warm_up, transactions } => {
                let finish = prepare.workload.finish;
                let elapsed = timed::run(&backend, &pairs, finish, warm_up)
                    .and_then(|_| timed::run(&backend, &pairs, finish, transactions));
                match elapsed {
                    Ok(elapsed) => Reply::Ran {
                        transactions,
                        // 584 years fit.
                        elapsed_ns: u64::try_from(elapsed.as_nanos()).unwrap_or(u64::MAX),
                    },
                    Err(error) => Reply::Failed { reason: error.to_string() },
                }
            }
            Request::Prepare(_) | Request::Verify(_) => not_now("an environment is open: close it"),
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

fn open<B: WriteBackend>(prepare: &Prepare) -> Result<(B, Prepared), String> {
    prepare.workload.check()?;
    let backend = B::open(&prepare.directory, &prepare.environment).map_err(|e| e.to_string())?;
    // A backend without an engine has no flags to state.
    let observed = match B::IDENTITY.engine {
        Some(_) => Some(backend.info().map_err(|error| error.to_string())?.flags),
        None => None,
    };
    let prepared = Prepared {
        sync: observed.map(|flags| flags.sync),
        writable_map: observed.map(|flags| flags.writable_map),
    };
    Ok((backend, prepared))
}

fn verified<B: WriteBackend>(verify: &Verify) -> Reply {
    let Verify { written, transactions } = verify;
    let expected =
        Expected { workload: &written.workload, seed: written.seed, transactions: *transactions };
    let outcome = written
        .workload
        .check()
        .and_then(|()| check::verify::<B>(&written.directory, &written.environment, &expected));
    match outcome {
        Ok(EnvironmentInfo { entries, .. }) => Reply::Verified { entries },
        Err(reason) => Reply::Failed { reason },
    }
}

fn hello<B: WriteBackend>() -> Reply {
    let owned = |package: Package| Crate {
        name: package.name.to_owned(),
        version: package.version.to_owned(),
    };
    // The remainder is below 64.
    let remainder = |address: usize| u32::try_from(address % ALIGNMENT).unwrap_or(u32::MAX);
    let engine = B::engine();
    Reply::Hello(Box::new(Hello {
        protocol: PROTOCOL,
        backend: B::IDENTITY.id.to_owned(),
        binding: B::IDENTITY.binding.map(owned),
        engine_crate: B::IDENTITY.engine.map(owned),
        put_alignment: engine.as_ref().map(|engine| remainder(engine.put_address)),
        engine_version: engine.map(|engine| engine.version),
        profile: if cfg!(debug_assertions) { Profile::Debug } else { Profile::Release },
        pid: std::process::id(),
        loop_alignment: timed::loop_addresses::<B>().map(remainder),
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
