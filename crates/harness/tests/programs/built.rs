//! The backends of this workspace and their programs, found and built once for a test program.

use std::path::{Path, PathBuf};
use std::sync::{Arc, LazyLock};

use harness::backends::{Backend, Backends, Kind, Programs};

/// All backends.
pub(crate) static BACKENDS: LazyLock<Backends> =
    LazyLock::new(|| Backends::of_workspace(root()).expect("this workspace's backends"));

/// All their programs.
pub(crate) static PROGRAMS: LazyLock<Programs> =
    LazyLock::new(|| Programs::build(root(), &BACKENDS, |_| true, &[Kind::Worker, Kind::Witness]));

fn root() -> &'static Path {
    Path::new(concat!(env!("CARGO_MANIFEST_DIR"), "/../.."))
}

/// The timed worker of `backend`.
pub(crate) fn worker(backend: &Backend) -> PathBuf {
    PROGRAMS.of(backend, Kind::Worker).expect("it was built").to_owned()
}

/// The witness program of `backend`.
pub(crate) fn witness(backend: &Backend) -> PathBuf {
    PROGRAMS.of(backend, Kind::Witness).expect("it was built").to_owned()
}

/// The backends that store what they are given and have a program that shows what they do.
pub(crate) fn shown() -> impl Iterator<Item = &'static Arc<Backend>> {
    BACKENDS.all().filter(|it| it.stores() && it.has_witness())
}
