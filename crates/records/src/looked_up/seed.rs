//! The numbers of the benchmark this project grew from, as its authors published them.

use std::collections::HashSet;

use serde::{Deserialize, Serialize};

use crate::check::once;
use crate::invalid::{Invalid, above_zero, at_least_one, each, not_empty, not_negative};
use crate::store::Stored;

/// The version of the format.
pub const SCHEMA: u32 = 1;

/// All that was published.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Seed {
    /// [`SCHEMA`].
    pub schema: u32,
    /// Where the numbers are from.
    pub source: String,
    /// The author's words that nothing was committed.
    pub never_committed: String,
    /// The tables in the order in which they were published.
    pub tables: Vec<SeedTable>,
}

/// One table.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct SeedTable {
    /// A short name, for the head of a column.
    pub label: String,
    /// Who measured.
    pub who: String,
    /// The machine in their words.
    pub machine: String,
    /// The branch of the binding that was measured, where that was said.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub branch: Option<String>,
    /// The rows.
    pub rows: Vec<SeedRow>,
}

/// One row: the mean of one transaction with all its puts.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct SeedRow {
    /// Puts per transaction.
    pub batch_size: usize,
    /// Bytes per value.
    pub write_size: usize,
    /// Whether keys were sequential.
    pub sequential_keys: bool,
    /// Mean in microseconds.
    pub mean_us: f64,
    /// Half of the 99.9 % interval of the mean (`BenchmarkDotNet`), microseconds.
    pub error_us: f64,
    /// Standard deviation, microseconds.
    pub std_dev_us: f64,
    /// Median in microseconds, where it was published.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub median_us: Option<f64>,
    /// Collections of the youngest generation per 1000 transactions (`BenchmarkDotNet`).
    pub gen0_per_1000: f64,
    /// Managed memory allocated per transaction, bytes.
    pub allocated_bytes: u64,
}

impl Seed {
    /// The table of a branch.
    #[must_use]
    pub fn branch(&self, name: &str) -> Option<&SeedTable> {
        self.tables.iter().find(|table| table.branch.as_deref() == Some(name))
    }
}

impl SeedTable {
    /// The row of a batch size and a value size.
    #[must_use]
    pub fn row(&self, batch_size: usize, write_size: usize) -> Option<&SeedRow> {
        self.rows.iter().find(|row| row.batch_size == batch_size && row.write_size == write_size)
    }
}

impl Stored for Seed {
    const KIND: &'static str = "table of published numbers";
    const SCHEMA: u32 = SCHEMA;

    fn check(&self) -> Result<(), Invalid> {
        not_empty("source", &self.source)?;
        not_empty("never_committed", &self.never_committed)?;
        each("tables", &self.tables, |table| {
            for (field, text) in
                [("label", &table.label), ("who", &table.who), ("machine", &table.machine)]
            {
                not_empty(field, text)?;
            }
            let mut seen = HashSet::new();
            each("rows", &table.rows, |row| {
                at_least_one("batch_size", row.batch_size as u64)?;
                above_zero("mean_us", row.mean_us)?;
                not_negative("error_us", row.error_us)?;
                not_negative("std_dev_us", row.std_dev_us)?;
                row.median_us.map_or(Ok(()), |median| above_zero("median_us", median))?;
                not_negative("gen0_per_1000", row.gen0_per_1000)?;
                once("batch_size", seen.insert((row.batch_size, row.write_size)))
            })
        })
    }
}

/// The stored file.
///
/// # Panics
/// When it cannot be read.
#[cfg(any(test, feature = "testing"))]
#[must_use]
pub fn stored() -> Seed {
    let text = include_bytes!("../../../../results/seed/seed.json");
    crate::store::parse(text, std::path::Path::new("seed.json")).unwrap()
}
