//! A directory for one case, and the check of what was written in it.

use std::fs;
use std::path::{Path, PathBuf};

use tempfile::TempDir;
use write_backend::check;
use write_backend::protocol::{Prepare, Reply, Request, Verify};
use write_backend::{EnvironmentOptions, Workload};

use crate::backends::{Backend, Kind, Programs};
use crate::worker::Failure;
use crate::worker::launcher::Settings;
use crate::worker::session::{Session, Start};

/// The environment's directory as its worker sees it. Where the worker lies beneath is not told to
/// it: the length of a path decides what the allocator does before and after.
const ENVIRONMENT: &str = "environment";

/// A directory for one process; removed when dropped.
#[derive(Debug)]
pub struct Place {
    directory: TempDir,
    prepare: Prepare,
}

impl Place {
    /// A directory in `root` for `workload`.
    ///
    /// # Errors
    /// When it cannot be made.
    pub fn new(root: &Path, settings: &Settings, workload: &Workload) -> Result<Self, Failure> {
        let failed = |error| Failure::Directory { path: root.to_owned(), error };
        let directory =
            tempfile::Builder::new().prefix("count-").tempdir_in(root).map_err(failed)?;
        fs::create_dir(directory.path().join(ENVIRONMENT)).map_err(failed)?;
        let environment =
            EnvironmentOptions { sync: workload.sync, ..settings.environment.clone() };
        let prepare = Prepare {
            directory: PathBuf::from(ENVIRONMENT),
            environment,
            workload: *workload,
            seed: settings.seed,
        };
        Ok(Self { directory, prepare })
    }

    /// The directory that the worker must be started in.
    #[must_use]
    pub fn path(&self) -> &Path {
        self.directory.path()
    }

    /// What to ask a worker that was started in [`path`](Self::path).
    #[must_use]
    pub fn prepare(&self) -> &Prepare {
        &self.prepare
    }

    /// Prepares the worker of `session` and checks that its environment is as asked for.
    ///
    /// # Errors
    /// When it cannot, or got another environment.
    pub fn open(&self, session: &mut Session) -> Result<(), Failure> {
        let prepared = session.ask(&Request::Prepare(self.prepare.clone()));
        match prepared.map_err(Failure::naming_map_size)? {
            Reply::Prepared(found) => {
                check::environment(&self.prepare.environment, &found).map_err(Failure::Verification)
            }
            other => Err(session.nonsense(&format!("{other:?}"))),
        }
    }

    /// Runs `transactions` transactions in the worker of `session`.
    ///
    /// # Errors
    /// When the worker fails.
    pub fn run(&self, session: &mut Session, transactions: u64) -> Result<(), Failure> {
        let ran = session.ask(&Request::Run { warm_up: 0, transactions });
        match ran.map_err(Failure::naming_map_size)? {
            Reply::Ran { transactions: ran, .. } if ran == transactions => Ok(()),
            other => Err(session.nonsense(&format!("{other:?}"))),
        }
    }

    /// Checks, in another process, that the environment holds what `transactions` transactions of
    /// `backend` must have left, and removes it.
    ///
    /// # Errors
    /// When it holds anything else.
    pub fn verify(
        self,
        programs: &Programs,
        start: &Start,
        backend: &Backend,
        transactions: u64,
    ) -> Result<(), Failure> {
        // A backend without an engine stores nothing.
        if backend.stores() {
            let reference = programs.reference();
            let program = programs.of(reference, Kind::Worker)?;
            let (mut verifier, _) = Session::start(program, reference, start)?;
            let directory = self.directory.path().join(ENVIRONMENT);
            let written = Prepare { directory, ..self.prepare };
            match verifier.ask(&Request::Verify(Verify { written, transactions })) {
                Ok(Reply::Verified { .. }) => verifier.finish()?,
                Ok(other) => return Err(verifier.nonsense(&format!("{other:?}"))),
                Err(Failure::Reported(reason)) => return Err(Failure::Verification(reason)),
                Err(failure) => return Err(failure),
            }
        }
        let path = self.directory.path().to_owned();
        self.directory.close().map_err(|error| Failure::Directory { path, error })
    }
}
