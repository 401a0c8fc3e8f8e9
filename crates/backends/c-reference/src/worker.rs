//! The worker program around the C loop: the protocol of all workers, served without a backend.

use std::io::{self, BufRead, Write};
use std::process::ExitCode;
use std::time::Instant;

use write_backend::protocol::{Crate, Hello, PROTOCOL, Prepare, Prepared, Profile, Reply, Request};
use write_backend::{Batch, Package};

use crate::ID;
use crate::environment::{self, Environment, Pair};

/// Functions start at a multiple of this, if the workspace's flags were used.
const ALIGNMENT: usize = 64;

/// The `main` of the worker program: serves standard input and output until `finish` or the end of
/// input.
#[must_use]
pub fn main() -> ExitCode {
    match serve(&mut io::stdin().lock(), &mut io::stdout().lock()) {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            eprintln!("worker {ID}: {error}");
            ExitCode::FAILURE
        }
    }
}

fn serve(input: &mut impl BufRead, output: &mut impl Write) -> io::Result<()> {
    while let Some(request) = next_request(input, output)? {
        let reply = match request {
            Request::Hello => hello(),
            Request::Prepare(prepare) => match open(&prepare) {
                Ok((environment, prepared)) => {
                    send(output, &Reply::Prepared(prepared))?;
                    match serve_prepared(environment, &prepare, input, output)? {
                        Some(reply) => reply,
                        None => break,
                    }
                }
                Err(reason) => Reply::Failed { reason },
            },
            Request::Finish => {
                send(output, &Reply::Finished)?;
                break;
            }
            Request::Verify(_) => failed("the worker of raw-ffi checks what was written"),
            Request::Run { .. } | Request::Close => failed("not possible now: nothing is prepared"),
        };
        send(output, &reply)?;
    }
    Ok(())
}

/// Serves while the environment is open; the reply to the request that closed it, `None` at the end.
fn serve_prepared(
    environment: Environment,
    prepare: &Prepare,
    input: &mut impl BufRead,
    output: &mut impl Write,
) -> io::Result<Option<Reply>> {
    let batch = Batch::new(&prepare.workload, prepare.seed);
    let pairs: Vec<Pair<'_>> = batch.pairs().into_iter().map(Pair::new).collect();
    while let Some(request) = next_request(input, output)? {
        let reply = match request {
            Request::Hello => hello(),
            Request::Run { warm_up, transactions } => {
                run(&environment, prepare, &pairs, [warm_up, transactions])
            }
            Request::Prepare(_) | Request::Verify(_) => {
                failed("not possible now: an environment is open: close it")
            }
            Request::Close => return Ok(Some(Reply::Closed)),
            Request::Finish => {
                drop(environment);
                send(output, &Reply::Finished)?;
                return Ok(None);
            }
        };
        send(output, &reply)?;
    }
    Ok(None)
}

fn run(
    environment: &Environment,
    prepare: &Prepare,
    pairs: &[Pair<'_>],
    [warm_up, transactions]: [u64; 2],
) -> Reply {
    let finish = prepare.workload.finish;
    let elapsed = environment.run(pairs, finish, warm_up).and_then(|()| {
        let start = Instant::now();
        environment.run(pairs, finish, transactions).map(|()| start.elapsed())
    });
    match elapsed {
        Ok(elapsed) => Reply::Ran {
            transactions,
            // 584 years fit.
            elapsed_ns: u64::try_from(elapsed.as_nanos()).unwrap_or(u64::MAX),
        },
        Err(reason) => Reply::Failed { reason },
    }
}

fn open(prepare: &Prepare) -> Result<(Environment, Prepared), String> {
    prepare.workload.check()?;
    let environment = Environment::open(prepare)?;
    let flags = environment.flags()?;
    let prepared = Prepared { sync: Some(flags.sync), writable_map: Some(flags.writable_map) };
    Ok((environment, prepared))
}

fn hello() -> Reply {
    const ENGINE: Package = Package::locked("lmdb-sys");
    let engine_crate = Crate { name: ENGINE.name.to_owned(), version: ENGINE.version.to_owned() };
    // The remainder is below 64.
    let remainder = |address: usize| u32::try_from(address % ALIGNMENT).unwrap_or(u32::MAX);
    let (version, put_address) = environment::engine();
    Reply::Hello(Box::new(Hello {
        protocol: PROTOCOL,
        backend: ID.to_owned(),
        binding: None,
        engine_crate: Some(engine_crate),
        engine_version: Some(version),
        profile: if cfg!(debug_assertions) { Profile::Debug } else { Profile::Release },
        pid: std::process::id(),
        put_alignment: Some(remainder(put_address)),
        loop_alignment: environment::loop_addresses().map(remainder),
    }))
}

fn failed(reason: &str) -> Reply {
    Reply::Failed { reason: reason.to_owned() }
}

/// The next request that can be read; lines that cannot are answered with `failed`.
fn next_request(input: &mut impl BufRead, output: &mut impl Write) -> io::Result<Option<Request>> {
    let mut line = String::new();
    loop {
        line.clear();
        if input.read_line(&mut line)? == 0 {
            return Ok(None);
        }
        match serde_json::from_str(&line) {
            Ok(request) => return Ok(Some(request)),
            Err(error) => send(output, &failed(&format!("unreadable request: {error}")))?,
        }
    }
}

fn send(output: &mut impl Write, reply: &Reply) -> io::Result<()> {
    let mut line = serde_json::to_vec(reply)?;
    line.push(b'\n');
    output.write_all(&line)?;
    output.flush()
}

#[cfg(test)]
mod tests {
    use write_backend::{EnvironmentOptions, Workload};

    use super::*;

    fn replies(requests: &[Request]) -> Vec<Reply> {
        let lines: Vec<String> =
            requests.iter().map(|request| serde_json::to_string(request).unwrap()).collect();
        let mut output = Vec::new();
        serve(&mut lines.join("\n").as_bytes(), &mut output).unwrap();
        let text = String::from_utf8(output).unwrap();
        text.lines().map(|line| serde_json::from_str(line).unwrap()).collect()
    }

    #[test]
    fn both_loops_run_and_the_engine_is_the_one_of_raw_ffi() {
        for workload in ["abort-n3-v8-k4-sequential-nosync", "commit-n3-v8-k4-sequential-nosync"] {
            let workload: Workload = workload.parse().unwrap();
            let directory = tempfile::tempdir().unwrap();
            let prepare = Prepare {
                directory: directory.path().to_owned(),
                environment: EnvironmentOptions { sync: workload.sync, ..Default::default() },
                workload,
                seed: 1,
            };
            let replies = replies(&[
                Request::Hello,
                Request::Run { warm_up: 0, transactions: 1 },
                Request::Prepare(prepare),
                Request::Run { warm_up: 2, transactions: 5 },
                Request::Close,
                Request::Finish,
            ]);
            let Reply::Hello(hello) = &replies[0] else { panic!("{replies:?}") };
            assert_eq!(hello.engine_version.as_deref(), Some("0.9.21"));
            assert!(matches!(replies[1], Reply::Failed { .. }), "{replies:?}");
            assert!(matches!(replies[2], Reply::Prepared(_)), "{replies:?}");
            assert!(matches!(replies[3], Reply::Ran { transactions: 5, .. }), "{replies:?}");
            assert_eq!(replies[4..], [Reply::Closed, Reply::Finished]);
        }
    }

    #[test]
    fn an_error_of_the_engine_is_reported_with_its_text() {
        let directory = tempfile::tempdir().unwrap();
        let prepare = Prepare {
            directory: directory.path().join("absent"),
            environment: EnvironmentOptions::default(),
            workload: "commit-n1-v4-k4-sequential-nosync".parse().unwrap(),
            seed: 1,
        };
        let replies = replies(&[Request::Prepare(prepare)]);
        let [Reply::Failed { reason }] = &replies[..] else { panic!("{replies:?}") };
        assert!(reason.starts_with("open: No such file"), "{reason}");
    }
}
