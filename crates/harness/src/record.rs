//! Puts together what all results files hold: host, options, backends.

use std::time::UNIX_EPOCH;

use crate::cli::arguments::Arguments;
use crate::machine::binary;

use crate::machine::host;
use crate::programs::Programs;
use crate::registry::BACKENDS;
use crate::worker::ProcessLauncher;
use records::host::Host;
use records::schema::{BackendRecord, CaseRecord, Options, Results, SCHEMA};

/// The confidence of all intervals unless another is asked for.
pub const CONFIDENCE: f64 = 0.95;
/// Launches per backend and workload, unless asked for otherwise.
pub const LAUNCHES: usize = 30;

/// The `CFLAGS` that the workspace's `.cargo/config.toml` sets where the user gave none: alignment
/// alone.
const OWN_CFLAGS: &str = "-falign-functions=64";

/// Results without backends and cases.
#[must_use]
pub fn results(
    producer: &str,
    arguments: &Arguments,
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
        options: Options {
            seed: launcher.settings().seed,
            map_size: arguments.map_size,
            writable_map: arguments.writable_map,
            file_system: host::file_system(launcher.root()),
            core: launcher.settings().start.core.map(|core| core.0),
            confidence: CONFIDENCE,
            rounds: 0,
            cflags: std::env::var("CFLAGS")
                .ok()
                .filter(|flags| flags != OWN_CFLAGS)
                .map(|flags| flags.replace(char::is_control, " ")),
        },
        backends: Vec::new(),
        cases: Vec::new(),
        counters: None,
    }
}

/// A record of every backend that `cases` name, as its worker describes itself. A worker that cannot
/// say is left out: its cases hold the reason.
#[must_use]
pub fn backends(
    launcher: &ProcessLauncher,
    programs: &Programs,
    cases: &[CaseRecord],
) -> Vec<BackendRecord> {
    let named =
        BACKENDS.iter().filter(|backend| cases.iter().any(|case| case.backend == backend.id));
    named
        .filter_map(|backend| {
            let hello = launcher.hello(backend).ok()?;
            let build = binary::observe(programs.of(backend));
            Some(BackendRecord::new(&hello, backend.control, build))
        })
        .collect()
}
