//! What may be published, and why not. Pure: all reasons against a file at once.

use write_backend::SyncMode;
use write_backend::protocol::Profile;

use crate::behaviour::Behaviour;
use crate::floors::{Floors, RARE};
use crate::host;
use crate::published::file;
use crate::schema::{BackendRecord, CaseRecord, Results, Status};
use crate::weak;

/// How many failed cases are named.
const NAMED: usize = 3;

/// Said of times that were taken on any core.
const UNBOUND: &str =
    "Workers could not be bound to a core: the scheduler adds differences of its own";

/// The name that a results file has in a published run.
///
/// # Errors
/// Why it has none.
pub fn file_name(results: &Results) -> Result<&'static str, String> {
    match (results.producer.as_str(), &results.options.cflags) {
        ("compare", None) => Ok(file::COMPARE),
        ("compare", Some(cflags)) => equal_flags(&results.backends)
            .map(|()| file::EQUAL_FLAGS)
            .map_err(|reason| format!("engines were built with CFLAGS `{cflags}`, but {reason}")),
        ("counts", None) => Ok(file::COUNTS),
        ("counts", Some(cflags)) => Err(format!(
            "engines were built with CFLAGS `{cflags}`: counts are published as shipped, without"
        )),
        (producer, _) => Err(format!("`{producer}` writes nothing that is published")),
    }
}

/// Refuses engines that were not seen to be built with the same flags: in what makes a difference,
/// optimisation and assertions.
fn equal_flags(backends: &[BackendRecord]) -> Result<(), String> {
    let engines = backends.iter().filter(|backend| backend.engine_version.is_some());
    let mut found: Vec<(String, Vec<&str>)> = Vec::new();
    for backend in engines {
        let build = &backend.engine_build;
        let (Some(optimisation), Some(assertions)) = (&build.optimisation, build.assertions) else {
            return Err(format!("it cannot be seen how the engine of {} was built", backend.id));
        };
        let assertions = if assertions { "assertions on" } else { "NDEBUG" };
        let flags = format!("{optimisation}, {assertions}");
        match found.iter_mut().find(|(known, _)| *known == flags) {
            Some((_, ids)) => ids.push(&backend.id),
            None => found.push((flags, vec![&backend.id])),
        }
    }
    if found.len() < 2 {
        return Ok(());
    }
    let words: Vec<String> =
        found.iter().map(|(flags, ids)| format!("{} with {flags}", ids.join(", "))).collect();
    Err(format!("not all with the same: {}", words.join("; ")))
}

/// Why a results file may not be published; empty if it may.
#[must_use]
pub fn refusals(results: &Results) -> Vec<String> {
    let mut reasons = Vec::new();
    reasons.extend(file_name(results).err());
    reasons
        .extend((!results.complete).then(|| "the run is partial: it was interrupted".to_owned()));
    reasons.extend(results.cases.is_empty().then(|| "it has no cases".to_owned()));
    reasons.extend(builds(&results.backends));
    reasons.extend(failed(results));
    if results.producer == "compare" {
        reasons.extend(timed(results));
    }
    reasons
}

/// What a reader is told with the tables of a run that may be published; empty if nothing.
#[must_use]
pub fn marks(results: &Results) -> Vec<String> {
    let mut marks = Vec::new();
    if results.cases.iter().any(|case| case.time.is_some()) && results.options.core.is_none() {
        marks.push(UNBOUND.to_owned());
    }
    if results.producer == "compare" {
        marks.extend(weak::marks(results));
    }
    let floors = Floors::of(results);
    if !floors.excluding.is_empty() {
        marks.push(format!(
            "The A/A floor excludes 1 on {}. There one of two equal workers came out faster; a \
             difference that is no larger is not claimed",
            floors.words()
        ));
    }
    marks
}

/// What spoils times and no counts.
fn timed(results: &Results) -> Vec<String> {
    let mut reasons = Vec::new();
    let shifted = ids(&results.backends, |backend| !backend.is_aligned());
    reasons.extend(shifted.map(|ids| {
        format!(
            "functions are not aligned to 64 bytes in {ids}: code layout would be part of the \
             result (were RUSTFLAGS or CFLAGS set for the target?)"
        )
    }));
    let file_system = &results.options.file_system;
    let is_synced = |case: &CaseRecord| case.workload.sync != SyncMode::NoSync;
    if host::is_memory(file_system) && results.cases.iter().any(is_synced) {
        reasons.push(format!(
            "sync modes other than nosync were measured on {file_system}, where syncing costs \
             nothing: use --dir"
        ));
    }
    reasons.extend(weak::refusals(results));
    let floors = Floors::of(results);
    if !floors.are_chance() {
        reasons.push(format!(
            "A/A floors that exclude 1, more than chance explains (so many or more in less than \
             {:.1} % of runs): {}",
            RARE * 100.0,
            floors.words()
        ));
    }
    reasons
}

/// What spoils everything.
fn builds(backends: &[BackendRecord]) -> Vec<String> {
    let debug = ids(backends, |backend| backend.profile == Profile::Debug);
    let system = ids(backends, |backend| backend.engine_build.bundled == Some(false));
    let reasons = [
        debug.map(|ids| format!("debug build: {ids}")),
        system.map(|ids| format!("LMDB of the system, not the one the binding ships: {ids}")),
    ];
    reasons.into_iter().flatten().collect()
}

fn ids(backends: &[BackendRecord], wanted: impl Fn(&BackendRecord) -> bool) -> Option<String> {
    let found: Vec<&str> =
        backends.iter().filter(|it| wanted(it)).map(|it| it.id.as_str()).collect();
    (!found.is_empty()).then(|| found.join(", "))
}

/// A case of a comparison without a time was not measured, whatever its status, unless its binding
/// lacks the call.
fn failed(results: &Results) -> Option<String> {
    let cases = &results.cases;
    let is_failed = |case: &&CaseRecord| {
        let is_untimed = results.producer == "compare" && case.time.is_none();
        case.status == Status::Failed || is_untimed && case.status != Status::NotOffered
    };
    let failed: Vec<&CaseRecord> = cases.iter().filter(is_failed).collect();
    let name = |case: &&CaseRecord| {
        let reason = case.reason.as_deref().unwrap_or("it has no time");
        format!("{}/{} ({reason})", case.workload, case.backend)
    };
    let named: Vec<String> = failed.iter().take(NAMED).map(name).collect();
    let more = if failed.len() > NAMED { ", ..." } else { "" };
    (!failed.is_empty()).then(|| {
        format!("failed cases, {} of {}: {}{more}", failed.len(), cases.len(), named.join(", "))
    })
}

/// Why a behaviour file may not be published; empty if it may.
#[must_use]
pub fn behaviour_refusals(found: &Behaviour) -> Vec<String> {
    let mut reasons = Vec::new();
    reasons.extend((!found.complete).then(|| "the run is partial: it was interrupted".to_owned()));
    reasons.extend(found.cases.is_empty().then(|| "it has no cases".to_owned()));
    reasons.extend(builds(&found.backends));
    reasons.extend(found.failures.iter().map(|reason| format!("not found out: {reason}")));
    reasons
}

#[cfg(test)]
#[path = "publishable/tests.rs"]
mod tests;
