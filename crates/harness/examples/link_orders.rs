//! Which way of drawing link orders is like what users build? Links every worker in orders of each
//! method, builds it in the ways that users do, measures all of them mixed together, and prints two
//! tables: spreads by method and workload, and builds inside the mean and twice the spread.
//!
//! `cargo run --release -p harness --example link_orders -- --value-size 64 --orders 16 --launches 10`
//!
//! The builds take a few minutes the first time; `--builds` chooses some by name.

use std::collections::HashMap;
use std::path::{Path, PathBuf};
use std::time::Duration;

use anyhow::{Context as _, bail};
use clap::Parser;
use harness::cli::arguments::Arguments;
use harness::compare::analysis::estimate;
use harness::compare::plan::{Entry, Group, Role};
use harness::compare::scheduler::{self, Observer, Pass, Series, Shape};
use harness::interrupt;
use harness::links::comparison::{Observation, Origin, compare};
use harness::links::{Build, Job, Method, Objects, REAL_BUILDS, Store, orders};
use harness::programs::Programs;
use harness::progress::Progress;
use harness::registry::{BACKENDS, Backend};
use harness::worker::ProcessLauncher;
use tempfile::TempDir;
use write_backend::Workload;

/// Shorter launches than those of a comparison: there are many layouts.
const SHAPE: Shape =
    Shape { warm_up: Duration::from_micros(300), sample: Duration::from_micros(40), rounds: 15 };

#[derive(Parser)]
struct Options {
    #[command(flatten)]
    arguments: Arguments,
    /// Link orders of each method
    #[arg(long, default_value_t = 16)]
    orders: usize,
    /// Launches of each program on each workload
    #[arg(long, default_value_t = 10)]
    launches: usize,
    /// Only real builds whose name contains one of these
    #[arg(long, value_delimiter = ',')]
    builds: Vec<String>,
}

/// One layout of all workers: where it comes from, and a program for each backend.
struct Layout {
    origin: Origin,
    entries: Vec<Entry>,
}

/// All layouts, and the programs behind them.
struct Layouts {
    all: Vec<Layout>,
    programs: Programs,
    /// The programs of real builds lie here: cargo writes the next one over them.
    directory: TempDir,
}

impl Layouts {
    /// Adds the layout in which each backend has the program beside it.
    fn add(&mut self, origin: Origin, files: Vec<(&'static Backend, PathBuf)>) {
        let number = self.all.len();
        let entry = |(backend, path): (&'static Backend, PathBuf)| {
            // There are a few hundred, and they live as long as the program.
            let program: &'static str =
                Box::leak(format!("{}-{number}", backend.program).into_boxed_str());
            self.programs = self.programs.clone().with(program, &path);
            let backend: &'static Backend = Box::leak(Box::new(Backend { program, ..*backend }));
            Entry { backend, role: Role::Backend }
        };
        let entries = files.into_iter().map(entry).collect();
        self.all.push(Layout { origin, entries });
    }
}

/// Ends after a number of passes.
struct Passes {
    launches: usize,
    progress: Progress,
}

impl Observer for Passes {
    fn step(&mut self, pass: Pass, done: usize, all: usize, series: &Series) {
        let before = if let Pass::Blocks(pass) = pass { pass + 1 } else { 0 };
        let (done, all) = (before * all + done, (self.launches + 1) * all);
        self.progress.show(done, all, &series.group.workload.to_string());
    }

    fn again(&mut self, passes: usize, _series: &[Series]) -> bool {
        passes < self.launches
    }
}

fn main() -> anyhow::Result<()> {
    let options = Options::parse();
    interrupt::listen();
    let settings = options.arguments.settings()?;
    let layouts = layouts(&options, settings.seed)?;
    if interrupt::requested() {
        bail!("interrupted before anything was measured");
    }
    let cases = options.arguments.cases()?;
    let mut workloads: Vec<Workload> = cases.iter().map(|case| case.workload).collect();
    workloads.dedup();
    let group = |workload: &Workload, layout: &Layout| Group {
        workload: *workload,
        entries: layout.entries.clone(),
    };
    let groups: Vec<Group> = layouts
        .all
        .iter()
        .flat_map(|layout| workloads.iter().map(move |workload| group(workload, layout)))
        .collect();
    let mut launcher = ProcessLauncher::new(layouts.programs.clone(), settings.clone())?;
    let mut observer = Passes { launches: options.launches, progress: Progress::new() };
    let series = scheduler::run(&mut launcher, groups, SHAPE, settings.seed, &mut observer);
    drop(observer);
    let origins = layouts.all.iter().flat_map(|it| std::iter::repeat_n(it.origin, workloads.len()));
    let observations: Vec<Observation> = series
        .iter()
        .zip(origins)
        .flat_map(|(series, origin)| observations(series, origin))
        .collect();
    print!("{}", compare(&observations));
    for series in &series {
        for (entry, failure) in series.group.entries.iter().zip(&series.failures) {
            if let Some(failure) = failure {
                eprintln!("{} on {}: {failure}", entry.backend.program, series.group.workload);
            }
        }
    }
    if interrupt::requested() {
        bail!("interrupted: the tables hold what was measured until then");
    }
    Ok(())
}

/// The ratio of every backend that has a control, with its error.
fn observations(series: &Series, origin: Origin) -> Vec<Observation> {
    /// The interval of one standard error to both sides, where the noise is normal.
    const ONE_ERROR: f64 = 0.683;
    let entries = &series.group.entries;
    let find = |id: &str| entries.iter().position(|entry| entry.backend.id == id);
    let compared = entries.iter().enumerate().filter_map(|(numerator, entry)| {
        let denominator = find(entry.backend.control?)?;
        let found = estimate(series, numerator, denominator, ONE_ERROR)?;
        Some(Observation {
            origin,
            workload: series.group.workload.to_string(),
            backend: entry.backend.id.to_owned(),
            log_ratio: found.estimate.ln(),
            error: (found.high / found.low).ln() / 2.0,
        })
    });
    compared.collect()
}

/// Links and builds everything; says on standard error what cannot be had.
fn layouts(options: &Options, seed: u64) -> anyhow::Result<Layouts> {
    let target = std::env::current_exe()?;
    let target = target.ancestors().nth(3).context("no target directory")?;
    let store = Store::open(&target.join("link-orders"))?;
    let backends: Vec<&Backend> =
        BACKENDS.iter().filter(|backend| backend.engine_version.is_some()).collect();
    let directory = tempfile::tempdir_in(target)?;
    let mut layouts = Layouts { all: Vec::new(), programs: Programs::new(&[]), directory };
    let mut progress = Progress::new();
    let wanted: Vec<_> = REAL_BUILDS
        .iter()
        .filter(|real| {
            options.builds.is_empty() || options.builds.iter().any(|it| real.name.contains(&**it))
        })
        .collect();
    for (done, real) in wanted.iter().enumerate() {
        progress.show(done, wanted.len(), real.name);
        let mut files = Vec::new();
        for &backend in &backends {
            let program = layouts.directory.path().join(format!("{}-{done}", backend.program));
            match real.of(&build(backend, target)).program(&program) {
                Ok(()) => files.push((backend, program)),
                Err(error) => eprintln!("{}: {error}", real.name),
            }
            if interrupt::requested() {
                bail!("interrupted while building");
            }
        }
        layouts.add(Origin::Real(real.name), files);
    }
    let mut objects: HashMap<&str, Objects> = HashMap::new();
    for backend in &backends {
        objects.insert(backend.id, store.collect(&build(backend, target))?);
    }
    // The reference's worker checks what the others wrote; any layout of it will do.
    let reference = &backends[0];
    layouts.programs = layouts.programs.with(reference.program, &objects[reference.id].fixed());
    for (number, method) in Method::ALL.into_iter().enumerate() {
        let orders = orders(seed.wrapping_add(number as u64), options.orders);
        let jobs: Vec<Job<'_>> = backends
            .iter()
            .map(|backend| Job { objects: &objects[backend.id], method, orders: &orders })
            .collect();
        let links = store.link(&jobs, |done, all| progress.show(done, all, method.name()));
        let links: Result<Vec<Vec<PathBuf>>, _> = links.into_iter().collect();
        match links {
            Err(error) => eprintln!("{method}: {error}"),
            Ok(links) => {
                for order in 0..orders.len() {
                    let files = backends.iter().zip(&links);
                    let files = files.map(|(&backend, links)| (backend, links[order].clone()));
                    layouts.add(Origin::Order(method), files.collect());
                }
            }
        }
    }
    Ok(layouts)
}

/// How the worker of `backend` is built when nobody asks for anything else.
fn build(backend: &Backend, target: &Path) -> Build {
    Build {
        directory: Path::new(env!("CARGO_MANIFEST_DIR")).join("../.."),
        package: "harness".to_owned(),
        binary: backend.program.to_owned(),
        profile: "release".to_owned(),
        target_directory: target.to_owned(),
        cargo: Vec::new(),
        rustc: Vec::new(),
        environment: Vec::new(),
    }
}
