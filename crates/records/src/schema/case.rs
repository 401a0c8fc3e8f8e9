//! One backend on one workload.

use std::collections::BTreeMap;
use std::fmt;

use serde::{Deserialize, Serialize};
use statistics::{Interval, RatioEstimate, Summary, Verdict};
use write_backend::Workload;

/// One backend on one workload. Of a file of format 1 the derived fields are those that it holds.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(from = "StoredCase", into = "StoredCase")]
pub struct CaseRecord {
    /// The backend's id.
    pub backend: String,
    /// The workload.
    pub workload: Workload,
    /// Whether it could be measured and everything written was there.
    pub status: Status,
    /// Why not, when `status` is something else than `ok`.
    pub reason: Option<String>,
    /// Time per transaction; absent when not measured or not timed.
    pub time: Option<Time>,
    /// For each block the natural logarithm of this backend's time over that of another one,
    /// [`rounded`], by the other one's id: the control and the reference.
    pub log_ratios: BTreeMap<String, Vec<f64>>,
    /// Derived: the binding's overhead, time over that of the control on the same engine.
    pub overhead: Option<Ratio>,
    /// Derived: time over that of the reference, what a user would see. For a control this is the
    /// engine's effect.
    pub relative: Option<Ratio>,
    /// Derived: the interval of the A/A twin's ratio on the same workload.
    pub noise_floor: Option<Interval>,
    /// What was counted instead of timed.
    pub counts: Option<Counts>,
}

/// A logarithm as it is stored: to six decimals, a millionth of a ratio. No sample is as exact.
#[must_use]
pub fn rounded(log_ratio: f64) -> f64 {
    (log_ratio * 1e6).round() / 1e6
}

impl CaseRecord {
    /// A case that passed all checks, without anything measured yet.
    #[must_use]
    pub fn ok(backend: &str, workload: Workload) -> Self {
        Self {
            backend: backend.to_owned(),
            workload,
            status: Status::Ok,
            reason: None,
            time: None,
            log_ratios: BTreeMap::new(),
            overhead: None,
            relative: None,
            noise_floor: None,
            counts: None,
        }
    }

    /// A case that failed; `reason` is kept on one line.
    #[must_use]
    pub fn failed(backend: &str, workload: Workload, reason: String) -> Self {
        let is_plain = !reason.contains(char::is_control);
        let reason = if is_plain { reason } else { reason.replace(char::is_control, " ") };
        Self { status: Status::Failed, reason: Some(reason), ..Self::ok(backend, workload) }
    }

    /// A case that the backend does not offer, and why.
    #[must_use]
    pub fn not_offered(backend: &str, workload: Workload, reason: String) -> Self {
        Self { status: Status::NotOffered, ..Self::failed(backend, workload, reason) }
    }
}

/// Whether a case could be measured.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Status {
    /// Measured and verified.
    Ok,
    /// Not measured, or what was claimed to be written is not there.
    Failed,
    /// The backend lacks what the workload asks for.
    NotOffered,
}

impl fmt::Display for Status {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(match self {
            Self::Ok => "ok",
            Self::Failed => "failed",
            Self::NotOffered => "not offered",
        })
    }
}

/// A case as files hold it: what was observed.
#[derive(Debug, Clone, Serialize, Deserialize)]
struct StoredCase {
    backend: String,
    workload: Workload,
    status: Status,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    reason: Option<String>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    launches_ns: Option<Vec<f64>>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    transactions_per_sample: Option<u64>,
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    log_ratios: BTreeMap<String, Vec<f64>>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    counts: Option<Counts>,
    /// This and the following: format 1 only.
    #[serde(default, skip_serializing)]
    time: Option<Time>,
    #[serde(default, skip_serializing)]
    overhead: Option<Ratio>,
    #[serde(default, skip_serializing)]
    relative: Option<Ratio>,
    #[serde(default, skip_serializing)]
    noise_floor: Option<Interval>,
}

impl From<StoredCase> for CaseRecord {
    fn from(stored: StoredCase) -> Self {
        let per_sample = stored.transactions_per_sample.unwrap_or(0);
        let time = stored.launches_ns.map(|launches| Time::of(launches, per_sample));
        Self {
            backend: stored.backend,
            workload: stored.workload,
            status: stored.status,
            reason: stored.reason,
            time: stored.time.or(time),
            log_ratios: stored.log_ratios,
            overhead: stored.overhead,
            relative: stored.relative,
            noise_floor: stored.noise_floor,
            counts: stored.counts,
        }
    }
}

impl From<CaseRecord> for StoredCase {
    fn from(case: CaseRecord) -> Self {
        let (launches_ns, transactions_per_sample) =
            case.time.map(|it| (it.launches_ns, it.transactions_per_sample)).unzip();
        Self {
            backend: case.backend,
            workload: case.workload,
            status: case.status,
            reason: case.reason,
            launches_ns,
            transactions_per_sample,
            log_ratios: case.log_ratios,
            counts: case.counts,
            time: None,
            overhead: None,
            relative: None,
            noise_floor: None,
        }
    }
}

/// Time per transaction in nanoseconds, over launches.
#[derive(Debug, Clone, PartialEq, Deserialize)]
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
        Some(Self::of(launches, transactions_per_sample)).filter(|time| time.mean_ns.is_finite())
    }

    /// The same, also of what a file holds and its check will refuse: then without any number.
    fn of(launches_ns: Vec<f64>, transactions_per_sample: u64) -> Self {
        let (nan, count) = (f64::NAN, launches_ns.len());
        let none = Summary { mean: nan, error: None, std_dev: None, median: nan, count };
        let Summary { mean, error, std_dev, median, .. } =
            Summary::of(&launches_ns).unwrap_or(none);
        Self {
            mean_ns: mean,
            error_ns: error,
            std_dev_ns: std_dev,
            median_ns: median,
            launches_ns,
            transactions_per_sample,
        }
    }
}

/// A ratio of two backends on one workload: 1.03 means that the first takes 3 % longer.
#[derive(Debug, Clone, PartialEq, Deserialize)]
pub struct Ratio {
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
    /// What may be said, the number of ratios in the run and the noise floor taken into account.
    pub verdict: Verdict,
    /// The spread (standard deviation) of the ratio over link orders, as a part of 1: what one build may
    /// be off by. Of all workloads together that differ in the value size alone.
    #[serde(default)]
    pub luck: Option<f64>,
}

impl Ratio {
    /// The ratio with this estimate.
    #[must_use]
    pub fn new(
        against: &str,
        estimate: &RatioEstimate,
        verdict: Verdict,
        luck: Option<f64>,
    ) -> Self {
        let RatioEstimate { estimate, low, high, confidence, .. } = *estimate;
        Self { against: against.to_owned(), estimate, low, high, confidence, verdict, luck }
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
    /// Derived: the same divided by the batch size. Begin and finish are shared among the puts.
    #[serde(default, skip_serializing)]
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
    /// The worker's own code except LMDB: binding, adapter and the loop around them.
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
