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
use write_backend::{EnvironmentKind, Finish, Workload};

use crate::backends::Backend;
use crate::machine::page_cache;
use crate::worker::Failure;
use crate::worker::session::Session;

/// The file with the data of an environment of LMDB (`mdb_env_open`). Only of LMDB it is known that opening
/// it changes nothing.
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
        found.map(|state| data_in(state.directory.path()))
    }

    /// Keeps what was made in `directory`, by the worker of `backend`.
    pub fn keep(&mut self, backend: &Arc<Backend>, of: Workload, directory: TempDir) -> PathBuf {
        let data = data_in(directory.path());
        self.0.push(State { backend: Arc::clone(backend), of, directory });
        data
    }

    pub fn clear(&mut self) {
        self.0.clear();
    }
}

/// Lets `session`, a worker that checks, make the state that is `asked` for.
pub fn make(mut session: Session, asked: Prepare) -> Result<(), Failure> {
    let directory = asked.directory.clone();
    match session.ask(&Request::Preload(asked))? {
        Reply::Preloaded => {}
        other => return Err(session.nonsense(&format!("{other:?}"))),
    }
    session.finish()?;
    let data = data_in(&directory);
    sync(&data).map_err(|error| Failure::directory(&data, &error))
}

/// Puts the state `data` where an environment for `workload` is opened.
pub fn hand_over(data: &Path, directory: &Path, asked: &Prepare) -> Result<(), Failure> {
    let target = directory.join(data.file_name().unwrap_or(DATA.as_ref()));
    let is_cold = asked.workload.environment == EnvironmentKind::Cold;
    // What another launch has mapped is not forgotten.
    let leaves_it = target.ends_with(DATA)
        && asked.workload.finish == Finish::Abort
        && !asked.environment.writable_map
        && !is_cold;
    // A file system that has no links gets a copy.
    if leaves_it && fs::hard_link(data, &target).is_ok() {
        return Ok(());
    }
    let copied = fs::copy(data, &target).and_then(|_| sync(&target));
    let forgotten = || if is_cold { page_cache::forget(&File::open(&target)?) } else { Ok(()) };
    copied.and_then(|()| forgotten()).map_err(|error| Failure::directory(&target, &error))
}

/// The data file in `directory`, which is the largest: beside it there is at most one for locks.
fn data_in(directory: &Path) -> PathBuf {
    let files = fs::read_dir(directory).into_iter().flatten().flatten();
    let largest = files.max_by_key(|file| file.metadata().map_or(0, |it| it.len()));
    largest.map_or_else(|| directory.join(DATA), |file| file.path())
}

/// Waits until a file is on the disk: otherwise the system writes it while times are taken.
fn sync(file: &Path) -> io::Result<()> {
    File::options().write(true).open(file)?.sync_all()
}
