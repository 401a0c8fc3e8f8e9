//! The published runs: `results/<host>/<date>/` with the data of a run, and what was made from it.

use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};

use crate::behaviour::Behaviour;
use crate::calibration::Calibration;
use crate::facts::Facts;
use crate::host::Host;
use crate::invalid::Invalid;
use crate::names::Day;
use crate::schema::Results;
use crate::store::{self, Problem, StoreError, read_if_there};
use crate::trials::{Agreement, LayoutTrial};

/// The host whose newest run the README and METHOD.md show.
pub const REFERENCE_HOST: &str = "epyc-vm";

/// The files that a published run may have; everything else beside them is made from them.
pub mod file {
    /// Times and ratios, engines as their crates ship them.
    pub const COMPARE: &str = "compare.json";
    /// The same with all engines compiled with equal flags.
    pub const EQUAL_FLAGS: &str = "compare-equal-flags.json";
    /// Instructions, allocations, system calls.
    pub const COUNTS: &str = "counts.json";
    /// What the instrument found out about itself.
    pub const CALIBRATION: &str = "calibration.json";
    /// The same with as many launches as a given precision took.
    pub const PRECISE_CALIBRATION: &str = "calibration-precise.json";
    /// What backends do with awkward input and when killed.
    pub const BEHAVIOUR: &str = "behaviour.json";
    /// What bindings are and can, beside speed.
    pub const FACTS: &str = "facts.json";
    /// Whether several runs agree.
    pub const AGREEMENT: &str = "agreement.json";
    /// Which link orders are like real builds.
    pub const LINK_ORDERS: &str = "link-orders.json";
    /// What the names of files about a suite begin with.
    pub const SUITE: &str = "suite-";

    /// The times of a suite.
    #[must_use]
    pub fn suite_times(suite: &str) -> String {
        format!("{SUITE}{suite}.json")
    }

    /// The counts of a suite.
    #[must_use]
    pub fn suite_counts(suite: &str) -> String {
        format!("{SUITE}{suite}-counts.json")
    }

    /// All but those of suites.
    pub const ALL: [&str; 9] = [
        COMPARE,
        EQUAL_FLAGS,
        COUNTS,
        CALIBRATION,
        PRECISE_CALIBRATION,
        BEHAVIOUR,
        FACTS,
        AGREEMENT,
        LINK_ORDERS,
    ];
}

/// One published run.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Published {
    /// The name under which the machine was published.
    pub host: String,
    /// The day, as `2026-11-30`.
    pub date: String,
    /// [`file::COMPARE`].
    pub compare: Option<Results>,
    /// [`file::EQUAL_FLAGS`].
    pub equal_flags: Option<Results>,
    /// [`file::COUNTS`].
    pub counts: Option<Results>,
    /// [`file::CALIBRATION`].
    pub calibration: Option<Calibration>,
    /// [`file::PRECISE_CALIBRATION`].
    pub precise_calibration: Option<Calibration>,
    /// [`file::BEHAVIOUR`].
    pub behaviour: Option<Behaviour>,
    /// [`file::FACTS`].
    pub facts: Option<Facts>,
    /// [`file::AGREEMENT`].
    pub agreement: Option<Agreement>,
    /// [`file::LINK_ORDERS`].
    pub link_orders: Option<LayoutTrial>,
    /// The suites that were measured, by name.
    pub suites: BTreeMap<String, SuiteRun>,
}

/// What was measured of a suite: times, counts, or both.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct SuiteRun {
    /// [`file::suite_times`].
    pub times: Option<Results>,
    /// [`file::suite_counts`].
    pub counts: Option<Results>,
}

impl SuiteRun {
    /// Its files, times first.
    pub fn files(&self) -> impl Iterator<Item = &Results> {
        self.times.iter().chain(&self.counts)
    }

    /// The suites with a file in `directory`. Each goes by what the file says, and not by its name.
    fn read(directory: &Path) -> Result<BTreeMap<String, Self>, StoreError> {
        let mut suites: BTreeMap<String, Self> = BTreeMap::new();
        for path in suite_files(directory)? {
            let found: Results = store::read(&path)?;
            let Some(suite) = &found.options.suite else {
                let problem =
                    Invalid::new("options.suite", "absent, in a file named after a suite");
                return Err(Problem::Invalid(problem).at(&path));
            };
            let run = suites.entry(suite.name.clone()).or_default();
            let place = if found.producer == "counts" { &mut run.counts } else { &mut run.times };
            *place = Some(found);
        }
        Ok(suites)
    }
}

/// The files about suites in `directory`, by name.
pub(crate) fn suite_files(directory: &Path) -> Result<Vec<PathBuf>, StoreError> {
    let is_one = |(name, path): &(String, PathBuf)| {
        name.starts_with(file::SUITE) && path.extension().is_some_and(|it| it == "json")
    };
    Ok(entries(directory)?.into_iter().filter(is_one).map(|(_, path)| path).collect())
}

impl Published {
    /// A run without data.
    #[must_use]
    pub fn empty(host: &str, date: &str) -> Self {
        Self { host: host.to_owned(), date: date.to_owned(), ..Self::default() }
    }

    /// Reads the run in `directory`; a file that is not there is absent.
    fn read(directory: &Path, host: String, date: String) -> Result<Self, StoreError> {
        let path = |name: &str| directory.join(name);
        Ok(Self {
            host,
            date,
            compare: read_if_there(&path(file::COMPARE))?,
            equal_flags: read_if_there(&path(file::EQUAL_FLAGS))?,
            counts: read_if_there(&path(file::COUNTS))?,
            calibration: read_if_there(&path(file::CALIBRATION))?,
            precise_calibration: read_if_there(&path(file::PRECISE_CALIBRATION))?,
            behaviour: read_if_there(&path(file::BEHAVIOUR))?,
            facts: read_if_there(&path(file::FACTS))?,
            agreement: read_if_there(&path(file::AGREEMENT))?,
            link_orders: read_if_there(&path(file::LINK_ORDERS))?,
            suites: SuiteRun::read(directory)?,
        })
    }

    /// Where the run is, seen from the directory of all results: `xeon-vm/2026-11-30`.
    #[must_use]
    pub fn place(&self) -> PathBuf {
        Path::new(&self.host).join(&self.date)
    }

    /// The comparison whose times are shown: as shipped, or else with equal flags.
    #[must_use]
    pub fn timed(&self) -> Option<&Results> {
        self.compare.as_ref().or(self.equal_flags.as_ref())
    }

    /// The results file that says most of the run.
    #[must_use]
    pub fn results(&self) -> Option<&Results> {
        self.timed().or(self.counts.as_ref())
    }

    /// The machine, from whatever file is there; `None` where nothing was published.
    #[must_use]
    pub fn machine(&self) -> Option<&Host> {
        let calibration = self.calibration.as_ref().or(self.precise_calibration.as_ref());
        (self.results().map(|it| &it.host))
            .or(calibration.map(|it| &it.host))
            .or(self.behaviour.as_ref().map(|it| &it.host))
            .or(self.facts.as_ref().map(|it| &it.host))
            .or(self.agreement.as_ref().map(|it| &it.host))
            .or(self.link_orders.as_ref().map(|it| &it.host))
            .or(self.suites.values().flat_map(SuiteRun::files).map(|it| &it.host).next())
    }
}

/// The run in `directory`, which need not be published, under the name `host` and the day of its comparison.
///
/// # Errors
/// When a file cannot be read.
pub fn of_directory(directory: &Path, host: &str) -> Result<Published, StoreError> {
    let run = Published::read(directory, host.to_owned(), String::new())?;
    let date = run.results().map(|it| Day::of_unix(it.started_unix).to_string());
    Ok(Published { date: date.unwrap_or_default(), ..run })
}

/// All published runs below the directory `results`, by host and date.
///
/// A day without data is no run.
///
/// # Errors
/// When a directory or a file cannot be read, a file is not what its name says, or a directory of a
/// host begins like a day and is none.
pub fn load(results: &Path) -> Result<Vec<Published>, StoreError> {
    let mut runs = Vec::new();
    for (host, path) in directories(results)? {
        for (date, path) in days(&path)? {
            runs.push(Published::read(&path, host.clone(), date)?);
        }
    }
    runs.retain(|run| run.machine().is_some());
    Ok(runs)
}

/// All files in the directories of all days, with data or without, seen from `results`.
///
/// # Errors
/// When a directory cannot be read.
pub fn files(results: &Path) -> Result<Vec<PathBuf>, StoreError> {
    let mut found = Vec::new();
    for (host, path) in directories(results)? {
        for (date, path) in days(&path)? {
            let place = Path::new(&host).join(date);
            found.extend(entries(&path)?.into_iter().map(|(name, _)| place.join(name)));
        }
    }
    Ok(found)
}

/// The directories in `host` that are named by a day, in the order of these.
fn days(host: &Path) -> Result<Vec<(String, PathBuf)>, StoreError> {
    let mut days = directories(host)?;
    days.retain(|(name, _)| name.starts_with(|first: char| first.is_ascii_digit()));
    for (name, path) in &days {
        name.parse::<Day>()
            .map_err(|reason| Problem::Invalid(Invalid::new("name", reason)).at(path))?;
    }
    Ok(days)
}

fn directories(parent: &Path) -> Result<Vec<(String, PathBuf)>, StoreError> {
    let mut found = Vec::new();
    for (name, path) in entries(parent)? {
        // Of what a link leads to; what cannot be reached is no other kind of file.
        match fs::metadata(&path) {
            Ok(metadata) if metadata.is_dir() => found.push((name, path)),
            Ok(_) => {}
            Err(error) => return Err(Problem::Io(error).at(&path)),
        }
    }
    Ok(found)
}

/// What is in `parent`, by name.
fn entries(parent: &Path) -> Result<Vec<(String, PathBuf)>, StoreError> {
    let failed = |error| Problem::Io(error).at(parent);
    let mut found = Vec::new();
    for entry in fs::read_dir(parent).map_err(failed)? {
        let entry = entry.map_err(failed)?;
        found.push((entry.file_name().to_string_lossy().into_owned(), entry.path()));
    }
    found.sort();
    Ok(found)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::testing::BEHAVIOUR;

    #[test]
    fn other_directories_and_days_without_data_are_no_runs() {
        let results = tempfile::tempdir().unwrap();
        let [second, first, empty] = ["a/2026-02-01", "a/2026-01-01", "a/2026-03-01"];
        for place in [second, first, empty, "baseline", "a/notes"] {
            fs::create_dir_all(results.path().join(place)).unwrap();
        }
        for place in [second, first] {
            fs::write(results.path().join(place).join(file::BEHAVIOUR), BEHAVIOUR).unwrap();
        }
        fs::write(results.path().join(empty).join("README.md"), "").unwrap();
        let runs = load(results.path()).unwrap();
        let places: Vec<PathBuf> = runs.iter().map(Published::place).collect();
        assert_eq!(places, [first, second].map(PathBuf::from));
        let all = [(first, file::BEHAVIOUR), (second, file::BEHAVIOUR), (empty, "README.md")];
        let all = all.map(|(place, name)| Path::new(place).join(name));
        assert_eq!(files(results.path()).unwrap(), all);
        fs::create_dir_all(results.path().join("a/2026-02-31")).unwrap();
        let message = load(results.path()).unwrap_err().to_string();
        assert!(message.contains("`2026-02-31` is not a day"), "{message}");
    }
}
