//! What starts workers, as the schedulers see it: they are tested without processes.

use std::path::PathBuf;
use std::sync::Arc;
use std::time::Duration;

use write_backend::{EnvironmentOptions, Workload};

use crate::backends::Backend;
use crate::machine::pin::Core;
use crate::selection::Case;
use crate::worker::Failure;
use crate::worker::session::Start;

pub trait Launcher {
    type Worker: PreparedWorker;

    /// Gets ready for the launches of a pass. No worker runs.
    fn ready(&mut self, _pass: usize) -> Result<(), Failure> {
        Ok(())
    }

    fn launch(&mut self, wanted: &Wanted, workload: &Workload) -> Result<Self::Worker, Failure>;

    /// Launches several workers, in this order, as [`launch`](Self::launch) does. One may be started
    /// while another gets ready: nothing is timed before all are there.
    fn launch_all(&mut self, wanted: &[(Wanted, Workload)]) -> Vec<Result<Self::Worker, Failure>> {
        wanted.iter().map(|(wanted, workload)| self.launch(wanted, workload)).collect()
    }

    /// Shows, before times are taken, that the clock of `case`'s worker goes as fast as the harness's own.
    fn prove_clock(&mut self, case: &Case) -> Result<(), Failure>;

    /// Ends `worker` and checks that its environment holds what its transactions must have left.
    fn end(&mut self, worker: Self::Worker) -> Result<(), Failure>;

    /// Ends several workers as [`end`](Self::end) does; outcomes come in their order. One may be
    /// checked while another exits.
    fn end_all(&mut self, workers: Vec<Self::Worker>) -> Vec<Result<(), Failure>> {
        workers.into_iter().map(|worker| self.end(worker)).collect()
    }
}

#[derive(Debug, Clone)]
pub struct Wanted {
    pub backend: Arc<Backend>,
    /// The padding of [`Start`].
    pub padding: usize,
    /// In which of the run's link orders: lane and pass. `None`: in that of the build.
    pub order: Option<(usize, usize)>,
}

impl Wanted {
    /// A launch in the build's link order.
    pub fn fixed(backend: &Arc<Backend>) -> Self {
        Self { backend: Arc::clone(backend), padding: 0, order: None }
    }
}

pub trait PreparedWorker {
    /// Runs `warm_up` transactions untimed and then `transactions` timed ones, and returns how long
    /// the latter took together.
    fn run(&mut self, warm_up: u64, transactions: u64) -> Result<Duration, Failure>;
}

#[derive(Debug, Clone)]
pub struct Settings {
    /// How environments are opened; the workload's sync mode replaces the one given here.
    pub environment: EnvironmentOptions,
    pub directory: PathBuf,
    pub seed: u64,
    /// The core for workers whose times are taken.
    pub core: Option<Core>,
    /// What may disturb their times.
    pub disturbances: Vec<String>,
    pub start: Start,
}
