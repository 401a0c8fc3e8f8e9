//! Which way of drawing link orders is like what users build? Links every worker in orders of each
//! method, builds it in the ways that users do, measures all of them mixed together, and prints two
//! tables: spreads by method and workload, and builds inside the mean and twice the spread.
//!
//! `cargo run --release -p harness --example link_orders -- --value-size 64 --orders 16 --launches 10`
//!
//! The builds take a few minutes the first time; `--builds` chooses some by name.

use std::path::{Path, PathBuf};
use std::process::ExitCode;
use std::sync::Arc;
use std::time::Duration;

use anyhow::{Context as _, bail};
use clap::Parser;
use tempfile::TempDir;
use write_backend::Workload;

use crate::backends::{Backend, Kind, Origin, Package};
use crate::cli::arguments::{Arguments, workspace_path};
use crate::cli::bench;
use crate::cli::supply::Supply;
use crate::compare::analysis::estimate;
use crate::compare::plan::{Entry, Group, Role};
use crate::compare::scheduler::{self, Observer, Pass, Series, Shape};
use crate::interrupt;
use crate::links::comparison::{self, Observation, compare};
use crate::links::{Build, Job, Method, Objects, REAL_BUILDS, Store, orders};
use crate::progress::Progress;
use crate::worker::ProcessLauncher;

/// Shorter launches than those of a comparison: there are many layouts.
const SHAPE: Shape =
    Shape { warm_up: Duration::from_micros(300), sample: Duration::from_micros(40), rounds: 15 };

#[derive(Debug, Parser)]
#[command(bin_name = "cargo run --release -p harness --example link_orders --")]
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

/// A backend of this workspace and the package of its worker.
type Built = (Arc<Backend>, Package);

/// One layout of all workers: where it comes from, and a program for each backend.
struct Layout {
    origin: comparison::Origin,
    entries: Vec<Entry>,
}

impl Layout {
    /// The layout in which each backend has the program beside it.
    fn new(origin: comparison::Origin, files: Vec<(&Backend, PathBuf)>) -> Self {
        let entry = |(backend, path): (&Backend, PathBuf)| {
            let backend = Backend { origin: Origin::Program(path), ..backend.clone() };
            Entry { backend: Arc::new(backend), role: Role::Backend }
        };
        Self { origin, entries: files.into_iter().map(entry).collect() }
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

/// The whole program.
#[must_use]
pub fn main(supply: &Supply) -> ExitCode {
    bench::main(supply, run)
}

fn run(options: &Options, supply: &Supply) -> anyhow::Result<ExitCode> {
    let backends = supply.backends(&options.arguments.brought)?;
    let cases = options.arguments.cases(&backends)?;
    let programs = supply.programs(&backends, |_| false, &[Kind::Worker]);
    interrupt::listen();
    let settings = options.arguments.settings()?;
    let built = backends.timed().filter(|backend| backend.stores());
    let built: Vec<Built> = built
        .filter_map(|backend| match &backend.origin {
            Origin::Package(package) => Some((Arc::clone(backend), package.clone())),
            Origin::Program(_) => None,
        })
        .collect();
    let target = std::env::current_exe()?;
    let target = target.ancestors().nth(3).context("no target directory")?;
    // The programs of real builds lie here: cargo writes the next one over them.
    let directory = tempfile::tempdir_in(target)?;
    let mut layouts = real_layouts(options, &built, target, &directory)?;
    layouts.extend(drawn_layouts(options, &built, target, settings.seed)?);
    if interrupt::requested() {
        bail!("interrupted before anything was measured");
    }
    let mut workloads: Vec<Workload> = cases.iter().map(|case| case.workload).collect();
    workloads.dedup();
    let group = |workload: &Workload, layout: &Layout| Group {
        workload: *workload,
        entries: layout.entries.clone(),
    };
    let groups: Vec<Group> = layouts
        .iter()
        .flat_map(|layout| workloads.iter().map(move |workload| group(workload, layout)))
        .collect();
    let mut launcher = ProcessLauncher::new(programs, settings.clone())?;
    let mut observer = Passes { launches: options.launches, progress: Progress::new() };
    let series = scheduler::run(&mut launcher, groups, SHAPE, settings.seed, &mut observer);
    drop(observer);
    let origins =
        layouts.iter().flat_map(|layout| std::iter::repeat_n(layout.origin, workloads.len()));
    let observations: Vec<Observation> = series
        .iter()
        .zip(origins)
        .flat_map(|(series, origin)| observations(series, origin))
        .collect();
    print!("{}", compare(&observations));
    for series in &series {
        for (entry, failure) in series.group.entries.iter().zip(&series.failures) {
            if let Some(failure) = failure {
                let program = entry.backend.home();
                eprintln!("{program} on {}: {}", series.group.workload, failure.reason());
            }
        }
    }
    if interrupt::requested() {
        bail!("interrupted: the tables hold what was measured until then");
    }
    Ok(ExitCode::SUCCESS)
}

/// The ratio of every backend that has a control, with its error.
fn observations(series: &Series, origin: comparison::Origin) -> Vec<Observation> {
    /// The interval of one standard error to both sides, where the noise is normal.
    const ONE_ERROR: f64 = 0.683;
    let entries = &series.group.entries;
    let find = |id: &str| entries.iter().position(|entry| entry.backend.id == id);
    let compared = entries.iter().enumerate().filter_map(|(numerator, entry)| {
        let denominator = find(entry.backend.control.as_deref()?)?;
        let found = estimate(series, numerator, denominator, ONE_ERROR)?;
        Some(Observation {
            origin,
            workload: series.group.workload.to_string(),
            backend: entry.backend.id.clone(),
            log_ratio: found.estimate.ln(),
            error: (found.high / found.low).ln() / 2.0,
        })
    });
    compared.collect()
}

/// Builds all workers in the ways that users do; says on standard error what cannot be had.
fn real_layouts(
    options: &Options,
    built: &[Built],
    target: &Path,
    directory: &TempDir,
) -> anyhow::Result<Vec<Layout>> {
    let is_wanted = |name: &str| {
        options.builds.is_empty() || options.builds.iter().any(|part| name.contains(&**part))
    };
    let wanted: Vec<_> = REAL_BUILDS.iter().filter(|real| is_wanted(real.name)).collect();
    let mut layouts = Vec::new();
    let mut progress = Progress::new();
    for (done, real) in wanted.iter().enumerate() {
        progress.show(done, wanted.len(), real.name);
        let mut files = Vec::new();
        for (backend, package) in built {
            let program = directory.path().join(format!("{}-{done}", package.worker));
            match real.of(&build(package, target)).program(&program) {
                Ok(()) => files.push((&**backend, program)),
                Err(error) => eprintln!("{}: {error}", real.name),
            }
            if interrupt::requested() {
                bail!("interrupted while building");
            }
        }
        layouts.push(Layout::new(comparison::Origin::Real(real.name), files));
    }
    Ok(layouts)
}

/// Links all workers in orders of each method; says on standard error what cannot be had.
fn drawn_layouts(
    options: &Options,
    built: &[Built],
    target: &Path,
    seed: u64,
) -> anyhow::Result<Vec<Layout>> {
    let store = Store::open(&target.join("link-orders"))?;
    let objects: Result<Vec<Objects>, _> =
        built.iter().map(|(_, package)| store.collect(&build(package, target))).collect();
    let objects = objects?;
    let mut layouts = Vec::new();
    let mut progress = Progress::new();
    for (number, method) in Method::ALL.into_iter().enumerate() {
        let orders = orders(seed.wrapping_add(number as u64), options.orders);
        let jobs: Vec<Job<'_>> =
            objects.iter().map(|objects| Job { objects, method, orders: &orders }).collect();
        let links = store.link(&jobs, |done, all| progress.show(done, all, method.name()));
        let links: Result<Vec<Vec<PathBuf>>, _> = links.into_iter().collect();
        match links {
            Err(error) => eprintln!("{method}: {error}"),
            Ok(links) => layouts.extend((0..orders.len()).map(|order| {
                let files = built.iter().zip(&links);
                let files = files.map(|((backend, _), links)| (&**backend, links[order].clone()));
                Layout::new(comparison::Origin::Order(method), files.collect())
            })),
        }
    }
    Ok(layouts)
}

/// How the worker in `package` is built when nobody asks for anything else.
fn build(package: &Package, target: &Path) -> Build {
    Build {
        directory: workspace_path(Path::new("")),
        package: package.id.clone(),
        binary: package.worker.clone(),
        profile: "release".to_owned(),
        target_directory: target.to_owned(),
        cargo: Vec::new(),
        rustc: Vec::new(),
        environment: Vec::new(),
    }
}
