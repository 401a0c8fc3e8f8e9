//! What differs between two runs, case by case.

use std::collections::HashMap;

use write_backend::Workload;

use crate::comparable::Mismatch;
use crate::counts::check;
use crate::formats::listing::Listing;
use crate::section::Section;
use crate::table::{Align, Cell, Table};
use crate::units;
use records::day::Day;
use records::schema::{CaseRecord, Ratio, Results};
use statistics::{self, Interval, RatioEstimate, Verdict};

mod tables;

use tables::{OVERHEADS, TIMES, sections, summary};

/// One of the two runs.
#[derive(Debug, Clone, Copy)]
pub struct Run<'a> {
    /// How the user named it.
    pub name: &'a str,
    /// What it measured.
    pub results: &'a Results,
}

const SUMMARY: &str = "\"B / A\" is the geometric mean over workloads, Range its lowest and highest \
     workload. The counts are of workloads by verdict.";

/// The differences of `b` from `a`; `mismatches` are what the two were found to differ in.
///
/// # Errors
/// When there is nothing that both measured.
pub fn listing(a: Run<'_>, b: Run<'_>, mismatches: &[Mismatch]) -> Result<Listing, String> {
    let [x, y] = [a, b].map(|run| run.results.producer.as_str());
    if x != y {
        return Err(format!(
            "{} is of `{x}`, {} of `{y}`: they have nothing in common",
            a.name, b.name
        ));
    }
    let mut listing = Listing::new(format!("{} (A) and {} (B)", a.name, b.name), lines(a, b));
    let differs = mismatches.iter().map(|it| format!("**They differ in {it}**"));
    listing.lines.extend(differs);
    if x == "counts" {
        listing.sections.push(counted(a.results, b.results)?);
    } else {
        listing.sections.extend(timed(a.results, b.results)?);
    }
    Ok(listing)
}

fn lines(a: Run<'_>, b: Run<'_>) -> Vec<String> {
    let place = |letter: &str, run: Run<'_>| {
        let host = &run.results.host;
        let day = Day::of_unix(run.results.started_unix);
        format!("{letter}: {}, {day}: {}, {}", run.name, host.cpu, host.system)
    };
    let mut lines = vec![place("A", a), place("B", b)];
    let [x, y] = [a, b].map(|run| (&run.results.host.cpu, &run.results.host.name));
    if x != y && a.results.producer != "counts" {
        lines.push(
            "**Two machines: times differ for reasons that are no binding's. Compare the overheads**"
                .to_owned(),
        );
    }
    lines
}

/// A case of both runs, and its ratio of B over A.
struct Pair<'a> {
    a: &'a CaseRecord,
    /// What stands under A and under B.
    values: [f64; 2],
    ratio: Result<RatioEstimate, String>,
    floor: Option<Interval>,
}

fn timed(a: &Results, b: &Results) -> Result<Vec<Section>, String> {
    let others: HashMap<(&str, Workload), &CaseRecord> =
        b.cases.iter().map(|case| ((case.backend.as_str(), case.workload), case)).collect();
    let both: Vec<(&CaseRecord, &CaseRecord)> = a
        .cases
        .iter()
        .filter_map(|case| Some((case, *others.get(&(case.backend.as_str(), case.workload))?)))
        .collect();
    if both.is_empty() {
        return Err("the two have no case in common".to_owned());
    }
    let confidence = a.options.confidence;
    let times: Vec<Pair<'_>> = both.iter().filter_map(|it| time(it, confidence)).collect();
    let overheads: Vec<Pair<'_>> = both.iter().filter_map(overhead).collect();
    let times_judged = judge(&times, confidence);
    let mut found = sections(&TIMES, &times, &times_judged);
    found.extend(sections(&OVERHEADS, &overheads, &judge(&overheads, confidence)));
    let mut last = Section::new("Times by backend", SUMMARY, summary(&times, &times_judged));
    last.notes = both.iter().flat_map(|(a, b)| failures(a, b)).collect();
    found.push(last);
    Ok(found)
}

fn time<'a>((a, b): &(&'a CaseRecord, &'a CaseRecord), confidence: f64) -> Option<Pair<'a>> {
    let (before, after) = (a.time.as_ref()?, b.time.as_ref()?);
    let ratio = statistics::between_runs(&after.launches_ns, &before.launches_ns, confidence);
    // The wider of the two floors: what either run cannot tell from a bias, both cannot.
    let floor = match (a.noise_floor, b.noise_floor) {
        (Some(a), Some(b)) => Some(Interval { low: a.low.min(b.low), high: a.high.max(b.high) }),
        (one, other) => one.or(other),
    };
    let values = [before.median_ns, after.median_ns];
    Some(Pair { a, values, ratio: ratio.map_err(|error| error.to_string()), floor })
}

/// The interval of a ratio that was stored already respects its floor no further: none is asked of
/// the change again, since a bias of the workload is in both.
fn overhead<'a>((a, b): &(&'a CaseRecord, &'a CaseRecord)) -> Option<Pair<'a>> {
    let (before, after) = (a.overhead.as_ref()?, b.overhead.as_ref()?);
    let with_interval = |it: &Ratio| (it.estimate, Interval { low: it.low, high: it.high });
    let ratio = if before.confidence.to_bits() == after.confidence.to_bits() {
        statistics::ratio_of_ratios(with_interval(after), with_interval(before), before.confidence)
            .map_err(|error| error.to_string())
    } else {
        Err("intervals of two confidences".to_owned())
    };
    Some(Pair { a, values: [before.estimate, after.estimate], ratio, floor: None })
}

/// Verdicts in the order of `pairs`; `None` where there is no interval.
fn judge(pairs: &[Pair<'_>], confidence: f64) -> Vec<Option<Verdict>> {
    let family: Vec<statistics::Difference> = pairs
        .iter()
        .filter_map(|pair| {
            let estimate = pair.ratio.as_ref().ok().copied()?;
            Some(statistics::Difference { estimate, floor: pair.floor })
        })
        .collect();
    // The estimates come from the same module, so it does not refuse them.
    let verdicts = statistics::verdicts(&family, confidence)
        .unwrap_or_else(|_| vec![Verdict::NoDifferenceFound; family.len()]);
    let mut verdicts = verdicts.into_iter();
    pairs.iter().map(|pair| pair.ratio.as_ref().ok().and_then(|_| verdicts.next())).collect()
}

fn failures(a: &CaseRecord, b: &CaseRecord) -> Vec<String> {
    let name = format!("{}/{}", a.workload, a.backend);
    let failed = |letter: &str, case: &CaseRecord| {
        let reason = case.reason.as_ref()?;
        Some(format!("{} in {letter}: {name}: {reason}", case.status))
    };
    [failed("A", a), failed("B", b)].into_iter().flatten().collect()
}

/// Counts repeat to the last digit, so every difference is one.
fn counted(a: &Results, b: &Results) -> Result<Section, String> {
    let found = check::compare(a, b, 0.0)?;
    let columns = [
        ("Case", Align::Left),
        ("What", Align::Left),
        ("A", Align::Right),
        ("B", Align::Right),
        ("Change", Align::Right),
    ];
    let keys = ["case", "what", "a", "b", "change_percent"];
    let mut table = Table::new(&columns).keyed(&keys).identified_by(2);
    let number = |value: Option<f64>| {
        value.map_or_else(Cell::absent, |value| Cell::number(check::plain(value), value))
    };
    for change in &found.changes {
        let percent = match (change.before, change.now) {
            (Some(before), Some(now)) if before != 0.0 => Some((now / before - 1.0) * 100.0),
            _ => None,
        };
        table.row([
            change.case.clone().into(),
            change.what.clone().into(),
            number(change.before),
            number(change.now),
            percent.map_or_else(Cell::absent, |it| Cell::number(format!("{it:+.2} %"), it)),
        ]);
    }
    let cases = units::counted(found.cases, "case", "cases");
    let changes = units::counted(found.changes.len(), "number", "numbers");
    let mut about =
        format!("Of {cases} in both {changes} differ. Counts repeat to the last digit.");
    if !found.whole {
        about += " Instructions in LMDB and the C library were not compared: compiler, C library or \
                  valgrind are other ones.";
    }
    Ok(Section::new("Counts", about, table))
}

#[cfg(test)]
#[path = "difference/tests.rs"]
mod tests;
