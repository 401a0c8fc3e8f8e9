//! Launches in, records out: times, and the log ratio of every block. Pure.

use std::collections::BTreeMap;

use crate::compare::plan::{Entry, Role};
use crate::compare::scheduler::Series;
use records::schema::{CaseRecord, Time, TwinRecord, rounded};
use statistics::{RatioEstimate, median_half_width};

/// The records of all backends of all series, twins left out, in the order of the series. Of an
/// interrupted run only what was measured or has failed: nothing can be said of the others.
#[must_use]
pub fn records(series: &[Series]) -> Vec<CaseRecord> {
    let mut records = Vec::new();
    for series in series {
        for (entry, row) in series.group.entries.iter().enumerate() {
            let record = (row.role == Role::Backend).then(|| record(series, entry));
            records.extend(record.filter(|it| it.time.is_some() || it.reason.is_some()));
        }
    }
    records
}

/// What the entries of `role`, which take part beside their backend, differ from it by: twins or echoes.
pub fn twins(series: &[Series], role: Role) -> Vec<TwinRecord> {
    let twins = |series: &Series| -> Vec<TwinRecord> {
        let entries = series.group.entries.iter().enumerate();
        let twin = |(twin, Entry { backend, workload, .. }): (usize, &Entry)| {
            let own = series.group.own(&backend.id, workload)?;
            Some(TwinRecord { workload: *workload, log_ratios: stored(series, twin, own)? })
        };
        entries.filter(|(_, entry)| entry.role == role).filter_map(twin).collect()
    };
    series.iter().flat_map(twins).collect()
}

/// The median half-width of the overhead intervals, as a part of 1: what `--precision` is about.
#[must_use]
pub fn precision(series: &[Series], confidence: f64) -> Option<f64> {
    let overheads = |series: &Series| -> Vec<RatioEstimate> {
        let overhead = |(entry, under, id): (usize, usize, &str)| {
            let is_overhead = series.group.entries[entry].backend.control.as_deref() == Some(id);
            is_overhead.then(|| estimate(series, entry, under, confidence)).flatten()
        };
        (0..series.group.entries.len())
            .flat_map(|entry| denominators(series, entry))
            .filter_map(overhead)
            .collect()
    };
    let estimates: Vec<RatioEstimate> = series.iter().flat_map(overheads).collect();
    median_half_width(&estimates)
}

/// The ratio of two entries over the blocks in which both took part; `None` when there are too few,
/// or no such entries.
#[must_use]
pub fn estimate(
    series: &Series,
    numerator: usize,
    denominator: usize,
    confidence: f64,
) -> Option<RatioEstimate> {
    RatioEstimate::from_log_ratios(&series.log_ratios(numerator, denominator), confidence).ok()
}

/// What `entry` is compared with, its control and the reference: entry, the other's entry and id. A
/// failed entry has no numbers, and a backend without an engine nothing to compare.
fn denominators(series: &Series, entry: usize) -> Vec<(usize, usize, &str)> {
    let row = &series.group.entries[entry];
    let is_compared =
        row.role == Role::Backend && series.failures[entry].is_none() && row.backend.stores();
    let control = row.backend.control.as_deref();
    let first = &*series.group.entries[0].backend.id;
    let reference = Some(first).filter(|id| *id != row.backend.id && control != Some(*id));
    let ids = [control, reference].into_iter().flatten().filter(|_| is_compared);
    ids.filter_map(|id| {
        let under = series.group.own(id, &row.workload);
        let under = under.filter(|under| series.failures[*under].is_none())?;
        Some((entry, under, id))
    })
    .collect()
}

/// The log ratios of two entries as they are stored; `None` if there are none.
fn stored(series: &Series, over: usize, under: usize) -> Option<Vec<f64>> {
    let logs: Vec<f64> = series.log_ratios(over, under).into_iter().map(rounded).collect();
    Some(logs).filter(|logs| !logs.is_empty())
}

fn record(series: &Series, entry: usize) -> CaseRecord {
    let Entry { backend, workload, .. } = &series.group.entries[entry];
    let (id, workload) = (&backend.id, *workload);
    if let Some(unmeasured) = &series.failures[entry] {
        return unmeasured.clone().record(id, workload);
    }
    let ratio = |(over, under, id): (usize, usize, &str)| {
        Some((id.to_owned(), stored(series, over, under)?))
    };
    let log_ratios: BTreeMap<_, _> =
        denominators(series, entry).into_iter().filter_map(ratio).collect();
    let time = Time::new(series.times(entry), series.transactions);
    CaseRecord { time, log_ratios, ..CaseRecord::ok(id, workload) }
}
