//! Puts together what all results files hold: host, options, backends.

use std::time::UNIX_EPOCH;

use crate::backends::programs::{OWN_FLAGS, PROFILE};
use crate::backends::{Backend, Backends, Kind, Programs};
use crate::cli::arguments::Arguments;
use crate::cli::supply::root;
use crate::machine::root::has_others;
use crate::machine::{binary, host, settings};
use crate::selection::{self, Selection};
use crate::worker::ProcessLauncher;
use records::host::Host;
use records::schema::{
    Asked, BackendRecord, CONFIDENCE, CaseRecord, Declared, Results, RunOptions, SCHEMA,
};

/// Results without backends and cases.
#[must_use]
pub fn results(
    producer: &str,
    arguments: &Arguments,
    backends: &Backends,
    launcher: &ProcessLauncher,
    host: Host,
) -> Results {
    let started = launcher.started().duration_since(UNIX_EPOCH);
    Results {
        schema: SCHEMA,
        producer: producer.to_owned(),
        started_unix: started.map_or(0, |since| since.as_secs()),
        complete: true,
        host,
        options: RunOptions {
            seed: launcher.settings().seed,
            map_size: arguments.map_size(),
            writable_map: arguments.writable_map,
            file_system: host::file_system(launcher.root()),
            core: launcher.settings().start.core.map(|core| core.0),
            sync_ns: host::sync_ns(launcher.root()),
            disturbances: disturbances(launcher),
            confidence: CONFIDENCE,
            rounds: 0,
            cflags: cflags(),
            builds: launcher.orders().builds().map(str::to_owned).collect(),
            settings: settings::observe(&root(), PROFILE, &OWN_FLAGS),
            asked: asked(arguments, backends, producer == "counts"),
            suite: arguments.suite().record(arguments.narrows()),
        },
        backends: Vec::new(),
        cases: Vec::new(),
        twins: Vec::new(),
        echoes: Vec::new(),
        counters: None,
    }
}

/// The `CFLAGS` that the user gave.
#[must_use]
pub fn cflags() -> Option<String> {
    let flags = std::env::var("CFLAGS").ok();
    let flags = flags.filter(|flags| !OWN_FLAGS.contains(&("CFLAGS", flags)));
    flags.map(|flags| flags.replace(char::is_control, " "))
}

/// What may have disturbed times. Of another run this is known when this one has ended.
fn disturbances(launcher: &ProcessLauncher) -> Vec<String> {
    let settings = launcher.settings();
    let mut found = settings.disturbances.clone();
    if settings.start.core.is_some() && has_others(&settings.directory) {
        found.push("Another run was measuring at the same time".to_owned());
    }
    found
}

/// The cases that `arguments` ask for, whatever a filter leaves of them.
fn asked(arguments: &Arguments, backends: &Backends, counted: bool) -> Asked {
    let mut named = selection::named(backends, &arguments.backend).unwrap_or_default();
    if arguments.backend.is_empty() {
        named = backends.all().filter(|it| counted || !it.counts_only).cloned().collect();
    }
    // What is not possible was refused before anything was measured.
    let product = |selection: &Selection| {
        let ids = selection.backends.iter().map(|backend| backend.id.clone()).collect();
        Asked::of(ids, &selection.workloads().unwrap_or_default())
    };
    Asked::all(arguments.selections(&named).unwrap_or_default().iter().map(product).collect())
}

/// What the folder of `backend` declares.
#[must_use]
pub fn declared(backend: &Backend) -> Declared<'_> {
    Declared {
        order: backend.order,
        colour: backend.colour.as_deref(),
        reference: backend.is_reference,
        control: backend.control.as_deref(),
    }
}

/// A record of every backend that `cases` name, as its worker describes itself. A worker that cannot
/// say is left out: its cases hold the reason.
#[must_use]
pub fn backends(
    launcher: &ProcessLauncher,
    backends: &Backends,
    programs: &Programs,
    cases: &[CaseRecord],
) -> Vec<BackendRecord> {
    let named =
        backends.all().filter(|backend| cases.iter().any(|case| case.backend == backend.id));
    named
        .filter_map(|backend| {
            let hello = launcher.hello(backend).ok()?;
            let build = binary::observe(programs.of(backend, Kind::Worker).ok()?);
            let record = BackendRecord::new(&hello, declared(backend), build);
            let one_link_order = launcher.orders().reason(&backend.id).map(str::to_owned);
            Some(BackendRecord { one_link_order, ..record })
        })
        .collect()
}
