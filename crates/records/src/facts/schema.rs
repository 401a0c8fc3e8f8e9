//! The fields of a file of facts, their units and their version. `results/FORMAT.md` describes the
//! same for readers of the files.

use serde::{Deserialize, Serialize};

use crate::host::Host;
use crate::invalid::Invalid;
use crate::stored::Stored;
use statistics::Summary;

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
    /// The smallest program, built.
    pub build: Build,
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
        Summary::of(&self.seconds).map_or(f64::NAN, |summary| summary.median)
    }

    /// The shortest and the longest, in seconds.
    #[must_use]
    pub fn range(&self) -> (f64, f64) {
        let fold = |start, of: fn(f64, f64) -> f64| self.seconds.iter().copied().fold(start, of);
        (fold(f64::INFINITY, f64::min), fold(f64::NEG_INFINITY, f64::max))
    }

    fn check(&self, field: &str) -> Result<(), Invalid> {
        if self.seconds.is_empty() {
            return Err(Invalid::new(format!("{field}.seconds"), "there must be one at least"));
        }
        for (index, seconds) in self.seconds.iter().enumerate() {
            if !seconds.is_finite() || *seconds <= 0.0 {
                let field = format!("{field}.seconds[{index}]");
                return Err(Invalid::new(field, format!("{seconds}: it must be above 0")));
            }
        }
        if self.bytes == 0 {
            return Err(Invalid::new(format!("{field}.bytes"), "0: it must be above 0"));
        }
        Ok(())
    }
}

impl Stored for Facts {
    const KIND: &'static str = "file of facts";
    const SCHEMA: u32 = SCHEMA;

    fn schema(&self) -> u32 {
        self.schema
    }

    fn check(&self) -> Result<(), Invalid> {
        if self.producer != PRODUCER {
            let problem = format!("`{}`: it must be {PRODUCER}", self.producer);
            return Err(Invalid::new("producer", problem));
        }
        self.empty.check("empty")?;
        for (index, one) in self.crates.iter().enumerate() {
            if self.crates[..index].iter().any(|other| other.name == one.name) {
                let field = format!("crates[{index}].name");
                return Err(Invalid::new(field, format!("`{}` is there twice", one.name)));
            }
            one.build.check(&format!("crates[{index}].build"))?;
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use std::path::Path;

    use proptest::prelude::*;

    use super::*;
    use crate::store;
    use crate::testing::fixtures::host;

    /// A whole file of the first format; it must be read as long as that format is.
    const FIRST: &str = include_str!("../../tests/fixtures/facts-schema-1.json");

    fn parse(bytes: &[u8]) -> Result<Facts, String> {
        store::parse(bytes, Path::new("facts.json")).map_err(|error| error.to_string())
    }

    #[test]
    fn the_first_format_is_read_to_the_last_field() {
        let some = |text: &str| Some(text.to_owned());
        let expected = Facts {
            schema: 1,
            producer: PRODUCER.to_owned(),
            started_unix: 1_796_077_305,
            host: host(),
            empty: Build { seconds: vec![0.5, 0.25], bytes: 300_000 },
            crates: vec![CrateFacts {
                backend: "heed".to_owned(),
                name: "heed".to_owned(),
                version: "0.23.1".to_owned(),
                engine_crate: "lmdb-master-sys".to_owned(),
                engine_crate_version: "0.2.6".to_owned(),
                engine_version: some("0.9.70"),
                licence: some("MIT"),
                repository: some("https://example.org/heed"),
                edition: "2021".to_owned(),
                rust_version: some("1.80"),
                dependencies: vec!["libc 0.2.0".to_owned()],
                released: some("2026-10-26"),
                newest: Some(Release { version: "0.24.0".to_owned(), day: some("2026-11-01") }),
                unsafe_in_program: 1,
                unsafe_in_adapter: 3,
                build: Build { seconds: vec![4.0], bytes: 390_000 },
            }],
        };
        assert_eq!(parse(FIRST.as_bytes()), Ok(expected));
    }

    #[test]
    fn newer_and_impossible_files_are_refused() {
        for (from, to, named) in [
            ("\"schema\": 1", "\"schema\": 2", "format 2"),
            ("[0.5, 0.25]", "[0.5, -0.25]", "empty.seconds[1]"),
            ("\"facts\"", "\"compare\"", "producer"),
            ("[4.0]", "[4.0, 1e999]", "number out of range"),
        ] {
            let error = parse(FIRST.replace(from, to).as_bytes()).unwrap_err();
            assert!(error.contains(named) && error.contains("facts.json"), "{error}");
        }
    }

    proptest! {
        #[test]
        fn any_damage_is_read_or_refused(place in 0..FIRST.len(), byte: u8, cut: bool) {
            let mut bytes = FIRST.as_bytes().to_vec();
            bytes[place] = byte;
            if cut {
                bytes.truncate(place);
            }
            let _ = parse(&bytes);
        }
    }

    #[test]
    fn the_median_and_the_range_of_times() {
        let build = |seconds: &[f64]| Build { seconds: seconds.to_vec(), bytes: 1 };
        assert!((build(&[3.0, 1.0, 2.0]).median() - 2.0).abs() < 1e-12);
        assert!((build(&[4.0, 1.0, 2.0, 3.0]).median() - 2.5).abs() < 1e-12);
        assert_eq!(build(&[3.0, 1.0, 2.0]).range(), (1.0, 3.0));
    }

    #[test]
    fn impossible_builds_are_refused_by_field() {
        let refused = |seconds: &[f64], bytes| {
            let build = Build { seconds: seconds.to_vec(), bytes };
            build.check("empty").unwrap_err().field
        };
        assert_eq!(refused(&[], 1), "empty.seconds");
        assert_eq!(refused(&[1.0, -1.0], 1), "empty.seconds[1]");
        assert_eq!(refused(&[1.0], 0), "empty.bytes");
    }
}
