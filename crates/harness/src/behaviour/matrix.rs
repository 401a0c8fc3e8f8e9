//! The records of the conformance cases.

use std::path::Path;
use std::process::Command;
use std::time::Duration;

use write_backend::protocol::behaviour::{IDENTITY, RECORDS, Record};
use write_backend::protocol::{Hello, Reply};

use crate::backends::Backend;
use crate::worker::Failure;
use crate::worker::child::Child;
use records::behaviour::{BehaviourCase, Seen};

/// How long one case may take: its own watchdog strikes after ten seconds of silence, and a case has
/// a few steps.
const LIMIT: Duration = Duration::from_secs(120);

pub fn identity(program: &Path, backend: &Backend) -> Result<Hello, String> {
    let Reply::Hello(hello) = start(program, &[IDENTITY])?.answers(LIMIT)? else {
        return Err("it does not say who it is".to_owned());
    };
    if hello.backend != backend.id || hello.engine_version.as_deref() != backend.engine_version() {
        let engine = hello.engine_version.unwrap_or_default();
        return Err(format!("{} on LMDB {engine} is not {}", hello.backend, backend.id));
    }
    Ok(backend.stated(*hello))
}

/// Starts `program`, a witness, for what `arguments` say.
pub(super) fn start(program: &Path, arguments: &[&str]) -> Result<Child, Failure> {
    let mut command = Command::new(program);
    command.args(arguments);
    Child::start(command)
}

/// The records of all cases, each in a directory below `temporary`.
pub fn records(program: &Path, backend: &Backend, temporary: &Path) -> Result<Vec<Record>, String> {
    let mut command = Command::new(program);
    command.arg(RECORDS).env("TMPDIR", temporary);
    let mut process = Child::start(command)?;
    let mut records = Vec::new();
    while let Some(record) = process.says::<Record>(LIMIT)? {
        if record.backend != backend.id {
            return Err(format!("a record of {} from {}", record.backend, backend.id));
        }
        records.push(record);
    }
    if records.is_empty() { Err(process.died().to_string()) } else { Ok(records) }
}

/// Adds the records of one backend to those of others, case by case.
pub fn add(cases: &mut Vec<BehaviourCase>, records: Vec<Record>) {
    for record in records {
        let Record { backend, case, means, outcome, as_expected, differs_because, for_the_user } =
            record;
        let seen = Seen { backend, outcome, as_expected, differs_because, for_the_user };
        match cases.iter_mut().find(|known| known.case == case) {
            Some(known) => known.seen.push(seen),
            None => cases.push(BehaviourCase { case, means, seen: vec![seen] }),
        }
    }
}
