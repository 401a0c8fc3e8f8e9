//! What the workers write, read by others: LMDB's own tools, and every other binding.

use std::path::Path;
use std::process::Command;
use std::sync::Arc;

use harness::backends::Backend;
use tempfile::TempDir;
use write_backend::protocol::{Prepare, Reply, Request, Verify};
use write_backend::{Batch, EnvironmentOptions, Workload};

use crate::built::{BACKENDS, worker};
use crate::worker::Worker;

const SEED: u64 = 7;

/// The backends that write files, and whose workers read them too.
fn writers() -> impl Iterator<Item = &'static Arc<Backend>> {
    BACKENDS.timed().filter(|backend| backend.stores())
}

fn workload(text: &str) -> Workload {
    text.parse().expect("a workload of this test")
}

/// Lets the worker of `backend` run `transactions` transactions in a new directory.
fn write(backend: &Backend, workload: Workload, transactions: u64) -> (TempDir, Verify) {
    let directory = tempfile::tempdir().expect("a directory");
    let environment = EnvironmentOptions { sync: workload.sync, ..EnvironmentOptions::default() };
    let prepare =
        Prepare { directory: directory.path().to_owned(), environment, workload, seed: SEED };
    let mut worker = Worker::start(&worker(backend));
    let prepared = worker.ask(&Request::Prepare(prepare.clone()));
    assert!(matches!(prepared, Reply::Prepared(_)), "{}: {prepared:?}", backend.id);
    let ran = worker.ask(&Request::Run { warm_up: 0, transactions });
    assert!(matches!(ran, Reply::Ran { .. }), "{}: {ran:?}", backend.id);
    assert_eq!(worker.ask(&Request::Close), Reply::Closed);
    worker.finish();
    (directory, Verify { written: prepare, transactions })
}

/// The output of one of LMDB's own programs; `None`, and a word about it, where it is not installed.
/// A machine that checks every change must have it.
fn tool(name: &str, directory: &Path) -> Option<String> {
    let output = match Command::new(name).arg(directory).output() {
        Ok(output) => output,
        Err(error) => {
            assert!(std::env::var_os("CI").is_none(), "{name} is needed: {error}");
            eprintln!("skipped: {name}: {error} (Debian has it in lmdb-utils)");
            return None;
        }
    };
    let errors = String::from_utf8_lossy(&output.stderr);
    assert!(output.status.success(), "{name}: {}: {errors}", output.status);
    Some(String::from_utf8(output.stdout).expect("both programs write text"))
}

/// The pairs of a dump, which is a header, then keys and values in turn, each a line of hexadecimal
/// digits after a space.
fn dumped(dump: &str) -> Vec<(String, String)> {
    let (_, data) = dump.split_once("HEADER=END\n").expect("a header");
    let data = data.strip_suffix("DATA=END\n").expect("an end");
    let lines: Vec<&str> =
        data.lines().map(|line| line.strip_prefix(' ').expect("a line of data")).collect();
    let pairs = lines.chunks(2).map(|pair| (pair[0].to_owned(), pair[1].to_owned()));
    pairs.collect()
}

fn hex(bytes: &[u8]) -> String {
    bytes.iter().fold(String::new(), |text, byte| format!("{text}{byte:02x}"))
}

/// The pairs of a workload in the order in which LMDB keeps them.
fn expected(workload: &Workload) -> Vec<(String, String)> {
    let batch = Batch::new(workload, SEED);
    let mut pairs: Vec<(String, String)> =
        batch.pairs().iter().map(|(key, value)| (hex(key), hex(value))).collect();
    pairs.sort();
    pairs
}

#[test]
fn lmdbs_own_tools_find_exactly_what_was_written() {
    for backend in writers() {
        for order in ["sequential", "sequential-le", "random"] {
            let workload = workload(&format!("commit-n10-v64-k4-{order}-nosync"));
            let (directory, _) = write(backend, workload, 3);
            let Some(stat) = tool("mdb_stat", directory.path()) else { return };
            assert!(stat.contains("  Entries: 10\n"), "{}, {order}: {stat}", backend.id);
            let Some(dump) = tool("mdb_dump", directory.path()) else { return };
            assert_eq!(dumped(&dump), expected(&workload), "{}, {order}", backend.id);
        }
    }
}

/// Little-endian keys ascend only up to 256: a larger batch splits pages in another order, and has
/// more than one of them.
#[test]
fn lmdbs_own_tools_agree_on_a_tree_of_several_pages() {
    for backend in writers() {
        let workload = workload("commit-n300-v64-k4-sequential-le-sync");
        let (directory, _) = write(backend, workload, 2);
        let Some(dump) = tool("mdb_dump", directory.path()) else { return };
        assert_eq!(dumped(&dump), expected(&workload), "{}", backend.id);
    }
}

#[test]
fn lmdbs_own_tools_find_nothing_after_aborts() {
    for backend in writers() {
        let (directory, _) = write(backend, workload("abort-n10-v64-k4-sequential-nosync"), 3);
        let Some(stat) = tool("mdb_stat", directory.path()) else { return };
        assert!(stat.contains("  Entries: 0\n"), "{}: {stat}", backend.id);
    }
}

#[test]
fn every_binding_reads_what_every_other_wrote() {
    let workload = workload("commit-n10-v64-k4-random-nosync");
    let written: Vec<(&Arc<Backend>, TempDir, Verify)> = writers()
        .map(|writer| {
            let (directory, verify) = write(writer, workload, 3);
            (writer, directory, verify)
        })
        .collect();
    for reader in writers() {
        let mut worker = Worker::start(&self::worker(reader));
        for (writer, _, verify) in &written {
            let reply = worker.ask(&Request::Verify(verify.clone()));
            assert_eq!(reply, Reply::Verified { entries: 10 }, "{} by {}", writer.id, reader.id);
            let mut more = verify.clone();
            more.transactions += 1;
            let reply = worker.ask(&Request::Verify(more));
            let Reply::Failed { reason } = reply else { panic!("{}: {reply:?}", reader.id) };
            assert_eq!(reason, "4 commits were claimed, LMDB counted 3");
        }
        worker.finish();
    }
}
