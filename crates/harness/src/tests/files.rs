//! What the workers write, read by others: LMDB's own tools, and every other binding.

use std::path::Path;
use std::process::Command;
use std::sync::Arc;

use tempfile::TempDir;
use write_backend::protocol::{Prepare, Reply, Request, Verify};
use write_backend::{Batch, Encoding, EnvironmentOptions, Finish, Workload};

use super::built::{BACKENDS, SEED, is_there, start, worker};
use crate::backends::Backend;
use crate::worker::session::Session;

/// The backends that write files, and whose workers read those of their data format too.
fn writers() -> impl Iterator<Item = &'static Arc<Backend>> {
    BACKENDS.timed().filter(|backend| backend.stores())
}

fn session(backend: &Backend) -> Session {
    Session::start(&worker(backend), backend, &start()).expect("a worker of this build").0
}

fn ask(session: &mut Session, request: &Request) -> Reply {
    session.ask(request).expect("it can")
}

/// Lets the worker of `backend` run `transactions` transactions in a new directory.
fn write(backend: &Backend, workload: Workload, transactions: u64) -> (TempDir, Verify) {
    let directory = tempfile::tempdir().expect("a directory");
    let environment = EnvironmentOptions { sync: workload.sync, ..EnvironmentOptions::default() };
    let path = directory.path().to_owned();
    let prepare = Prepare { directory: path, environment, workload, seed: SEED };
    let mut session = session(backend);
    ask(&mut session, &Request::Prepare(prepare.clone()));
    ask(&mut session, &Request::Run { warm_up: 0, transactions });
    ask(&mut session, &Request::Close);
    session.finish().expect("it ends well");
    (directory, Verify { written: prepare, encoding: Encoding::Bytes, transactions })
}

/// What LMDB's own program finds in `directory`: after a header keys and values in turn, each a line of
/// hexadecimal digits after a space.
fn dumped(directory: &Path) -> Result<Vec<(String, String)>, String> {
    let output = Command::new("mdb_dump").arg(directory).output();
    let output = output.map_err(|error| format!("mdb_dump: {error} (Debian: lmdb-utils)"))?;
    let dump = String::from_utf8(output.stdout).expect("text");
    let (_, data) = dump.split_once("HEADER=END\n").expect("a header");
    let data = data.strip_suffix("DATA=END\n").expect("an end");
    let lines: Vec<&str> = data.lines().map(str::trim_start).collect();
    Ok(lines.chunks(2).map(|pair| (pair[0].to_owned(), pair[1].to_owned())).collect())
}

fn expected(workload: &Workload) -> Vec<(String, String)> {
    let hex =
        |bytes: &[u8]| bytes.iter().fold(String::new(), |text, byte| format!("{text}{byte:02x}"));
    let batch = Batch::new(workload, SEED);
    let mut pairs: Vec<(String, String)> =
        batch.pairs().iter().map(|(key, value)| (hex(key), hex(value))).collect();
    pairs.sort();
    pairs
}

#[test]
fn lmdbs_own_tool_finds_exactly_what_was_written() {
    let workloads = [
        "abort-n10-v64-k4-sequential-nosync",
        "commit-n10-v64-k4-sequential-nosync",
        "commit-n10-v64-k4-random-nosync",
        // Little-endian keys ascend only up to 256: a larger batch splits pages in another order, and
        // has more than one of them.
        "commit-n300-v64-k4-sequential-le-sync",
    ];
    // Debian's tools are of LMDB 0.9.
    let readable = writers().filter(|backend| backend.data_format.is_default());
    for (backend, name) in readable.flat_map(|backend| workloads.map(|name| (backend, name))) {
        let workload: Workload = name.parse().expect("a workload");
        let (directory, _) = write(backend, workload, 3);
        let dumped = dumped(directory.path());
        if !is_there(&dumped) {
            return;
        }
        let written = if workload.finish == Finish::Abort { vec![] } else { expected(&workload) };
        assert_eq!(dumped.as_ref(), Ok(&written), "{}, {name}", backend.id);
    }
}

#[test]
fn every_binding_reads_what_every_other_wrote() {
    let workload = "commit-n10-v64-k4-random-nosync".parse().expect("a workload");
    let written: Vec<_> = writers().map(|writer| (writer, write(writer, workload, 3))).collect();
    for reader in writers() {
        let mut session = session(reader);
        for (writer, (_directory, verify)) in &written {
            if writer.data_format != reader.data_format {
                let failure =
                    session.ask(&Request::Verify(verify.clone())).expect_err("unreadable");
                assert!(failure.to_string().contains("open"), "{}: {failure}", reader.id);
                continue;
            }
            let reply = ask(&mut session, &Request::Verify(verify.clone()));
            assert_eq!(reply, Reply::Verified { entries: 10 }, "{} by {}", writer.id, reader.id);
            let more = Verify { transactions: verify.transactions + 1, ..verify.clone() };
            let failure = session.ask(&Request::Verify(more)).expect_err("one too many");
            assert_eq!(failure.to_string(), "4 commits were claimed, LMDB counted 3");
        }
        session.finish().expect("it ends well");
    }
}
