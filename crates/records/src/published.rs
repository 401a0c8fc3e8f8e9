//! The published runs: `results/<host>/<date>/` with the data of a run, and what was made from it.

use std::fs;
use std::io;
use std::path::{Path, PathBuf};

use crate::day::Day;
use crate::store::{StoreError, read_if_there};

mod run;

pub use run::Published;

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
    /// Whether several runs agree.
    pub const AGREEMENT: &str = "agreement.json";
    /// Which link orders are like real builds.
    pub const LINK_ORDERS: &str = "link-orders.json";
    /// All of them.
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

/// All published runs below the directory `results`, by host and date.
///
/// A day without data is no run.
///
/// # Errors
/// When a directory or a file cannot be read, a file is not what its name says, or a directory has
/// the name of a day that there is not.
pub fn load(results: &Path) -> Result<Vec<Published>, StoreError> {
    let mut runs = Vec::new();
    for (host, path) in directories(results)? {
        for (date, path) in days(&path)? {
            let run = read(&path, host.clone(), date)?;
            if run.has_data() {
                runs.push(run);
            }
        }
    }
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
            let failed = |error| StoreError::Io { path: path.clone(), error };
            for entry in fs::read_dir(&path).map_err(failed)? {
                found.push(Path::new(&host).join(&date).join(entry.map_err(failed)?.file_name()));
            }
        }
    }
    found.sort();
    Ok(found)
}

/// Reads the run in `directory`; a file that is not there is absent.
fn read(directory: &Path, host: String, date: String) -> Result<Published, StoreError> {
    let path = |name: &str| directory.join(name);
    Ok(Published {
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
    })
}

/// The directories in `host` that are named by a day, in the order of these.
fn days(host: &Path) -> Result<Vec<(String, PathBuf)>, StoreError> {
    let mut days = directories(host)?;
    days.retain(|(name, _)| looks_like_a_date(name));
    match days.iter().find(|(name, _)| !is_date(name)) {
        None => Ok(days),
        Some((_, path)) => {
            let error = io::Error::other("there is no such day");
            Err(StoreError::Io { path: path.clone(), error })
        }
    }
}

/// Whether `text` is written as a day is, whatever its numbers.
fn looks_like_a_date(text: &str) -> bool {
    let is_its_kind = |(place, byte): (usize, u8)| match place {
        4 | 7 => byte == b'-',
        _ => byte.is_ascii_digit(),
    };
    text.len() == 10 && text.bytes().enumerate().all(is_its_kind)
}

/// The directories in `parent` with their names, in the order of these.
fn directories(parent: &Path) -> Result<Vec<(String, PathBuf)>, StoreError> {
    let failed = |error| StoreError::Io { path: parent.to_owned(), error };
    let mut found = Vec::new();
    for entry in fs::read_dir(parent).map_err(failed)? {
        let path = entry.map_err(failed)?.path();
        // Of what a link leads to; what cannot be reached is no other kind of file.
        let is_directory = match fs::metadata(&path) {
            Ok(found) => found.is_dir(),
            Err(error) => return Err(StoreError::Io { path, error }),
        };
        let name = path.file_name().and_then(|name| name.to_str()).map(str::to_owned);
        if let Some(name) = name.filter(|_| is_directory) {
            found.push((name, path));
        }
    }
    found.sort();
    Ok(found)
}

/// Whether `text` is a day: `2026-11-30`.
fn is_date(text: &str) -> bool {
    text.parse::<Day>().is_ok()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::testing::BEHAVIOUR;

    #[test]
    fn other_directories_and_days_without_data_are_no_runs() {
        let results = tempfile::tempdir().unwrap();
        for place in ["a/2026-02-01", "a/2026-01-01", "baseline", "a/notes", "a/2026-03-01"] {
            fs::create_dir_all(results.path().join(place)).unwrap();
            if place.starts_with("a/2026-0") && !place.contains("03") {
                fs::write(results.path().join(place).join(file::BEHAVIOUR), BEHAVIOUR).unwrap();
            }
        }
        fs::write(results.path().join("a/2026-03-01/README.md"), "").unwrap();
        let runs = load(results.path()).unwrap();
        let places: Vec<PathBuf> = runs.iter().map(Published::place).collect();
        assert_eq!(places, [Path::new("a/2026-01-01"), Path::new("a/2026-02-01")]);
        let expected = [
            "a/2026-01-01/behaviour.json",
            "a/2026-02-01/behaviour.json",
            "a/2026-03-01/README.md",
        ];
        assert_eq!(files(results.path()).unwrap(), expected.map(PathBuf::from));
        fs::create_dir_all(results.path().join("a/2026-02-31")).unwrap();
        let message = load(results.path()).unwrap_err().to_string();
        assert!(message.contains("2026-02-31: there is no such day"), "{message}");
    }
}
