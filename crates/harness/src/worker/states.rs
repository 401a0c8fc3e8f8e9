//! Environments that hold what workloads find there: made once, by the worker that also checks, and then
//! handed to each launch.
//!
//! All launches begin with the same bytes. What is committed to is copied; transactions that are aborted
//! leave the file alone, so that all launches may open the same one, each beside a lock file of its own. A
//! launch whose check fails may have written to it all the same: then states are made anew.

use std::fs::{self, File};
use std::io;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::Duration;

use tempfile::TempDir;
use write_backend::protocol::{Prepare, Reply, Request};
use write_backend::{Finish, Workload};

use crate::backends::Backend;
use crate::worker::Failure;
use crate::worker::session::Session;

/// The file with an environment's data (`mdb_env_open`).
const DATA: &str = "data.mdb";

#[derive(Debug, Default)]
pub struct States(Vec<State>);

/// An environment that is closed and on the disk.
#[derive(Debug)]
struct State {
    /// Whose worker made it: another engine may not read it.
    backend: Arc<Backend>,
    of: Workload,
    directory: TempDir,
}

/// What decides a state: of all other axes the usual value.
pub fn state_of(workload: &Workload) -> Workload {
    let Workload { preload, fill, database, key_size, value_size, .. } = *workload;
    Workload { preload, fill, database, key_size, value_size, ..Workload::default() }
}

/// How much longer than usual a request takes on `workload`, at most: some microseconds for each pair.
pub fn patience(workload: &Workload) -> Duration {
    const PAIR: Duration = Duration::from_micros(100);
    PAIR.saturating_mul(u32::try_from(workload.preload).unwrap_or(u32::MAX))
}

impl States {
    /// The state of `workload` that the worker of `backend` made.
    pub fn find(&self, backend: &Backend, workload: &Workload) -> Option<PathBuf> {
        let of = state_of(workload);
        let found = self.0.iter().find(|state| state.backend.id == backend.id && state.of == of);
        found.map(|state| state.directory.path().join(DATA))
    }

    /// Makes one in `directory`, with `session`, a worker of `backend`.
    pub fn make(
        &mut self,
        backend: &Arc<Backend>,
        mut session: Session,
        asked: Prepare,
        directory: TempDir,
    ) -> Result<PathBuf, Failure> {
        let of = asked.workload;
        match session.ask(&Request::Preload(asked))? {
            Reply::Preloaded => {}
            other => return Err(session.nonsense(&format!("{other:?}"))),
        }
        session.finish()?;
        let data = directory.path().join(DATA);
        sync(&data).map_err(|error| Failure::directory(&data, &error))?;
        self.0.push(State { backend: Arc::clone(backend), of, directory });
        Ok(data)
    }

    pub fn clear(&mut self) {
        self.0.clear();
    }
}

/// Puts the state `data` where an environment for `workload` is opened.
pub fn hand_over(data: &Path, directory: &Path, asked: &Prepare) -> Result<(), Failure> {
    let target = directory.join(DATA);
    let leaves_it = asked.workload.finish == Finish::Abort && !asked.environment.writable_map;
    // A file system that has no links gets a copy.
    if leaves_it && fs::hard_link(data, &target).is_ok() {
        return Ok(());
    }
    let copied = fs::copy(data, &target).and_then(|_| sync(&target));
    copied.map_err(|error| Failure::directory(&target, &error))
}

/// Waits until a file is on the disk: otherwise the system writes it while times are taken.
fn sync(file: &Path) -> io::Result<()> {
    File::options().write(true).open(file)?.sync_all()
}
