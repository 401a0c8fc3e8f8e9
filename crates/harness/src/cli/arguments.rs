//! The options that all benches share: which cases, where, and with which environment.

use std::fmt::Display;
use std::path::{Path, PathBuf};
use std::str::FromStr;
use std::sync::Arc;
use std::time::Duration;

use anyhow::{Context as _, bail};
use clap::Args;
use write_backend::options::DEFAULT_MAP_SIZE;
use write_backend::{EnvironmentOptions, SyncMode, Workload};

use crate::backends::{Backend, Backends, Brought};
use crate::machine::pin;
use crate::selection::{self, AxisValues, Case, Filter, Selection};
use crate::suites::Suite;
use crate::worker::launcher::Settings;
use crate::worker::session::Start;
use records::names::HostName;

/// How long a worker may take to answer one request. The longest request of a default run takes
/// milliseconds; a synced commit of a large batch on a slow disk takes seconds.
const DEFAULT_LIMIT_SECONDS: u64 = 60;

/// Which cases are measured, and how their environments are opened.
#[derive(Debug, Clone, Default, Args)]
pub struct Arguments {
    /// What is measured: a named selection, which the options below narrow [default: seed]
    #[arg(long, value_name = "NAME", value_parser = Suite::find)]
    pub suite: Option<&'static Suite>,
    /// Only cases in whose name WORKLOAD/BACKEND this regular expression is found
    pub filter: Option<String>,
    /// The filter is the whole name of a case
    #[arg(long)]
    pub exact: bool,
    /// Backends, for example heed,lmdb-rkv, beside those from outside [default: all]
    #[arg(long, value_name = "ID,..", value_delimiter = ',')]
    pub backend: Vec<String>,
    /// Backends from outside
    #[command(flatten)]
    pub brought: Brought,
    #[command(flatten)]
    pub axes: AxisValues,
    /// Write through a writable map (`MDB_WRITEMAP`)
    #[arg(long)]
    pub writable_map: bool,
    /// Size of the memory map in bytes [default: 10485760, or what the preload and growth need]
    #[arg(long, value_name = "BYTES", value_parser = not_zero::<usize>)]
    pub map_size: Option<usize>,
    /// Where environments are made [default: the system's directory for temporary files]
    #[arg(long, value_name = "DIR")]
    pub dir: Option<PathBuf>,
    /// The core that workers are bound to, by the system's number [default: the last of the fastest]
    #[arg(long, value_name = "N")]
    pub core: Option<usize>,
    /// Whether each launch whose time is taken has a link order of its own, or all the one of the build
    #[arg(long, value_name = "random|fixed", value_parser = LinkOrder::from_str, default_value = "random")]
    pub link_order: LinkOrder,
    /// Seed of all randomness: orders, padding, random keys [default: from the clock, printed]
    #[arg(long, value_name = "NUMBER")]
    pub seed: Option<u64>,
    /// How long a worker may take to answer, in seconds
    #[arg(long, value_name = "SECONDS", default_value_t = DEFAULT_LIMIT_SECONDS, value_parser = not_zero::<u64>)]
    pub limit: u64,
    /// Put the results of compare and counts among the published ones, under this name of the
    /// machine: results/NAME/DATE/
    #[arg(long, value_name = "NAME")]
    pub publish: Option<HostName>,
    /// Given by cargo
    #[arg(long, hide = true)]
    pub bench: bool,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum LinkOrder {
    /// Each in another one.
    #[default]
    Random,
    /// All in that of the build.
    Fixed,
}

impl FromStr for LinkOrder {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, Self::Err> {
        match text {
            "random" => Ok(Self::Random),
            "fixed" => Ok(Self::Fixed),
            _ => Err("it must be one of random, fixed".to_owned()),
        }
    }
}

impl Arguments {
    pub fn cases(&self, backends: &Backends) -> anyhow::Result<Vec<Case>> {
        let named = selection::named(backends, &self.backend).map_err(anyhow::Error::msg)?;
        if let Some(counted) = named.iter().find(|backend| backend.counts_only) {
            bail!("--backend {}: it is only counted, by `--bench counts`", counted.id);
        }
        if self.backend.is_empty() {
            self.cases_of(&backends.timed().cloned().collect::<Vec<_>>())
        } else {
            self.cases_of(&named)
        }
    }

    /// The backends from outside: those that are named, and those of the suite.
    pub fn brought(&self) -> Brought {
        let mut brought = self.brought.clone();
        brought.backend_dir.extend(self.suite().backend_dirs.iter().cloned());
        brought
    }

    pub fn suite(&self) -> &'static Suite {
        self.suite.unwrap_or_else(Suite::usual)
    }

    /// Whether it may be less than the suite that is measured.
    pub fn narrows(&self) -> bool {
        let (usual, filter) = (AxisValues::default(), self.filter.as_ref());
        self.axes != usual || filter.is_some() || !self.backend.is_empty()
    }

    /// What is selected of `backends`.
    pub fn selections(&self, backends: &[Arc<Backend>]) -> Result<Vec<Selection>, String> {
        self.suite().selections(backends, &self.axes)
    }

    /// The cases of `backends`, whichever are named.
    pub fn cases_of(&self, backends: &[Arc<Backend>]) -> anyhow::Result<Vec<Case>> {
        let selections = self.selections(backends).map_err(anyhow::Error::msg)?;
        let workloads = selections.iter().map(Selection::workloads);
        let workloads = workloads.collect::<Result<Vec<_>, _>>().map_err(anyhow::Error::msg)?;
        for Workload { sync, .. } in workloads.into_iter().flatten() {
            if sync == SyncMode::MapAsync && !self.writable_map {
                bail!(
                    "--sync mapasync needs --writable-map: without a writable map LMDB ignores it \
                     and every commit waits for the disk"
                );
            }
            EnvironmentOptions { sync, ..self.environment() }.check()?;
        }
        let filter =
            Filter::parse(self.filter.as_deref(), self.exact).map_err(anyhow::Error::msg)?;
        let cases = selection::cases(&selections, &filter).map_err(anyhow::Error::msg)?;
        self.check_map_size(&cases)?;
        Ok(cases)
    }

    /// Refuses a map in which not even one transaction of some case has room.
    fn check_map_size(&self, cases: &[Case]) -> anyhow::Result<()> {
        let stored = cases.iter().filter(|case| case.backend.stores());
        let Some(largest) = stored.max_by_key(|case| least_map_size(&case.workload)) else {
            return Ok(());
        };
        let (least, map_size) = (least_map_size(&largest.workload), self.map_size());
        if (map_size as u64) < least {
            bail!(
                "--map-size {map_size}: one transaction of {} alone needs {least} bytes, and commits \
                 need room for what they replace beside it",
                largest.workload
            );
        }
        let stored = cases.iter().filter(|case| case.backend.stores());
        let least = stored.map(|case| case.workload.least_map()).max().unwrap_or(0);
        if let Some(given) = self.map_size.filter(|given| *given < least) {
            bail!("--map-size {given}: what is preloaded and added needs {least} bytes");
        }
        Ok(())
    }

    /// The size of the map of a workload that needs no larger one.
    pub fn map_size(&self) -> usize {
        self.map_size.unwrap_or(DEFAULT_MAP_SIZE)
    }

    pub fn environment(&self) -> EnvironmentOptions {
        EnvironmentOptions {
            map_size: self.map_size(),
            writable_map: self.writable_map,
            ..EnvironmentOptions::default()
        }
    }

    /// Settings for the launcher of workers, which may run on any core.
    pub fn settings(&self) -> anyhow::Result<Settings> {
        let directory = directory(self.dir.as_deref())?;
        let limit = Duration::from_secs(self.limit);
        Ok(Settings {
            environment: self.environment(),
            directory,
            seed: self.seed(),
            core: pin::choose_core(self.core).map_err(anyhow::Error::msg)?,
            disturbances: Vec::new(),
            start: Start { core: None, padding: 0, limit },
        })
    }

    pub fn seed(&self) -> u64 {
        self.seed.unwrap_or_else(|| {
            let now = std::time::SystemTime::now().duration_since(std::time::UNIX_EPOCH);
            // Milliseconds, so that the number is short enough to be typed again.
            now.map_or(0, |now| u64::try_from(now.as_millis()).unwrap_or(0))
        })
    }
}

/// A number of which there must be some.
fn not_zero<T: FromStr<Err: Display> + Default + PartialEq>(text: &str) -> Result<T, String> {
    let number = text.parse::<T>().map_err(|error| error.to_string())?;
    if number == T::default() { Err("it must be at least 1".to_owned()) } else { Ok(number) }
}

/// With less than this in bytes, `workload` cannot run: the size of its pairs on full pages, and the
/// two pages that every environment begins with. What a run really needs is more.
fn least_map_size(workload: &Workload) -> u64 {
    /// The smallest page of the systems that LMDB runs on.
    const PAGE: u64 = 4096;
    const META_PAGES: u64 = 2;
    /// What a page holds for each pair beside key and value: a header and the header's place.
    const PAIR: u64 = 8 + 2;
    let bytes = workload.bytes() + workload.batch_size as u64 * PAIR;
    (bytes.div_ceil(PAGE) + META_PAGES) * PAGE
}

/// The directory that `--dir` names, or the system's for temporary files.
pub fn directory(asked: Option<&Path>) -> anyhow::Result<PathBuf> {
    let asked = asked.map_or_else(std::env::temp_dir, Path::to_owned);
    let directory = workspace_path(&asked);
    let directory =
        directory.canonicalize().with_context(|| format!("--dir {}", asked.display()))?;
    if !directory.is_dir() {
        bail!("--dir {} is not a directory", directory.display());
    }
    if directory.to_str().is_none() {
        bail!("--dir {} must be valid UTF-8", directory.display());
    }
    Ok(directory)
}

/// `path` as seen from the top of the workspace: cargo runs benches in their package's directory,
/// while users type paths where they type `cargo bench`.
pub fn workspace_path(path: &Path) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../..").join(path)
}

#[cfg(test)]
mod tests {
    use clap::Parser;

    use super::*;
    use crate::backends::testing;

    #[derive(Parser)]
    struct Program {
        #[command(flatten)]
        arguments: Arguments,
    }

    fn parse(line: &str) -> Result<Vec<Case>, String> {
        let words = std::iter::once("bench").chain(line.split_whitespace());
        let program = Program::try_parse_from(words).map_err(|error| error.to_string())?;
        program.arguments.cases(&testing::backends()).map_err(|error| error.to_string())
    }

    #[test]
    fn lists_replace_the_defaults() {
        let cases =
            parse("--backend heed,null --batch 7 --order random,sequential-le --key-size 9")
                .unwrap();
        assert_eq!(cases.len(), 2 * 2 * 4 * 2);
        assert_eq!(cases[0].name(), "abort-n7-v4-k9-random-nosync/heed");
    }

    #[test]
    fn what_is_given_twice_counts_once() {
        let once = parse("--backend heed --batch 7,8 --sync sync --put plain").unwrap();
        let twice =
            "--backend heed,heed --batch 7,8,7 --batch 8 --sync sync,sync --put plain,plain";
        assert_eq!(parse(twice).unwrap(), once);
    }

    #[test]
    fn a_put_that_needs_new_keys_comes_with_what_makes_them_new() {
        let cases =
            parse("--backend heed --put plain,append --finish abort --batch 10 --value-size 8");
        let names: Vec<String> = cases.unwrap().iter().map(Case::name).collect();
        let name = "abort-n10-v8-k4-sequential-nosync";
        assert_eq!(names, [format!("{name}/heed"), format!("{name}-append/heed")]);
        assert!(parse("--put append").unwrap_err().contains("finish abort"));
        assert!(parse("--put fast").unwrap_err().contains("one of plain, no-overwrite, append"));
    }

    #[test]
    fn a_backend_that_is_only_counted_is_refused() {
        assert!(parse("--backend c-reference").unwrap_err().contains("--bench counts"));
    }

    #[test]
    fn a_map_needs_room_for_one_transaction() {
        // 1000000 pairs of 4 + 1000 + 10 bytes on pages of 4096 bytes, and two pages more.
        let large = "--batch 1,1000000 --value-size 1000 --map-size";
        assert!(parse(&format!("{large} 1014009855")).unwrap_err().contains("-n1000000-v1000-k4-"));
        assert!(parse(&format!("{large} 1014009856")).is_ok());
        // Nothing is stored.
        assert!(parse("--batch 1000000 --value-size 1000 --backend null").is_ok());
        assert!(parse("--batch 1 --value-size 4 --map-size 12288").is_ok());
        assert!(parse("--sync mapasync --writable-map").is_ok());
    }

    #[test]
    fn paths_are_seen_from_the_top_of_the_workspace() {
        assert!(workspace_path(Path::new("Cargo.lock")).exists());
        let absolute = std::env::temp_dir();
        assert_eq!(workspace_path(&absolute), absolute);
    }
}
