//! The backends of this workspace and their programs, found and built once for a test program.

use std::path::{Path, PathBuf};
use std::sync::{Arc, LazyLock};
use std::time::Duration;

use write_backend::EnvironmentOptions;

use crate::backends::{Backend, Backends, Kind, Programs};
use crate::links::RunOrders;
use crate::worker::ProcessLauncher;
use crate::worker::launcher::Settings;
use crate::worker::session::Start;

pub(super) static BACKENDS: LazyLock<Backends> =
    LazyLock::new(|| Backends::of_workspace(root()).expect("this workspace's backends"));

pub(super) static PROGRAMS: LazyLock<Programs> =
    LazyLock::new(|| Programs::build(root(), &BACKENDS, |_| true, &[Kind::Worker, Kind::Witness]));

pub(super) const SEED: u64 = 7;

pub(super) fn root() -> &'static Path {
    Path::new(concat!(env!("CARGO_MANIFEST_DIR"), "/../.."))
}

pub(super) fn start() -> Start {
    Start { core: None, padding: 0, limit: Duration::from_secs(60) }
}

/// What starts workers of `programs` and checks what they wrote.
pub(super) fn launcher(programs: &Programs, directory: &Path) -> ProcessLauncher {
    let environment = EnvironmentOptions::default();
    let settings = Settings {
        environment,
        directory: directory.to_owned(),
        seed: SEED,
        core: None,
        disturbances: Vec::new(),
        start: start(),
    };
    ProcessLauncher::new(programs.clone(), RunOrders::default(), settings).expect("a directory")
}

pub(super) fn worker(backend: &Backend) -> PathBuf {
    PROGRAMS.of(backend, Kind::Worker).expect("it was built").to_owned()
}

pub(super) fn witness(backend: &Backend) -> PathBuf {
    PROGRAMS.of(backend, Kind::Witness).expect("it was built").to_owned()
}

/// The backends that store what they are given and have a program that shows what they do.
pub(super) fn shown() -> impl Iterator<Item = &'static Arc<Backend>> {
    BACKENDS.all().filter(|backend| backend.stores() && backend.has_witness())
}

/// Whether a test can go on with what may be missing here; in CI it must.
pub(super) fn is_there<T>(tool: &Result<T, String>) -> bool {
    let Err(reason) = tool else { return true };
    assert!(std::env::var_os("CI").is_none(), "in CI it must be there: {reason}");
    eprintln!("skipped: {reason}");
    false
}
