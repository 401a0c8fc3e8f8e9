//! Worker programs with a workload prepared, each in a directory of its own, and the check of what they
//! wrote.

use std::collections::{HashMap, HashSet};
use std::path::{Path, PathBuf};
use std::process::Command;
use std::sync::Arc;
use std::time::{Duration, Instant, SystemTime};
use std::{fs, io};

use tempfile::TempDir;
use write_backend::check;
use write_backend::protocol::{Hello, Prepare, Reply, Request, Verify};
use write_backend::{Encoding, ErrorKind, Fill, Keys, PutKind, Workload};

use crate::backends::{Backend, Kind, Programs};
use crate::links::{LinkError, RunOrders};
use crate::machine::root::Root;
use crate::machine::{host, parent, pin};
use crate::selection::Case;
use crate::worker::Failure;
use crate::worker::clock::{self, Seen};
use crate::worker::launcher::{Launcher, PreparedWorker, Settings, Wanted};
use crate::worker::session::{Session, Start, offers};
use crate::worker::states::{self, States};

impl Settings {
    /// The same for workers whose times are taken: they are bound to a core, and this process leaves it.
    pub fn bound(mut self) -> Self {
        self.disturbances = pin::disturbances();
        self.start.core = self.core;
        if let Some(core) = self.start.core {
            pin::leave_core(core);
        }
        self
    }
}

/// Starts worker programs, each with an environment in a temporary directory of its own.
#[derive(Debug)]
pub struct ProcessLauncher {
    programs: Programs,
    orders: RunOrders,
    settings: Settings,
    /// All environments' directories lie in this one, so that one removal leaves nothing.
    root: Root,
    /// The processes that check environments, by backend; they never write.
    verifiers: HashMap<String, Session>,
    /// What workloads find in their environments.
    states: States,
    /// What the workers that were launched said of themselves, by backend.
    hellos: HashMap<String, Hello>,
    /// The backends whose clocks were seen to go as fast as this process's own.
    proven_clocks: HashSet<String>,
    started: SystemTime,
}

impl ProcessLauncher {
    /// A launcher of `programs`, in link `orders` where there are any.
    pub fn new(programs: Programs, orders: RunOrders, settings: Settings) -> Result<Self, Failure> {
        let root = Root::new(&settings.directory)
            .map_err(|error| Failure::directory(&settings.directory, &error))?;
        let (hellos, proven_clocks) = (HashMap::new(), HashSet::new());
        let started = parent::run_started();
        let (verifiers, states) = (HashMap::new(), States::default());
        Ok(Self {
            programs,
            orders,
            settings,
            root,
            verifiers,
            states,
            hellos,
            proven_clocks,
            started,
        })
    }

    pub fn started(&self) -> SystemTime {
        self.started
    }

    pub fn programs(&self) -> &Programs {
        &self.programs
    }

    pub fn orders(&self) -> &RunOrders {
        &self.orders
    }

    pub fn root(&self) -> &Path {
        self.root.path()
    }

    pub fn settings(&self) -> &Settings {
        &self.settings
    }

    /// What the worker of `backend` says of itself: the first that was launched, or else one that is
    /// started for this alone. An interrupted run can still tell what it measured.
    pub fn hello(&self, backend: &Backend) -> Result<Hello, Failure> {
        if let Some(hello) = self.hellos.get(&backend.id) {
            return Ok(backend.stated(hello.clone()));
        }
        let program = self.programs.of(backend, Kind::Worker)?;
        let (session, hello) = Session::start(program, backend, &self.settings.start)?;
        session.finish()?;
        Ok(backend.stated(hello))
    }

    /// A directory in which a worker that is counted starts, and sees its environment beneath it: what
    /// lies above is not told to it, since the length of a path decides what the allocator does.
    pub fn place(&mut self, backend: &Backend, workload: &Workload) -> Result<Place, Failure> {
        const ENVIRONMENT: &str = "environment";
        let directory = self.directory("count-")?;
        let path = directory.path().join(ENVIRONMENT);
        fs::create_dir(&path).map_err(|error| Failure::directory(&path, &error))?;
        let prepare = self.asked(PathBuf::from(ENVIRONMENT), workload);
        let verifier = self.programs.verifier(backend, None)?;
        self.preload(&path, &prepare, verifier.as_ref())?;
        Ok(Place { directory, prepare, path, verifier, encoding: Encoding::Bytes })
    }

    /// Makes the environment in `directory` what the workload finds there, if `verifier` is there to make it.
    fn preload(
        &mut self,
        directory: &Path,
        prepare: &Prepare,
        verifier: Option<&Arc<Backend>>,
    ) -> Result<(), Failure> {
        let Some(backend) = verifier.filter(|_| prepare.workload.preload > 0) else {
            return Ok(());
        };
        let hint = |failure| explained(failure, directory);
        let data = if let Some(data) = self.states.find(backend, &prepare.workload) {
            data
        } else {
            let made = self.directory("state-")?;
            let workload = states::state_of(&prepare.workload);
            let asked = self.asked(made.path().to_owned(), &workload);
            let session = self.start_verifier(backend, &workload)?;
            // Before what was made in vain is removed: that makes room again.
            states::make(session, asked).map_err(hint)?;
            self.states.keep(backend, workload, made)
        };
        states::hand_over(&data, directory, prepare).map_err(hint)
    }

    /// Starts the worker of `backend` in `place`, where `command` runs it inside another program, for
    /// example a profiler.
    pub fn launch_inside(
        &mut self,
        command: Command,
        place: Place,
        backend: &Backend,
    ) -> Result<ProcessWorker, Failure> {
        let session = Session::begin(command, &self.start(0, &place.prepare.workload))?;
        self.prepare(session, place, backend)
    }

    fn begin(&mut self, wanted: &Wanted, workload: &Workload) -> Result<(Session, Place), Failure> {
        let Wanted { backend, padding, order } = wanted;
        let directory = self.directory("env-")?;
        let path = directory.path().to_owned();
        let prepare = self.asked(path.clone(), workload);
        let verifier = self.programs.verifier(backend, None)?;
        self.preload(&path, &prepare, verifier.as_ref())?;
        let linked = order.and_then(|(lane, pass)| self.orders.program(&backend.id, lane, pass));
        let program = linked.map_or_else(|| self.programs.of(backend, Kind::Worker), Ok)?;
        let start = self.start(*padding, workload);
        let session = Session::begin(Command::new(program), &start)?;
        Ok((session, Place { directory, prepare, path, verifier, encoding: Encoding::Bytes }))
    }

    /// What is asked of a worker on `workload` that sees its environment at `directory`.
    fn asked(&self, directory: PathBuf, workload: &Workload) -> Prepare {
        let Settings { environment, seed, .. } = &self.settings;
        let mut environment = workload.environment(environment);
        environment.map_size = environment.map_size.max(workload.least_map());
        Prepare { directory, environment, workload: *workload, seed: *seed }
    }

    fn start(&self, padding: usize, workload: &Workload) -> Start {
        let Start { core, limit, .. } = self.settings.start;
        Start { core, padding, limit: limit + states::patience(workload) }
    }

    fn prepare(
        &mut self,
        session: Session,
        mut place: Place,
        backend: &Backend,
    ) -> Result<ProcessWorker, Failure> {
        let program = self.programs.of(backend, Kind::Worker)?;
        let (mut session, hello) = session.greeted(program, backend)?;
        let offered = offers(&hello, &place.prepare.workload);
        place.verifier = self.programs.verifier(backend, Some(&hello))?;
        place.encoding = hello.encoding;
        self.hellos.entry(backend.id.clone()).or_insert(hello);
        if let Err(failure) = offered {
            session.finish()?;
            return Err(failure);
        }
        let prepared = session.ask(&Request::Prepare(place.prepare.clone()));
        match prepared.map_err(|failure| explained(failure, place.directory.path()))? {
            Reply::Prepared(found) if place.verifier.is_some() && found.sync.is_none() => {
                let reason = "the worker does not say which sync mode its environment has";
                return Err(Failure::verification(reason));
            }
            Reply::Prepared(found) => {
                check::environment(&place.prepare.environment, &found)
                    .map_err(Failure::verification)?;
            }
            other => return Err(session.nonsense(&format!("{other:?}"))),
        }
        let seen = Seen { claimed: Duration::ZERO, waited: Duration::ZERO };
        Ok(ProcessWorker { session, place, transactions: 0, seen })
    }

    /// Waits for the end of a worker that was asked to finish, and checks what it wrote.
    fn ended(&mut self, worker: ProcessWorker) -> Result<(), Failure> {
        let ProcessWorker { session, place, transactions, .. } = worker;
        session.finished()?;
        self.check(place, transactions)
    }

    /// Checks that the environment in `place` holds what `transactions` transactions must have left, and
    /// removes it.
    pub fn check(&mut self, place: Place, transactions: u64) -> Result<(), Failure> {
        let Place { directory, prepare, path, verifier, encoding } = place;
        if let Some(verifier) = verifier {
            let written = Prepare { directory: path, ..prepare };
            let verified = self.verify(&verifier, Verify { written, encoding, transactions });
            if verified.is_err() {
                self.states.clear();
            }
            verified?;
        }
        let path = directory.path().to_owned();
        directory.close().map_err(|error| Failure::directory(&path, &error))
    }

    fn verify(&mut self, backend: &Backend, verify: Verify) -> Result<(), Failure> {
        let mut verifier = match self.verifiers.remove(&backend.id) {
            Some(verifier) => verifier,
            None => self.start_verifier(backend, &verify.written.workload)?,
        };
        let request = Request::Verify(verify);
        match verifier.ask(&request) {
            Ok(Reply::Verified { .. }) => {}
            Ok(other) => return Err(verifier.nonsense(&format!("{other:?}"))),
            Err(Failure::Reported(reason)) => {
                self.verifiers.insert(backend.id.clone(), verifier);
                return Err(Failure::verification(reason));
            }
            Err(Failure::Interrupted) => return Err(Failure::Interrupted),
            // It is the verifier that this is about, not the worker whose case fails.
            Err(failure) => return Err(Failure::verification(failure)),
        }
        // One that failed in another way is dropped, and the next check starts a new one.
        self.verifiers.insert(backend.id.clone(), verifier);
        Ok(())
    }

    /// Makes a directory for one worker. The root is made again if it has gone: whatever cleans
    /// up directories for temporary files has then ended the cases that were at work, no others.
    fn directory(&self, prefix: &str) -> Result<TempDir, Failure> {
        let root = self.root.path();
        let failed = |error| Failure::directory(root, &error);
        let make = || tempfile::Builder::new().prefix(prefix).tempdir_in(root);
        match make() {
            Err(error) if error.kind() == io::ErrorKind::NotFound => {
                fs::create_dir(root).map_err(failed)?;
                make().map_err(failed)
            }
            made => made.map_err(failed),
        }
    }

    fn start_verifier(&self, backend: &Backend, workload: &Workload) -> Result<Session, Failure> {
        // It only works while no worker does, so it need not stay off their core.
        let start = Start { core: None, ..self.start(0, workload) };
        let program = self.programs.of(backend, Kind::Worker)?;
        Ok(Session::start(program, backend, &start)?.0)
    }
}

impl Launcher for ProcessLauncher {
    type Worker = ProcessWorker;

    fn ready(&mut self, pass: usize) -> Result<(), Failure> {
        self.orders.ready(pass).map_err(|error| match error {
            LinkError::Interrupted => Failure::Interrupted,
            error => Failure::Failed(format!("no further pass: {error}")),
        })
    }

    fn launch(&mut self, wanted: &Wanted, workload: &Workload) -> Result<ProcessWorker, Failure> {
        let (session, place) = self.begin(wanted, workload)?;
        self.prepare(session, place, &wanted.backend)
    }

    fn launch_all(&mut self, wanted: &[(Wanted, Workload)]) -> Vec<Result<ProcessWorker, Failure>> {
        let begun = wanted.iter().map(|(wanted, workload)| self.begin(wanted, workload));
        let begun = begun.collect::<Vec<_>>().into_iter().zip(wanted);
        begun
            .map(|(begun, (wanted, _))| {
                let (session, place) = begun?;
                self.prepare(session, place, &wanted.backend)
            })
            .collect()
    }

    /// Once for each backend: a clock does not depend on what is written.
    fn prove_clock(&mut self, case: &Case) -> Result<(), Failure> {
        if self.proven_clocks.contains(&case.backend.id) {
            return Ok(());
        }
        // Where every transaction has keys of its own, most of a run is the making of them, before the clock.
        let workload = Workload {
            put: PutKind::Plain,
            keys: Keys::Again,
            preload: 0,
            fill: Fill::Append,
            ..case.workload
        };
        let mut worker = self.launch(&Wanted::fixed(&case.backend), &workload)?;
        clock::prove(&mut worker, |worker| worker.seen)?;
        self.end(worker)?;
        self.proven_clocks.insert(case.backend.id.clone());
        Ok(())
    }

    fn end(&mut self, mut worker: ProcessWorker) -> Result<(), Failure> {
        worker.session.ask_to_finish()?;
        self.ended(worker)
    }

    fn end_all(&mut self, mut workers: Vec<ProcessWorker>) -> Vec<Result<(), Failure>> {
        let asked: Vec<_> =
            workers.iter_mut().map(|worker| worker.session.ask_to_finish()).collect();
        let asked = asked.into_iter().zip(workers);
        asked.map(|(asked, worker)| asked.and_then(|()| self.ended(worker))).collect()
    }
}

/// Adds to a failure what a user can do about it: which option makes the map larger where that is
/// full, or that the directory's file system is, where it is. LMDB reports a write that was cut short
/// as an input/output error, and a writable map ends in a signal.
fn explained(failure: Failure, directory: &Path) -> Failure {
    /// With less than this, a file system is full: LMDB's smallest file has two pages.
    const FULL: u64 = 64 * 1024;
    let failure = match failure {
        Failure::Reported(reason) if reason.contains(&ErrorKind::MapFull.to_string()) => {
            Failure::Reported(reason + "; a larger map (--map-size) may help")
        }
        failure => failure,
    };
    match host::bytes_left(directory) {
        Some(left) if left < FULL => {
            failure.with_hint(&format!("; {left} bytes are left in {}", directory.display()))
        }
        _ => failure,
    }
}

/// A directory for one worker; removed when dropped.
#[derive(Debug)]
pub struct Place {
    directory: TempDir,
    prepare: Prepare,
    path: PathBuf,
    /// Who checks what was written; `None` where nothing is stored.
    verifier: Option<Arc<Backend>>,
    /// What the worker makes of values.
    encoding: Encoding,
}

impl Place {
    /// The directory that a worker which is counted must be started in.
    pub fn directory(&self) -> &Path {
        self.directory.path()
    }

    pub fn prepare(&self) -> &Prepare {
        &self.prepare
    }
}

#[derive(Debug)]
pub struct ProcessWorker {
    // Dropped in this order: the process ends before its directory is removed.
    session: Session,
    place: Place,
    transactions: u64,
    seen: Seen,
}

impl ProcessWorker {
    /// Ends it: what it leaves, and how many transactions it has run.
    pub fn finish(self) -> Result<(Place, u64), Failure> {
        self.session.finish()?;
        Ok((self.place, self.transactions))
    }
}

impl PreparedWorker for ProcessWorker {
    fn run(&mut self, warm_up: u64, transactions: u64) -> Result<Duration, Failure> {
        let asked = Instant::now();
        let ran = self.session.ask(&Request::Run { warm_up, transactions });
        let waited = asked.elapsed();
        match ran.map_err(|failure| explained(failure, self.place.directory.path()))? {
            Reply::Ran { transactions: ran, elapsed_ns } if ran == transactions => {
                self.transactions += warm_up + transactions;
                let claimed = Duration::from_nanos(elapsed_ns);
                clock::check_claim(claimed, waited)?;
                self.seen = Seen { claimed, waited };
                Ok(claimed)
            }
            Reply::Ran { transactions: claimed, .. } => {
                let what = format!("asked for {transactions} transactions and claims {claimed}");
                Err(Failure::Failed(format!("the worker was {what}")))
            }
            other => Err(self.session.nonsense(&format!("{other:?}"))),
        }
    }
}
