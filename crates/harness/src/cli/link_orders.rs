//! Which way of drawing link orders is like what users build? Links every worker in orders of each
//! method, builds it in the ways that users do, and measures all of them mixed together. What it finds is
//! kept for METHOD.md's tables.
//!
//! `cargo run --release -p harness --example link_orders -- --value-size 64 --orders 16 --launches 10`
//!
//! The builds take a few minutes the first time; `--builds` chooses some by name.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::process::ExitCode;
use std::sync::Arc;
use std::time::{Duration, UNIX_EPOCH};

use anyhow::bail;
use clap::Parser;
use write_backend::Workload;

use crate::backends::programs::{build_of, link_directory};
use crate::backends::{Backend, Kind, Origin};
use crate::cli::arguments::{Arguments, workspace_path};
use crate::cli::bench::{self, Kept};
use crate::cli::publish;
use crate::cli::supply::{Supply, root};
use crate::compare::analysis::estimate;
use crate::compare::plan::{Group, Role};
use crate::compare::scheduler::{self, Observer, Pass, Series, Shape};
use crate::interrupt;
use crate::links::{Build, DRAWN, Job, Method, Objects, REAL_BUILDS, RunOrders, Store, orders};
use crate::machine::host;
use crate::machine::root::Root;
use crate::progress::Progress;
use crate::worker::ProcessLauncher;
use records::published::file;
use records::schema::rounded;
use records::trials::{LayoutTrial, Layouts, Origin as From, SCHEMA};
use report::layouts;
use report::table::markdown;

/// Shorter launches than those of a comparison: there are many layouts.
const SHAPE: Shape =
    Shape { warm_up: Duration::from_micros(300), sample: Duration::from_micros(40), rounds: 15 };
/// Where it is kept unless asked otherwise.
const OUT: &str = "results/latest/link-orders.json";

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
    /// Results file, relative to the workspace [default: results/latest/link-orders.json]
    #[arg(long, value_name = "FILE")]
    out: Option<PathBuf>,
}

/// A backend of this workspace and how its worker is built.
type Built = (Arc<Backend>, Build);

/// One layout of all workers: where it comes from, and a program for each backend.
struct Layout {
    origin: From,
    backends: Vec<Arc<Backend>>,
}

impl Layout {
    /// The layout in which each backend has the program beside it.
    fn new<'a>(origin: From, files: impl IntoIterator<Item = (&'a Backend, PathBuf)>) -> Self {
        let with = |(backend, path): (&Backend, PathBuf)| {
            Arc::new(Backend { origin: Origin::Program(path), ..backend.clone() })
        };
        Self { origin, backends: files.into_iter().map(with).collect() }
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
    let arguments = &options.arguments;
    let backends = supply.backends(&arguments.brought)?;
    let cases = arguments.cases(&backends)?;
    let mut settings = arguments.settings()?;
    let out = workspace_path(options.out.as_deref().unwrap_or(Path::new(OUT)));
    publish::check(arguments, &out, file::LINK_ORDERS)?;
    let programs = supply.programs(&backends, |_| false, &[Kind::Worker]);
    interrupt::listen();
    let host = host::observe();
    let root = root();
    // Those that are asked for, and what they are compared with.
    let is_wanted = |it: &&Arc<Backend>| {
        let is_it = |other: &Backend| other.control.is_some() && other.id == it.id;
        let is_control = |other: &Backend| other.control.as_ref() == Some(&it.id);
        cases.iter().any(|case| is_it(&case.backend) || is_control(&case.backend))
    };
    let built: Vec<Built> = backends
        .timed()
        .filter(is_wanted)
        .filter_map(|backend| match &backend.origin {
            Origin::Package(package) => Some((Arc::clone(backend), build_of(&root, package))),
            Origin::Program(_) => None,
        })
        .collect();
    let store = Store::open(&link_directory(&root))?;
    // The programs of real builds lie here: cargo writes the next one over them.
    let directory = Root::new(&link_directory(&root).with_file_name(""))?;
    let mut layouts = real_layouts(options, &built, &directory)?;
    layouts.extend(drawn_layouts(options, &built, &store, settings.seed)?);
    settings = settings.bound();
    let mut workloads: Vec<Workload> = cases.iter().map(|case| case.workload).collect();
    workloads.dedup();
    let group = |workload: &Workload, layout: &Layout| {
        let rows = layout.backends.iter().map(|backend| (Arc::clone(backend), Role::Backend));
        Group::new(*workload, rows)
    };
    let groups: Vec<Group> = layouts
        .iter()
        .flat_map(|layout| workloads.iter().map(move |workload| group(workload, layout)))
        .collect();
    let seed = settings.seed;
    let mut launcher = ProcessLauncher::new(programs, RunOrders::default(), settings)?;
    let mut observer = Passes { launches: options.launches, progress: Progress::new() };
    let series = scheduler::run(&mut launcher, groups, SHAPE, seed, &mut observer);
    drop(observer);
    if interrupt::requested() {
        note!("Interrupted: a comparison that is not whole is not kept.");
        return Ok(bench::exit_code(false, false));
    }
    say_failures(&series);
    let started = launcher.started().duration_since(UNIX_EPOCH);
    let origins = layouts.iter().flat_map(|it| std::iter::repeat_n(&it.origin, workloads.len()));
    let found = LayoutTrial {
        schema: SCHEMA,
        started_unix: started.map_or(0, |since| since.as_secs()),
        host,
        seed,
        launches: options.launches,
        layouts: observed(series.iter().zip(origins)),
    };
    let Kept { written, shown } =
        bench::keep(&found, Some(&out), &markdown(&layouts::sections(&found)));
    let published = written && publish::after_link_orders(arguments, &found);
    Ok(bench::exit_code(true, published && shown))
}

/// Says on standard error what could not be measured.
fn say_failures(series: &[Series]) {
    for series in series {
        for (entry, failure) in series.group.entries.iter().zip(&series.failures) {
            if let Some(failure) = failure {
                let program = entry.backend.home();
                note!("{program} on {}: {}", series.group.workload, failure.reason());
            }
        }
    }
}

/// The ratio of every backend that has a control, with its error, in the order of the layouts.
fn observed<'a>(series: impl Iterator<Item = (&'a Series, &'a From)>) -> Vec<Layouts> {
    /// The interval of one standard error to both sides, where the noise is normal.
    const ONE_ERROR: f64 = 0.683;
    let mut found: BTreeMap<(&From, &str, String), Layouts> = BTreeMap::new();
    for (series, origin) in series {
        let entries = &series.group.entries;
        let find = |id: &str| entries.iter().position(|entry| entry.backend.id == id);
        for (numerator, entry) in entries.iter().enumerate() {
            let backend = entry.backend.id.as_str();
            let control = entry.backend.control.as_deref().and_then(find);
            let ratio = control.and_then(|under| estimate(series, numerator, under, ONE_ERROR));
            let Some(ratio) = ratio else { continue };
            let workload = series.group.workload;
            let layouts = found.entry((origin, backend, workload.to_string()));
            let layouts = layouts.or_insert_with(|| Layouts {
                origin: origin.clone(),
                backend: backend.to_owned(),
                workload,
                log_ratios: Vec::new(),
                errors: Vec::new(),
            });
            layouts.log_ratios.push(rounded(ratio.estimate.ln()));
            layouts.errors.push(rounded((ratio.high / ratio.low).ln() / 2.0));
        }
    }
    found.into_values().collect()
}

/// Builds all workers in the ways that users do; says on standard error what cannot be had.
fn real_layouts(
    options: &Options,
    built: &[Built],
    directory: &Root,
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
        for (backend, build) in built {
            let program = directory.path().join(format!("{}-{done}", build.binary));
            match real.of(build).program(&program) {
                Ok(()) => files.push((&**backend, program)),
                Err(error) => note!("{}: {error}", real.name),
            }
            if interrupt::requested() {
                bail!("interrupted while building");
            }
        }
        layouts.push(Layout::new(From::Build(real.name.to_owned()), files));
    }
    Ok(layouts)
}

/// Links all workers in orders of each method; says on standard error what cannot be had.
fn drawn_layouts(
    options: &Options,
    built: &[Built],
    store: &Store,
    seed: u64,
) -> anyhow::Result<Vec<Layout>> {
    let unaligned = REAL_BUILDS.iter().find(|real| !real.aligned);
    let counted = &REAL_BUILDS[..1];
    // What a run does comes first. Then the same for one build alone, which is that of the counts.
    let mut sets = vec![("as in a run".to_owned(), Method::Functions, &DRAWN[..])];
    sets.extend(Method::ALL.map(|method| (format!("{method}, one build"), method, counted)));
    sets.extend(unaligned.map(|real| {
        (format!("{}, one build", real.name), Method::Functions, std::slice::from_ref(real))
    }));
    let mut layouts = Vec::new();
    let mut progress = Progress::new();
    // Each build once: to collect it anew after another is to make other objects, and the links of the first
    // ones are then stale.
    let mut kept: BTreeMap<&str, Vec<Objects>> = BTreeMap::new();
    for (number, (name, method, reals)) in sets.into_iter().enumerate() {
        let orders = orders(seed.wrapping_add(number as u64), options.orders);
        for (orders, real) in orders.chunks(options.orders.div_ceil(reals.len())).zip(reals) {
            if !kept.contains_key(real.name) {
                let objects = built.iter().map(|(_, it)| store.collect(&real.of(it)));
                kept.insert(real.name, objects.collect::<Result<_, _>>()?);
            }
            let job = |objects| Job { objects, method, orders };
            let jobs: Vec<Job<'_>> = kept[real.name].iter().map(job).collect();
            let links = store.link(&jobs, |done, all| progress.show(done, all, &name));
            let links: Result<Vec<Vec<PathBuf>>, _> = links.into_iter().collect();
            match links {
                Err(error) => note!("{name}: {error}"),
                Ok(links) => layouts.extend((0..orders.len()).map(|order| {
                    let files = built.iter().zip(&links);
                    let files =
                        files.map(|((backend, _), links)| (&**backend, links[order].clone()));
                    Layout::new(From::Method(name.clone()), files)
                })),
            }
            if interrupt::requested() {
                bail!("interrupted while linking");
            }
        }
    }
    Ok(layouts)
}
