//! Where the worker programs are: built with the bench or test that uses them, in the same profile.

use std::path::{Path, PathBuf};

use crate::registry::Backend;

/// The worker programs of this build. To be called from a bench or an integration test of this
/// package: only there does cargo say where they are.
#[macro_export]
macro_rules! worker_programs {
    () => {
        $crate::programs::Programs::new(&[
            ("worker-raw-ffi", env!("CARGO_BIN_EXE_worker-raw-ffi")),
            ("worker-raw-ffi-lmdb-rkv-sys", env!("CARGO_BIN_EXE_worker-raw-ffi-lmdb-rkv-sys")),
            (
                "worker-raw-ffi-lmdb-master-sys",
                env!("CARGO_BIN_EXE_worker-raw-ffi-lmdb-master-sys"),
            ),
            ("worker-lmdb-rkv", env!("CARGO_BIN_EXE_worker-lmdb-rkv")),
            ("worker-heed", env!("CARGO_BIN_EXE_worker-heed")),
            ("worker-owned-buffer", env!("CARGO_BIN_EXE_worker-owned-buffer")),
            ("worker-pre-span", env!("CARGO_BIN_EXE_worker-pre-span")),
            ("worker-null", env!("CARGO_BIN_EXE_worker-null")),
        ])
    };
}

/// Worker programs by name.
#[derive(Debug, Clone)]
pub struct Programs {
    paths: Vec<(&'static str, PathBuf)>,
}

impl Programs {
    /// The programs with the given names and paths.
    #[must_use]
    pub fn new(paths: &[(&'static str, &str)]) -> Self {
        Self { paths: paths.iter().map(|(name, path)| (*name, PathBuf::from(path))).collect() }
    }

    /// The program of `backend`.
    ///
    /// # Panics
    /// If the list lacks it: [`worker_programs!`](crate::worker_programs) and the registry must name
    /// the same programs.
    #[must_use]
    pub fn of(&self, backend: &Backend) -> &Path {
        let found = self.paths.iter().find(|(name, _)| *name == backend.program);
        match found {
            Some((_, path)) => path,
            None => panic!("no program called {}", backend.program),
        }
    }

    /// The same programs with `path` for the program called `name`: tests put a misbehaving one in a
    /// backend's place.
    #[must_use]
    pub fn with(mut self, name: &'static str, path: &Path) -> Self {
        self.paths.retain(|(known, _)| *known != name);
        self.paths.push((name, path.to_owned()));
        self
    }
}
