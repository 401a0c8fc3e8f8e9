//! The fields of a results file, their units and their version. `results/FORMAT.md` describes the
//! same for readers of the files.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};
use write_backend::protocol::{Crate, Hello, Profile};
use write_backend::{Axis, Finish, Workload};

use crate::host::EngineBuild;
use crate::host::Host;
use statistics::{Interval, RatioEstimate, Summary, Verdict};

/// The version of the format. A reader refuses a newer one.
pub const SCHEMA: u32 = 1;

/// The confidence of all intervals unless another is asked for.
pub const CONFIDENCE: f64 = 0.95;
/// Launches per backend and workload, unless asked for otherwise.
pub const LAUNCHES: usize = 30;

/// The workloads of the default matrix: those of the benchmark this project grew from.
#[must_use]
pub fn default_workloads() -> Vec<Workload> {
    Axis::product(|axis| axis.defaults.to_vec())
}

/// Everything that a run found out.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
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
    pub options: Options,
    /// Who was measured.
    pub backends: Vec<BackendRecord>,
    /// What was measured.
    pub cases: Vec<CaseRecord>,
    /// What counted; absent where nothing was.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub counters: Option<Counters>,
}

/// What was asked for.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Options {
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
    /// The confidence of all intervals but the one behind `error_ns`, which is 99.9 %.
    pub confidence: f64,
    /// Samples per launch.
    pub rounds: usize,
    /// The `CFLAGS` that the user gave for the engines, if any.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub cflags: Option<String>,
}

/// A backend as its worker described itself.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct BackendRecord {
    /// Its id.
    pub id: String,
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
    /// The backend that its overhead is relative to.
    pub control: Option<String>,
    /// How its worker was compiled.
    pub profile: Profile,
    /// The address of `mdb_put` modulo 64.
    pub put_alignment: Option<u32>,
    /// The addresses of the timed loops (abort, commit) modulo 64.
    pub loop_alignment: [u32; 2],
    /// How its engine was built.
    pub engine_build: EngineBuild,
}

impl BackendRecord {
    /// The record of a worker that said `hello`.
    #[must_use]
    pub fn new(hello: &Hello, control: Option<&str>, engine_build: EngineBuild) -> Self {
        let split = |it: &Option<Crate>| match it {
            Some(it) => (Some(it.name.clone()), it.version.clone()),
            None => (None, None),
        };
        let (binding, binding_version) = split(&hello.binding);
        let (engine_crate, engine_crate_version) = split(&hello.engine_crate);
        // The one that is off, if any is.
        let loops = |finish: Finish| {
            let loops = hello.loop_alignment.iter();
            let of_finish = loops.filter(|(name, _)| name.starts_with(finish.name()));
            of_finish.map(|(_, remainder)| *remainder).max().unwrap_or(0)
        };
        Self {
            id: hello.backend.clone(),
            binding,
            binding_version,
            engine_crate,
            engine_crate_version,
            engine_version: hello.engine_version.clone(),
            control: control.map(str::to_owned),
            profile: hello.profile,
            put_alignment: hello.put_alignment,
            loop_alignment: Finish::ALL.map(loops),
            engine_build,
        }
    }

    /// Whether it is the loop in C that raw FFI is held against: an engine without a Rust binding.
    #[must_use]
    pub fn is_loop_in_c(&self) -> bool {
        self.binding.is_none() && self.engine_version.is_some()
    }

    /// Whether the timed loops and the engine start at multiples of 64 bytes.
    #[must_use]
    pub fn is_aligned(&self) -> bool {
        self.put_alignment.unwrap_or(0) == 0 && self.loop_alignment == [0, 0]
    }
}

impl Results {
    /// The backend called `id`, if it took part.
    #[must_use]
    pub fn backend(&self, id: &str) -> Option<&BackendRecord> {
        self.backends.iter().find(|backend| backend.id == id)
    }
}

/// One backend on one workload.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct CaseRecord {
    /// The backend's id.
    pub backend: String,
    /// The workload.
    pub workload: Workload,
    /// Whether it could be measured and everything written was there.
    pub status: Status,
    /// Why not, when `status` is `failed`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub reason: Option<String>,
    /// Time per transaction; absent when failed or not timed.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub time: Option<Time>,
    /// The binding's overhead: time over that of the control on the same engine.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub overhead: Option<Comparison>,
    /// Time over that of `raw-ffi`: what a user would see. For a control this is the engine's
    /// effect.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub relative: Option<Comparison>,
    /// The interval of the A/A twin's ratio on the same workload.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub noise_floor: Option<Interval>,
    /// What was counted instead of timed.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub counts: Option<Counts>,
}

impl CaseRecord {
    /// A case that passed all checks, without anything measured yet.
    #[must_use]
    pub fn ok(backend: &str, workload: Workload) -> Self {
        Self { status: Status::Ok, reason: None, ..Self::failed(backend, workload, String::new()) }
    }

    /// A case that failed; `reason` is kept on one line.
    #[must_use]
    pub fn failed(backend: &str, workload: Workload, reason: String) -> Self {
        let is_plain = !reason.contains(char::is_control);
        let reason = if is_plain { reason } else { reason.replace(char::is_control, " ") };
        Self {
            backend: backend.to_owned(),
            workload,
            status: Status::Failed,
            reason: Some(reason),
            time: None,
            overhead: None,
            relative: None,
            noise_floor: None,
            counts: None,
        }
    }
}

/// What one transaction costs in things that can be counted. Each number is a difference of two
/// runs, of 2n and n transactions, over n: what is not done once per transaction cancels. What could
/// not be counted here is absent.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
pub struct Counts {
    /// n: transactions in the shorter run.
    pub transactions: u64,
    /// Instructions of the process outside the kernel, begin and finish included.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub instructions_per_transaction: Option<f64>,
    /// The same divided by the batch size: begin and finish are shared among the puts.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub instructions_per_put: Option<f64>,
    /// By how much a second difference, of 3n and 2n transactions, is off: 0 in a steady state. Where
    /// it is not, the numbers are means of both.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub instructions_spread: Option<f64>,
    /// Where the instructions of a transaction are spent.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub instructions: Option<Split>,
    /// Rust heap allocations; a reallocation counts as one.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub rust_allocations_per_transaction: Option<f64>,
    /// Bytes that these asked for.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub rust_bytes_per_transaction: Option<f64>,
    /// LMDB's own calls of the C library's allocator.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub c_allocations_per_transaction: Option<f64>,
    /// System calls by kind; commits only.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub system_calls_per_transaction: Option<BTreeMap<String, f64>>,
}

/// Instructions per transaction by the code that executes them; their sum is the total.
#[derive(Debug, Clone, Copy, Default, PartialEq, Serialize, Deserialize)]
pub struct Split {
    /// The worker's own code but LMDB: binding, adapter and the loop around them.
    pub binding: f64,
    /// LMDB.
    pub lmdb: f64,
    /// The C library's allocator.
    pub libc_memory: f64,
    /// The C library's copying and comparing of bytes.
    pub libc_bytes: f64,
    /// The rest of the C library: locks, the way into the kernel.
    pub libc_other: f64,
    /// Everything else, for example the dynamic linker.
    pub other: f64,
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

/// Whether a case could be measured.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Status {
    /// Measured and verified.
    Ok,
    /// Not measured, or what was claimed to be written is not there.
    Failed,
}

/// Time per transaction in nanoseconds, over launches.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Time {
    /// Arithmetic mean.
    pub mean_ns: f64,
    /// Half of the 99.9 % interval of the mean; absent for a single launch.
    pub error_ns: Option<f64>,
    /// Standard deviation; absent for a single launch.
    pub std_dev_ns: Option<f64>,
    /// Median.
    pub median_ns: f64,
    /// The value of every launch, in the order of the blocks.
    pub launches_ns: Vec<f64>,
    /// How many transactions one sample timed.
    pub transactions_per_sample: u64,
}

impl Time {
    /// The times of `launches`, in nanoseconds per transaction; `None` if they are no times.
    #[must_use]
    pub fn new(launches: Vec<f64>, transactions_per_sample: u64) -> Option<Self> {
        let Summary { mean, error, std_dev, median, .. } = Summary::of(&launches).ok()?;
        Some(Self {
            mean_ns: mean,
            error_ns: error,
            std_dev_ns: std_dev,
            median_ns: median,
            launches_ns: launches,
            transactions_per_sample,
        })
    }
}

/// A ratio of two backends on one workload: 1.03 means that the first takes 3 % longer.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Comparison {
    /// The backend in the denominator.
    pub against: String,
    /// The ratio.
    pub estimate: f64,
    /// Lower end of its interval.
    pub low: f64,
    /// Upper end of its interval.
    pub high: f64,
    /// The interval's confidence.
    pub confidence: f64,
    /// What may be said, the number of comparisons and the noise floor taken into account.
    pub verdict: Verdict,
}

impl Comparison {
    /// The record of `estimate`.
    #[must_use]
    pub fn new(against: &str, estimate: &RatioEstimate, verdict: Verdict) -> Self {
        let RatioEstimate { estimate, low, high, confidence, .. } = *estimate;
        Self { against: against.to_owned(), estimate, low, high, confidence, verdict }
    }
}
