//! The results of a run in memory: what was observed, as a file holds it, and what follows from it.
//! `results/FORMAT.md` describes the file for its readers.

use std::collections::BTreeMap;

use serde::{Deserialize, Deserializer, Serialize, Serializer};
use write_backend::protocol::{Crate, Hello, Profile};
use write_backend::{AXES, Axis, DataFormat, Encoding, Workload};

use crate::host::{EngineBuild, Host};
use crate::invalid::Invalid;
use crate::store::Stored;

mod case;
mod derived;

pub use case::{CaseRecord, Counts, Ratio, Split, Status, Time, rounded};

/// The version of the format that is written. A reader refuses a newer one.
pub const SCHEMA: u32 = 2;

/// The confidence of all intervals unless another is asked for.
pub const CONFIDENCE: f64 = 0.95;
/// Launches per backend and workload, unless asked for otherwise.
pub const LAUNCHES: usize = 50;

/// What files of format 1 compare all others with; they do not say so.
const FIRST_REFERENCE: &str = "raw-ffi";
/// Why their times hold for one build.
const FIRST_ORDERS: &str = "made before each launch had a link order of its own";

/// The workloads of the default matrix: those of the benchmark this project grew from.
#[must_use]
pub fn default_workloads() -> Vec<Workload> {
    Axis::product(|axis| axis.defaults.to_vec())
}

/// Everything that a run found out.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
// The derived functions read and write the fields; the traits below add what follows from them.
#[serde(remote = "Self")]
pub struct Results {
    /// [`SCHEMA`] of the program that wrote the file.
    pub schema: u32,
    /// What wrote it: `compare`, `counts` or `write`.
    pub producer: String,
    /// When the run started: seconds since 1970-01-01 00:00 UTC.
    pub started_unix: u64,
    /// Whether the run came to its end; a partial file holds what was measured until then.
    pub complete: bool,
    /// Where it was measured.
    pub host: Host,
    /// What was asked for.
    pub options: RunOptions,
    /// Who was measured.
    pub backends: Vec<BackendRecord>,
    /// What was measured.
    pub cases: Vec<CaseRecord>,
    /// The A/A twin of the reference on each workload.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub twins: Vec<TwinRecord>,
    /// The echo on each workload: the reference once more in the same link order. What it shows is the
    /// noise of launches without that of link orders. Absent where all launches had one order.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub echoes: Vec<TwinRecord>,
    /// What counted; absent where nothing was.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub counters: Option<Counters>,
}

impl<'de> Deserialize<'de> for Results {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let mut results = Self::deserialize(deserializer)?;
        if results.schema == 1 {
            results.upgrade();
        } else {
            results.conclude();
        }
        Ok(results)
    }
}

impl Serialize for Results {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        if self.schema != SCHEMA {
            return Err(serde::ser::Error::custom("only the newest format is written"));
        }
        Self::serialize(self, serializer)
    }
}

impl Stored for Results {
    const KIND: &'static str = "results file";
    const SCHEMA: u32 = SCHEMA;

    fn check(&self) -> Result<(), Invalid> {
        crate::check::results(self)
    }
}

/// What was asked for.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct RunOptions {
    /// The seed of all randomness: orders, padding, random keys.
    pub seed: u64,
    /// Size of the memory map in bytes.
    pub map_size: usize,
    /// Whether the map was writable.
    pub writable_map: bool,
    /// The type of the file system of the environments.
    pub file_system: String,
    /// The core that workers were bound to; absent where that was not possible.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub core: Option<usize>,
    /// How long it took to write a page there and to wait for the disk, the median in nanoseconds; absent
    /// where that was not tried.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub sync_ns: Option<f64>,
    /// What may have disturbed times, in sentences.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub disturbances: Vec<String>,
    /// The confidence of all intervals except the one behind `error_ns`, which is 99.9 %.
    pub confidence: f64,
    /// Samples per launch.
    pub rounds: usize,
    /// The `CFLAGS` that the user gave for the engines, if any.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub cflags: Option<String>,
    /// The builds that launches with link orders of their own took turns with, by name; empty where all were
    /// of one build, that of the counts.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub builds: Vec<String>,
    /// What else was set outside the workspace and changes a build, as it was set.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub settings: Vec<String>,
    /// The cases that were asked for.
    #[serde(default)]
    pub asked: Asked,
    /// The suite that they are of; absent for the default one.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub suite: Option<Suite>,
}

/// A named selection of cases with a question that it answers.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Suite {
    /// Its name: small letters, digits and hyphens.
    pub name: String,
    /// What a reader asks.
    pub question: String,
    /// The keys of the axes whose values are compared with each other, each with the usual one of the
    /// same backend. Such cases are measured in the same blocks. Empty: what is compared is backends.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub compares: Vec<String>,
    /// Whether options left a part of it out.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub narrowed: bool,
}

/// The cases that were asked for: each of the backends on each combination of the axes' values, and those
/// of further such products.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
pub struct Asked {
    /// The ids of the backends.
    pub backends: Vec<String>,
    /// The values of each axis by its key. An axis that is not there has the value that workloads
    /// have which do not mention it.
    pub axes: BTreeMap<String, Vec<serde_json::Value>>,
    /// Further products.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub also: Vec<Asked>,
}

impl Asked {
    /// Several products as one value.
    #[must_use]
    pub fn all(products: Vec<Self>) -> Self {
        let mut products = products.into_iter();
        let first = products.next().unwrap_or_default();
        Self { also: products.collect(), ..first }
    }

    /// The smallest product that holds all `workloads`.
    #[must_use]
    pub fn of(backends: Vec<String>, workloads: &[Workload]) -> Self {
        let mut axes = BTreeMap::new();
        for axis in &AXES {
            let mut values: Vec<serde_json::Value> = Vec::new();
            let is_implied = |it: &Workload| axis.implied == Some(axis.get(it));
            for workload in workloads.iter().filter(|_| !workloads.iter().all(is_implied)) {
                let value = value(axis, workload);
                if !values.contains(&value) {
                    values.push(value);
                }
            }
            if !values.is_empty() {
                axes.insert(axis.key.to_owned(), values);
            }
        }
        Self { backends, axes, also: Vec::new() }
    }

    /// Whether `backend` on `workload` is one of the cases asked for.
    #[must_use]
    pub fn includes(&self, backend: &str, workload: &Workload) -> bool {
        let is_mine = |axis: &Axis| match self.axes.get(axis.key) {
            Some(values) => values.contains(&value(axis, workload)),
            None => axis.implied == Some(axis.get(workload)),
        };
        self.backends.iter().any(|id| id == backend) && AXES.iter().all(is_mine)
            || self.also.iter().any(|it| it.includes(backend, workload))
    }

    /// How many cases were asked for. Several products have none in common.
    #[must_use]
    pub fn cases(&self) -> usize {
        let lengths = self.axes.values().map(Vec::len).chain([self.backends.len()]);
        let own = lengths.fold(1, usize::saturating_mul);
        self.also.iter().map(Self::cases).fold(own, usize::saturating_add)
    }
}

/// The value that `workload` has on `axis`, as files have it.
fn value(axis: &Axis, workload: &Workload) -> serde_json::Value {
    match axis.get(workload) {
        write_backend::Value::Number(number) => number.into(),
        write_backend::Value::Name(name) => name.into(),
    }
}

/// A backend: how its worker described itself, and what its folder declares.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct BackendRecord {
    /// Its id.
    pub id: String,
    /// Its place in tables: lower comes first.
    #[serde(default)]
    pub order: u32,
    /// Its colour in pictures, `#rrggbb`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub colour: Option<String>,
    /// Whether it is the one that all others are compared with.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub reference: bool,
    /// The crate a user adds; absent for a backend without LMDB.
    pub binding: Option<String>,
    /// That crate's version.
    pub binding_version: Option<String>,
    /// The crate whose C sources the engine is built from.
    pub engine_crate: Option<String>,
    /// That crate's version.
    pub engine_crate_version: Option<String>,
    /// What `mdb_version` returned.
    pub engine_version: Option<String>,
    /// The format of its engine's files; times of another family than the reference's have no ratio to it.
    #[serde(default, skip_serializing_if = "DataFormat::is_default")]
    pub data_format: DataFormat,
    /// What it makes of the values that it is handed.
    #[serde(default, skip_serializing_if = "Encoding::is_default")]
    pub encoding: Encoding,
    /// The backend that its overhead is relative to.
    pub control: Option<String>,
    /// How its worker was compiled.
    pub profile: Profile,
    /// The address of `mdb_put` modulo 64.
    pub put_alignment: Option<u32>,
    /// The addresses of the timed loops modulo 64, by `FINISH/PUT`.
    #[serde(deserialize_with = "loops")]
    pub loop_alignment: BTreeMap<String, u32>,
    /// How its engine was built.
    pub engine_build: EngineBuild,
    /// Why all its launches ran in one link order, so that its times hold for that one build; absent where
    /// each launch had a link order of its own, and where no times were taken.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub one_link_order: Option<String>,
}

/// A map, or the pair of files of format 1: the loops of `abort` and `commit`.
fn loops<'de, D: Deserializer<'de>>(deserializer: D) -> Result<BTreeMap<String, u32>, D::Error> {
    #[derive(Deserialize)]
    #[serde(untagged, expecting = "addresses by the names of the loops")]
    enum Loops {
        Named(BTreeMap<String, u32>),
        Pair([u32; 2]),
    }
    Ok(match Loops::deserialize(deserializer)? {
        Loops::Named(loops) => loops,
        Loops::Pair([abort, commit]) => {
            [("abort/plain".to_owned(), abort), ("commit/plain".to_owned(), commit)].into()
        }
    })
}

/// What a backend's folder declares of it, and its worker does not say.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Declared<'a> {
    /// Its place in tables.
    pub order: u32,
    /// Its colour in pictures.
    pub colour: Option<&'a str>,
    /// Whether all others are compared with it.
    pub reference: bool,
    /// The backend that its overhead is relative to.
    pub control: Option<&'a str>,
}

impl BackendRecord {
    /// The record of a worker that said `hello`.
    #[must_use]
    pub fn new(hello: &Hello, declared: Declared<'_>, engine_build: EngineBuild) -> Self {
        let split = |it: &Option<Crate>| match it {
            Some(it) => (Some(it.name.clone()), it.version.clone()),
            None => (None, None),
        };
        let (binding, binding_version) = split(&hello.binding);
        let (engine_crate, engine_crate_version) = split(&hello.engine_crate);
        Self {
            id: hello.backend.clone(),
            order: declared.order,
            colour: declared.colour.map(str::to_owned),
            reference: declared.reference,
            binding,
            binding_version,
            engine_crate,
            engine_crate_version,
            engine_version: hello.engine_version.clone(),
            data_format: hello.data_format.clone().unwrap_or_default(),
            encoding: hello.encoding,
            control: declared.control.map(str::to_owned),
            profile: hello.profile,
            put_alignment: hello.put_alignment,
            loop_alignment: hello.loop_alignment.clone(),
            engine_build,
            one_link_order: None,
        }
    }

    /// Whether it is a loop in another language than Rust that raw FFI is held against: an engine
    /// without a binding.
    #[must_use]
    pub fn is_loop_in_c(&self) -> bool {
        self.binding.is_none() && self.engine_version.is_some()
    }

    /// Whether the timed loops and the engine start at multiples of 64 bytes.
    #[must_use]
    pub fn is_aligned(&self) -> bool {
        self.put_alignment.unwrap_or(0) == 0 && self.loop_alignment.values().all(|it| *it == 0)
    }
}

/// The reference once more on one workload: as the A/A twin, entered as if it were another backend, or as
/// the echo.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct TwinRecord {
    /// The workload.
    pub workload: Workload,
    /// For each block the natural logarithm of its time over the reference's, [`rounded`].
    pub log_ratios: Vec<f64>,
}

/// What counted, where the numbers depend on it.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Counters {
    /// The version of valgrind; absent where there was none.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub valgrind: Option<String>,
    /// The version of strace; absent where there was none.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub strace: Option<String>,
    /// The C library and its version.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub libc: Option<String>,
}
