//! Which cases are counted: those asked for, what they are compared with, and one workload in each
//! sync mode.

use std::sync::Arc;

use anyhow::anyhow;
use write_backend::{AXES, Finish, PutKind, SyncMode, Value};

use crate::backends::{Backend, Backends};
use crate::cli::arguments::Arguments;
use crate::selection::{self, Case, Filter};

/// The batch size of the workload that is counted in each sync mode, unless others are asked for.
const SYNCED_BATCH: usize = 10;
const SYNCED_VALUE: usize = 64;
const PLAIN: Value = Value::Name(PutKind::Plain.name());
/// The batch sizes of a quick run: the two ends, from which the cost of a put follows.
const QUICK_BATCHES: [usize; 2] = [1, 100];
const QUICK_VALUE: usize = 64;

/// The arguments of a quick run: fewer values for the axes that were not given.
pub fn quick(mut arguments: Arguments) -> Arguments {
    let axes = &mut arguments.axes;
    if axes.asked("batch_size").is_empty() {
        axes.ask("batch_size", QUICK_BATCHES.map(Value::Number));
    }
    if axes.asked("value_size").is_empty() {
        axes.ask("value_size", [Value::Number(QUICK_VALUE)]);
    }
    arguments
}

/// The cases to count, by workload. To the backends asked for come their controls, and to the reference
/// what is only counted, such as the loop in C. Unless sync modes or other puts are asked for, one
/// committing workload is counted in each mode that needs no writable map, so that their system calls can
/// be compared.
pub fn cases(arguments: &Arguments, backends: &Backends) -> anyhow::Result<Vec<Case>> {
    let mut unfiltered = arguments.clone();
    let filter = Filter::parse(unfiltered.filter.take().as_deref(), unfiltered.exact)
        .map_err(|reason| anyhow!(reason))?;
    let chosen = chosen(&arguments.backend, backends)?;
    let mut asked = unfiltered.cases_of(&chosen)?;
    let puts = unfiltered.axes.asked("put");
    let is_plain = puts.is_empty() || puts.contains(&PLAIN);
    if arguments.suite.is_none() && arguments.axes.asked("sync").is_empty() && is_plain {
        let synced = synced(&unfiltered).cases_of(&chosen)?;
        let new: Vec<Case> = synced.into_iter().filter(|case| !asked.contains(case)).collect();
        asked.extend(new);
    }
    let mut found = Vec::new();
    for group in asked.chunk_by(|a, b| a.workload == b.workload) {
        let admitted: Vec<&Case> =
            group.iter().filter(|case| filter.admits(&case.name())).collect();
        let is_wanted = |backend: &Backend| {
            admitted.iter().any(|case| {
                let control = case.backend.control.as_deref();
                case.backend.id == backend.id || control == Some(&backend.id)
            })
        };
        let workload = group[0].workload;
        let wanted = backends.all().filter(|backend| is_wanted(backend));
        found.extend(wanted.map(|backend| Case { backend: Arc::clone(backend), workload }));
    }
    if found.is_empty() {
        // Says what there is.
        arguments.cases_of(&chosen)?;
        return Err(anyhow!("no case is left to count"));
    }
    Ok(found)
}

/// The backends that are asked for, all by default. What is only counted comes with the reference, and
/// brings it where it is not alone: it is what the reference is held against.
fn chosen(ids: &[String], backends: &Backends) -> anyhow::Result<Vec<Arc<Backend>>> {
    let named = selection::named(backends, ids).map_err(anyhow::Error::msg)?;
    let counted = named.iter().filter(|backend| backend.counts_only).count();
    let reference = named.iter().any(|backend| backend.is_reference);
    let brings_reference = counted > 0 && counted < named.len();
    let is_chosen = |backend: &&Arc<Backend>| {
        ids.is_empty()
            || named.contains(backend)
            || reference && backend.counts_only
            || brings_reference && backend.is_reference
    };
    Ok(backends.all().filter(is_chosen).cloned().collect())
}

/// The arguments of the workload that is counted in each sync mode: of every axis one value, the first
/// that was asked for or else one of ours.
fn synced(arguments: &Arguments) -> Arguments {
    let mut synced = arguments.clone();
    for axis in &AXES {
        let usual = match axis.key {
            "batch_size" => Value::Number(SYNCED_BATCH),
            "value_size" => Value::Number(SYNCED_VALUE),
            _ => axis.defaults[0],
        };
        let first = arguments.axes.asked(axis.key).first().copied().unwrap_or(usual);
        synced.axes.ask(axis.key, [first]);
    }
    synced.axes.ask("put", [PLAIN]);
    synced.axes.ask("finish", [Value::Name(Finish::Commit.name())]);
    let modes = [SyncMode::NoSync, SyncMode::NoMetaSync, SyncMode::Sync];
    synced.axes.ask("sync", modes.map(|mode| Value::Name(mode.name())));
    synced
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use clap::Parser as _;

    use super::*;
    use crate::backends::testing;

    #[derive(clap::Parser)]
    struct Program {
        #[command(flatten)]
        arguments: Arguments,
    }

    fn parse(line: &str) -> Arguments {
        let words = std::iter::once("counts").chain(line.split_whitespace());
        Program::try_parse_from(words).unwrap().arguments
    }

    fn names(line: &str) -> Vec<String> {
        cases(&parse(line), &testing::backends()).unwrap().iter().map(Case::name).collect()
    }

    #[test]
    fn the_default_is_the_matrix_the_reference_and_the_sync_modes() {
        let names = names("");
        assert_eq!(names.len(), (24 + 2) * testing::backends().all().count());
        assert_eq!(names[0], "abort-n1-v4-k4-sequential-nosync/c-reference");
        assert_eq!(names.last().unwrap(), "commit-n10-v64-k4-sequential-sync/null");
        assert_eq!(names.iter().collect::<BTreeSet<_>>().len(), names.len());
    }

    #[test]
    fn the_reference_comes_with_raw_ffi_or_alone() {
        let one = "--batch 1 --value-size 4 --sync nosync --finish abort";
        let backends = |line: &str| -> Vec<String> {
            names(&format!("{one} {line}"))
                .iter()
                .map(|name| name.split('/').nth(1).unwrap().to_owned())
                .collect()
        };
        assert_eq!(backends("--backend raw-ffi"), ["c-reference", "raw-ffi"]);
        assert_eq!(backends("--backend c-reference"), ["c-reference"]);
        assert_eq!(backends("--backend c-reference,null"), ["c-reference", "raw-ffi", "null"]);
        assert_eq!(backends("c-reference"), ["c-reference"]);
        assert_eq!(backends("heed"), ["raw-ffi@lmdb-master-sys", "heed"]);
    }

    #[test]
    fn a_quick_run_has_both_ends() {
        let arguments = quick(parse("--backend null --sync nosync"));
        let cases = cases(&arguments, &testing::backends()).unwrap();
        assert_eq!(cases.len(), 4);
        assert!(cases[3].name().starts_with("commit-n100-v64"));
    }
}
