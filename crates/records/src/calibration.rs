//! What a calibration found, as data.

use serde::{Deserialize, Serialize};
use statistics::median;
use write_backend::{Finish, Workload};

use crate::check::started;
use crate::host::Host;
use crate::invalid::{Invalid, above_zero, at_most, confidence, each, not_empty, not_negative};
use crate::store::Stored;

/// The version of the format.
pub const SCHEMA: u32 = 1;

/// A calibration of one machine.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Calibration {
    /// [`SCHEMA`] of the program that wrote it.
    pub schema: u32,
    /// When it started: seconds since 1970-01-01 00:00 UTC.
    pub started_unix: u64,
    /// The machine.
    pub host: Host,
    /// The seed of all randomness.
    pub seed: u64,
    /// The confidence of all intervals.
    pub confidence: f64,
    /// The half-width of intervals that was asked for, as a part of 1; absent where the number of
    /// launches was given.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub precision: Option<f64>,
    /// Launches of each worker.
    pub launches: usize,
    /// How long the twins' trial took, in seconds.
    pub seconds: f64,
    /// Equal against equal.
    pub equal: Equal,
    /// Equal against slowed, by finish and slowdown.
    pub slowed: Vec<Slowed>,
    /// The same source at other addresses. Files hold it that were made before each launch had a link
    /// order of its own.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub layout: Vec<Layout>,
}

/// Comparisons of a backend with itself.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
pub struct Equal {
    /// How many there were, no two with a launch in common.
    pub comparisons: usize,
    /// How many had an interval that excluded 1.
    pub excluded: usize,
    /// The median half-width of their intervals, as a part of 1.
    pub median_half_width: f64,
}

/// Comparisons of a backend with itself slowed by a known amount.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
pub struct Slowed {
    /// How transactions ended.
    pub finish: Finish,
    /// The slowdown in percent.
    pub percent: u64,
    /// How many comparisons there were, one for each workload.
    pub comparisons: usize,
    /// How many had an interval above 1.
    pub excluded: usize,
    /// How many were called slower by the rules of a report in which nothing else differs.
    pub claimed: usize,
    /// The median of their estimates.
    pub median_estimate: f64,
}

/// One backend on one workload, its code moved by several amounts.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Layout {
    /// Whether functions were aligned to 64 bytes, as in this workspace, or as compilers do by
    /// themselves, as in a user's own build.
    pub aligned: bool,
    /// The backend.
    pub backend: String,
    /// The workload.
    pub workload: Workload,
    /// The time of each moved worker over that of the one that was not moved.
    pub ratios: Vec<f64>,
    /// The standard deviation of their logarithms, as a part of 1.
    pub spread: f64,
    /// How many were outside the noise floor, with an interval that excluded 1.
    pub outside: usize,
}

impl Calibration {
    /// The median spread of the layout trial's rows that `chosen` admits, as a part of 1.
    #[must_use]
    pub fn median_spread(&self, chosen: impl Fn(&Layout) -> bool) -> Option<f64> {
        median(self.layout.iter().filter(|row| chosen(row)).map(|row| row.spread).collect())
    }
}

impl Stored for Calibration {
    const KIND: &'static str = "calibration";
    const SCHEMA: u32 = SCHEMA;

    fn check(&self) -> Result<(), Invalid> {
        started(self.started_unix)?;
        confidence("confidence", self.confidence)?;
        self.precision.map_or(Ok(()), |it| above_zero("precision", it))?;
        not_negative("seconds", self.seconds)?;
        let part = |field: &str, part: usize, whole: usize, of: &str| {
            at_most(field, part as u64, whole as u64, of)
        };
        let equal = &self.equal;
        part("equal.excluded", equal.excluded, equal.comparisons, "comparisons")?;
        not_negative("equal.median_half_width", equal.median_half_width)?;
        each("slowed", &self.slowed, |it| {
            part("excluded", it.excluded, it.comparisons, "comparisons")?;
            part("claimed", it.claimed, it.comparisons, "comparisons")?;
            above_zero("median_estimate", it.median_estimate)
        })?;
        each("layout", &self.layout, |it| {
            not_empty("backend", &it.backend)?;
            it.ratios.iter().try_for_each(|ratio| above_zero("ratios", *ratio))?;
            not_negative("spread", it.spread)
        })
    }
}
