//! Launches in, records out: times, ratios, verdicts. Pure.

use crate::compare::plan::Role;
use crate::compare::scheduler::Series;
use records::schema::{CaseRecord, Comparison, Time};
use statistics::{self, Interval, RatioEstimate, median_half_width, verdicts};

/// The records of all backends of all series, twins left out, in the order of the series. Of an
/// interrupted run only what was measured or has failed: nothing can be said of the others.
///
/// All ratios of a run, overheads and relatives, are one family of comparisons for the verdicts;
/// see [`verdicts`] for the rules. A ratio against the same denominator in both columns counts once.
#[must_use]
pub fn records(series: &[Series], confidence: f64) -> Vec<CaseRecord> {
    let ratios: Vec<Ratio<'_>> =
        series.iter().enumerate().flat_map(|(index, it)| ratios(index, it, confidence)).collect();
    let judged = judge(&ratios, confidence);
    let mut records = Vec::new();
    for (index, series) in series.iter().enumerate() {
        let floor = floor(series, confidence);
        for (entry, row) in series.group.entries.iter().enumerate() {
            if row.role != Role::Backend {
                continue;
            }
            let mut record = record(series, entry);
            let against = |denominator: Option<&str>| {
                let place = ratios.iter().position(|ratio| {
                    (ratio.series, ratio.entry) == (index, entry)
                        && Some(ratio.against) == denominator
                })?;
                let Ratio { against, estimate, .. } = &ratios[place];
                Some(Comparison::new(against, estimate, judged[place]))
            };
            if record.time.is_some() {
                record.overhead = against(row.backend.control.as_deref());
                record.relative = against(Some(reference(series)));
                record.noise_floor = floor;
            }
            records.extend(Some(record).filter(|it| it.time.is_some() || it.reason.is_some()));
        }
    }
    records
}

/// The median half-width of the overhead intervals, as a part of 1: what `--precision` is about.
#[must_use]
pub fn precision(series: &[Series], confidence: f64) -> Option<f64> {
    let estimates: Vec<RatioEstimate> = series
        .iter()
        .enumerate()
        .flat_map(|(index, it)| ratios(index, it, confidence))
        .filter(|ratio| ratio.is_overhead)
        .map(|ratio| ratio.estimate)
        .collect();
    median_half_width(&estimates)
}

/// The interval of the A/A twin's ratio.
#[must_use]
pub fn floor(series: &Series, confidence: f64) -> Option<Interval> {
    let twin = series.group.entries.iter().position(|entry| entry.role == Role::Twin)?;
    let own = position(series, &series.group.entries[twin].backend.id)?;
    estimate(series, twin, own, confidence).map(|estimate| estimate.interval())
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
    let ratios = series.ratios(numerator, denominator);
    let ones = vec![1.0; ratios.len()];
    RatioEstimate::from_pairs(&ratios, &ones, confidence).ok()
}

/// One ratio of a run.
struct Ratio<'all> {
    series: usize,
    entry: usize,
    against: &'all str,
    /// Whether it is the binding's overhead; both questions may have one ratio for their answer.
    is_overhead: bool,
    estimate: RatioEstimate,
    floor: Option<Interval>,
}

fn ratios(index: usize, series: &Series, confidence: f64) -> Vec<Ratio<'_>> {
    let floor = floor(series, confidence);
    let mut found = Vec::new();
    for (entry, row) in series.group.entries.iter().enumerate() {
        // A failed entry has no numbers, and a backend without an engine nothing to compare.
        let compared =
            row.role == Role::Backend && series.failures[entry].is_none() && row.backend.stores();
        if !compared {
            continue;
        }
        let control = row.backend.control.as_deref();
        let reference =
            Some(reference(series)).filter(|id| *id != row.backend.id && control != Some(*id));
        for against in [control, reference].into_iter().flatten() {
            let denominator = position(series, against)
                .filter(|denominator| series.failures[*denominator].is_none());
            let Some(denominator) = denominator else { continue };
            if let Some(estimate) = estimate(series, entry, denominator, confidence) {
                let is_overhead = control == Some(against);
                found.push(Ratio { series: index, entry, against, is_overhead, estimate, floor });
            }
        }
    }
    found
}

fn judge(ratios: &[Ratio<'_>], confidence: f64) -> Vec<statistics::Verdict> {
    let family: Vec<statistics::Comparison> = ratios
        .iter()
        .map(|Ratio { estimate, floor, .. }| statistics::Comparison {
            estimate: *estimate,
            floor: *floor,
        })
        .collect();
    // The estimates come from the same module, so it does not refuse them.
    verdicts(&family, confidence)
        .unwrap_or_else(|_| vec![statistics::Verdict::NoDifferenceFound; ratios.len()])
}

/// The backend that all others are compared with: the first of every group.
fn reference(series: &Series) -> &str {
    &series.group.entries[0].backend.id
}

/// The entry that stands for the backend `id` itself.
fn position(series: &Series, id: &str) -> Option<usize> {
    let entries = &series.group.entries;
    entries.iter().position(|entry| entry.backend.id == id && entry.role == Role::Backend)
}

/// The record of an entry without its ratios.
fn record(series: &Series, entry: usize) -> CaseRecord {
    let id = &series.group.entries[entry].backend.id;
    let workload = series.group.workload;
    if let Some(unmeasured) = &series.failures[entry] {
        return unmeasured.clone().record(id, workload);
    }
    let time = Time::new(series.times(entry), series.transactions);
    CaseRecord { time, ..CaseRecord::ok(id, workload) }
}
