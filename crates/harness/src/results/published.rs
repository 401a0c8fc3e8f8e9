//! The published runs: `results/<host>/<date>/` with the data of a run, and what was made from it.

use std::fs;
use std::path::{Path, PathBuf};

use crate::behaviour::schema::Behaviour;
use crate::calibrate::record::Calibration;
use crate::facts::schema::Facts;
use crate::results::day::Day;
use crate::results::schema::Results;
use crate::results::store::{self, StoreError};

/// The host whose newest run the README and METHOD.md show.
pub const REFERENCE_HOST: &str = "xeon-vm";

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
    /// All of them.
    pub const ALL: [&str; 7] =
        [COMPARE, EQUAL_FLAGS, COUNTS, CALIBRATION, PRECISE_CALIBRATION, BEHAVIOUR, FACTS];
}

/// One published run.
#[derive(Debug, Clone, PartialEq)]
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
}

impl Published {
    /// Where the run is, seen from the directory of all results: `xeon-vm/2026-11-30`.
    #[must_use]
    pub fn place(&self) -> PathBuf {
        Path::new(&self.host).join(&self.date)
    }
}

/// All published runs below the directory `results`, by host and date.
///
/// # Errors
/// When a directory or a file cannot be read, or a file is not what its name says.
pub fn load(results: &Path) -> Result<Vec<Published>, StoreError> {
    let mut runs = Vec::new();
    for (host, path) in directories(results)? {
        for (date, path) in directories(&path)? {
            if is_date(&date) {
                runs.push(read(&path, host.clone(), date)?);
            }
        }
    }
    Ok(runs)
}

/// The newest run of the reference machine for which `find` finds something, and what it found.
pub fn of_reference<'a, T>(
    runs: &'a [Published],
    find: impl Fn(&'a Published) -> Option<T>,
) -> Option<(&'a Published, T)> {
    let mut mine = runs.iter().rev().filter(|run| run.host == REFERENCE_HOST);
    mine.find_map(|run| Some((run, find(run)?)))
}

/// The file `name` of the reference machine's newest run that has one, below the directory
/// `results`.
#[must_use]
pub fn newest_of_reference(results: &Path, name: &str) -> Option<PathBuf> {
    let runs = directories(&results.join(REFERENCE_HOST)).ok()?;
    let dated = runs.into_iter().rev().filter(|(date, _)| is_date(date));
    dated.map(|(_, path)| path.join(name)).find(|path| path.exists())
}

/// Reads the run in `directory`; a file that is not there is absent.
fn read(directory: &Path, host: String, date: String) -> Result<Published, StoreError> {
    let path = |name: &str| Some(directory.join(name)).filter(|path| path.exists());
    let results = |name: &str| path(name).map(|path| store::read(&path)).transpose();
    let calibration = |name: &str| path(name).map(|path| store::read(&path)).transpose();
    Ok(Published {
        host,
        date,
        compare: results(file::COMPARE)?,
        equal_flags: results(file::EQUAL_FLAGS)?,
        counts: results(file::COUNTS)?,
        calibration: calibration(file::CALIBRATION)?,
        precise_calibration: calibration(file::PRECISE_CALIBRATION)?,
        behaviour: path(file::BEHAVIOUR).map(|path| store::read(&path)).transpose()?,
        facts: path(file::FACTS).map(|path| store::read(&path)).transpose()?,
    })
}

/// The directories in `parent` with their names, in the order of these.
fn directories(parent: &Path) -> Result<Vec<(String, PathBuf)>, StoreError> {
    let failed = |error| StoreError::Io { path: parent.to_owned(), error };
    let mut found = Vec::new();
    for entry in fs::read_dir(parent).map_err(failed)? {
        let entry = entry.map_err(failed)?;
        if let (true, Ok(name)) = (entry.path().is_dir(), entry.file_name().into_string()) {
            found.push((name, entry.path()));
        }
    }
    found.sort();
    Ok(found)
}

/// Whether `text` is a day: `2026-11-30`.
#[must_use]
pub fn is_date(text: &str) -> bool {
    text.parse::<Day>().is_ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn run(host: &str, date: &str) -> Published {
        let (host, date) = (host.to_owned(), date.to_owned());
        read(Path::new("nowhere"), host, date).unwrap()
    }

    #[test]
    fn the_newest_run_of_the_reference_machine_is_shown() {
        let runs = [run(REFERENCE_HOST, "2026-01-01"), run(REFERENCE_HOST, "2026-02-01")];
        let dates = |run: &Published| Some(run.date.clone());
        assert_eq!(of_reference(&runs, dates).unwrap().1, "2026-02-01");
        let first = |run: &Published| (run.date == "2026-01-01").then_some(());
        assert_eq!(of_reference(&runs, first).unwrap().0.date, "2026-01-01");
        assert!(of_reference(&[run("other", "2026-02-01")], dates).is_none());
    }

    #[test]
    fn other_directories_are_no_runs() {
        let results = tempfile::tempdir().unwrap();
        for directory in ["baseline", "a/2026-02-01", "a/notes", "a/2026-01-01"] {
            fs::create_dir_all(results.path().join(directory)).unwrap();
        }
        let runs = load(results.path()).unwrap();
        let places: Vec<PathBuf> = runs.iter().map(Published::place).collect();
        assert_eq!(places, [Path::new("a/2026-01-01"), Path::new("a/2026-02-01")]);
    }
}
