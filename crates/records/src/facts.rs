//! Facts about bindings that are not speed, as a program collected them. `results/FORMAT.md` describes
//! the file for its readers.

use std::collections::HashSet;

use serde::{Deserialize, Serialize};

use crate::check::{once, started};
use crate::host::Host;
use crate::invalid::{Invalid, above_zero, at_least_one, check, each};
use crate::store::Stored;
use statistics::median;

/// The version of the format.
pub const SCHEMA: u32 = 1;

/// What writes such files.
pub const PRODUCER: &str = "facts";

/// Everything that was collected.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Facts {
    /// [`SCHEMA`] of the program that wrote the file.
    pub schema: u32,
    /// [`PRODUCER`].
    pub producer: String,
    /// When collecting started: seconds since 1970-01-01 00:00 UTC.
    pub started_unix: u64,
    /// Where programs were built.
    pub host: Host,
    /// The program that does nothing.
    pub empty: Build,
    /// One for each subject.
    pub crates: Vec<CrateFacts>,
}

/// What was found out about one crate.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct CrateFacts {
    /// The backend that stands for it.
    pub backend: String,
    /// Its name.
    pub name: String,
    /// Its version, as locked here.
    pub version: String,
    /// The crate that brings LMDB's C source.
    pub engine_crate: String,
    /// That crate's version.
    pub engine_crate_version: String,
    /// The version of LMDB that every worker on it must state to be measured.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub engine_version: Option<String>,
    /// The licence expression of its manifest.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub licence: Option<String>,
    /// The repository that its manifest names.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub repository: Option<String>,
    /// The edition of Rust it is written in.
    pub edition: String,
    /// The oldest Rust that it states to compile with.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub rust_version: Option<String>,
    /// All other crates that a program with it compiles, for itself or for build scripts: `name
    /// version`, with the features that are used here.
    pub dependencies: Vec<String>,
    /// The day of this version's release, as the registry's index has it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub released: Option<String>,
    /// The newest version that was neither withdrawn nor a pre-release.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub newest: Option<Release>,
    /// `unsafe` blocks in the smallest program that opens, puts and commits through it.
    pub unsafe_in_program: usize,
    /// `unsafe` blocks in the adapter here, with everything it does.
    pub unsafe_in_adapter: usize,
    /// What the compiler says to mistakes; empty where none were tried.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub compiler: Vec<Refusal>,
    /// The smallest program, built.
    pub build: Build,
}

/// A mistake in the use of a crate, and whether it compiles.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Refusal {
    /// Its name.
    pub mistake: String,
    /// What it is.
    pub means: String,
    /// The code of the compiler's error; absent where there is none.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub error: Option<String>,
}

/// A version and its day.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Release {
    /// The version.
    pub version: String,
    /// The day, where the index has it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub day: Option<String>,
}

/// A program, built from nothing several times.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Build {
    /// How long each took, in seconds; nothing was downloaded.
    pub seconds: Vec<f64>,
    /// The size of the stripped program, in bytes.
    pub bytes: u64,
}

impl Build {
    /// The median of the times, in seconds.
    #[must_use]
    pub fn median(&self) -> f64 {
        median(self.seconds.clone()).unwrap_or(f64::NAN)
    }

    /// The shortest and the longest, in seconds.
    #[must_use]
    pub fn range(&self) -> (f64, f64) {
        let fold = |start, of: fn(f64, f64) -> f64| self.seconds.iter().copied().fold(start, of);
        (fold(f64::INFINITY, f64::min), fold(f64::NEG_INFINITY, f64::max))
    }

    fn check(&self) -> Result<(), Invalid> {
        check(!self.seconds.is_empty(), "seconds", "an empty list", "one time at least")?;
        self.seconds.iter().try_for_each(|seconds| above_zero("seconds", *seconds))?;
        at_least_one("bytes", self.bytes)
    }
}

impl Stored for Facts {
    const KIND: &'static str = "file of facts";
    const SCHEMA: u32 = SCHEMA;

    fn check(&self) -> Result<(), Invalid> {
        check(self.producer == PRODUCER, "producer", format!("`{}`", self.producer), PRODUCER)?;
        started(self.started_unix)?;
        self.empty.check().map_err(|invalid| invalid.within("empty"))?;
        let mut seen = HashSet::new();
        each("crates", &self.crates, |one| {
            once("name", seen.insert(&one.name))?;
            one.build.check().map_err(|invalid| invalid.within("build"))
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_median_and_the_range_of_times() {
        let build = Build { seconds: vec![4.0, 1.0, 2.0, 3.0], bytes: 1 };
        assert!((build.median() - 2.5).abs() < 1e-12);
        assert_eq!(build.range(), (1.0, 4.0));
    }
}
