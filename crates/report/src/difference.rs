//! What differs between two runs, case by case.

use write_backend::Workload;

use crate::comparable::Mismatch;
use crate::counts::check;
use crate::groups::{AVERAGED, WorkloadTable, groups_over, over};
use crate::header;
use crate::table::{Cell, Column, Field, Listing, Section, Table};
use crate::times;
use crate::units;
use crate::view::View;
use records::names::Day;
use records::quality;
use records::schema::{CaseRecord, Ratio};
use statistics::{self, GeometricMean, Interval, RatioEstimate, Verdict};

/// One of the two runs.
#[derive(Debug, Clone, Copy)]
pub struct Run<'a> {
    /// How the user named it.
    pub name: &'a str,
    /// What it measured.
    pub view: &'a View<'a>,
}

/// The differences of `b` from `a`; `mismatches` are what the two were found to differ in.
///
/// # Errors
/// When there is nothing that both measured.
pub fn listing(a: Run<'_>, b: Run<'_>, mismatches: &[Mismatch]) -> Result<Listing, String> {
    let [x, y] = [a, b].map(|run| run.view.results.producer.as_str());
    if x != y {
        return Err(format!(
            "{} is of `{x}`, {} of `{y}`: they have nothing in common",
            a.name, b.name
        ));
    }
    let mut lines = lines(a, b);
    lines.extend(mismatches.iter().map(|it| format!("**They differ in {it}**")));
    let sections = if x == "counts" { vec![counted(a, b)?] } else { timed(a.view, b.view)? };
    Ok(Listing { title: format!("{} (A) and {} (B)", a.name, b.name), lines, sections })
}

fn lines(a: Run<'_>, b: Run<'_>) -> Vec<String> {
    let line = |(letter, run): (&str, Run<'_>)| {
        let results = run.view.results;
        let (day, host) = (Day::of_unix(results.started_unix), &results.host);
        format!("{letter}: {}, {day}: {}, {}", run.name, header::machine(host), host.system)
    };
    let mut lines = [("A", a), ("B", b)].map(line).to_vec();
    for (letter, run) in [("A", a), ("B", b)] {
        let marks = quality::one_link_order(run.view.results);
        lines.extend(marks.iter().map(|mark| format!("**{letter}: {mark}**")));
    }
    let [x, y] = [a, b].map(|run| &run.view.results.host);
    if (&x.cpu, &x.name) != (&y.cpu, &y.name) && a.view.results.producer != "counts" {
        lines.push(
            "**Two machines: times differ for reasons that are not the bindings'. Compare the \
             overheads**"
                .to_owned(),
        );
    }
    lines
}

/// A case of both runs, and its ratio of B over A.
struct Pair<'a> {
    case: &'a CaseRecord,
    /// What stands under A and under B.
    values: [f64; 2],
    ratio: Result<RatioEstimate, String>,
    floor: Option<Interval>,
    /// `None` where there is no interval.
    verdict: Option<Verdict>,
}

/// What is compared, and the words for it.
struct Compared {
    title: &'static str,
    about: &'static str,
    /// What stands under A and under B: headings, and keys for programs.
    headings: [&'static str; 2],
    keys: [&'static str; 2],
    text: fn(f64) -> String,
}

const TIMES: Compared = Compared {
    title: "Times",
    about: "Median time per transaction in A and in B. \"B / A\" is estimated from the launches of \
            both, which are not paired (Hodges and Lehmann; interval of the rank-sum test): below 1 B \
            is faster. Verdicts keep the share of false claims among those about times below 1 - \
            confidence and respect the noise floors of both runs. What slowed the machine during one \
            of the runs is part of the difference, and no interval shows it.",
    headings: ["Median A", "Median B"],
    keys: ["median_a_ns", "median_b_ns"],
    text: units::time,
};

const OVERHEADS: Compared = Compared {
    title: "Overheads",
    about: "Time over that of raw FFI on the same LMDB, in A and in B, and how much it changed: \
            `slower` means that the overhead is larger in B. What slows a machine as a whole cancels \
            in an overhead, so that it can be compared between runs, and with care between machines.",
    headings: ["A", "B"],
    keys: ["overhead_a", "overhead_b"],
    text: units::ratio,
};

fn timed(a: &View<'_>, b: &View<'_>) -> Result<Vec<Section>, String> {
    let both: Vec<(&CaseRecord, &CaseRecord)> =
        a.cases().filter_map(|case| Some((case, b.case(&case.backend, &case.workload)?))).collect();
    if both.is_empty() {
        return Err("the two have no case in common".to_owned());
    }
    let confidence = a.results.options.confidence;
    let times = judged(both.iter().filter_map(|it| time(it, confidence)).collect(), confidence);
    let overheads = judged(both.iter().filter_map(overhead).collect(), confidence);
    let mut found = vec![section(&TIMES, &times), section(&OVERHEADS, &overheads), summary(&times)];
    found.retain(|section| !section.table.is_empty());
    if let Some(last) = found.last_mut() {
        last.notes = both.iter().flat_map(|(a, b)| reasons(a, b)).collect();
    }
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
    let ratio = ratio.map_err(|error| error.to_string());
    Some(Pair { case: a, values, ratio, floor, verdict: None })
}

/// The change of an overhead has no floor: a bias of the workload is in both.
fn overhead<'a>((a, b): &(&'a CaseRecord, &'a CaseRecord)) -> Option<Pair<'a>> {
    let (before, after) = (a.overhead.as_ref()?, b.overhead.as_ref()?);
    let with_interval =
        |ratio: &Ratio| (ratio.estimate, Interval { low: ratio.low, high: ratio.high });
    let ratio = if before.confidence.to_bits() == after.confidence.to_bits() {
        statistics::ratio_of_ratios(with_interval(after), with_interval(before), before.confidence)
            .map_err(|error| error.to_string())
    } else {
        Err("intervals of two confidences".to_owned())
    };
    let values = [before.estimate, after.estimate];
    Some(Pair { case: a, values, ratio, floor: None, verdict: None })
}

/// `pairs` with their verdicts, which are about all of them together.
fn judged(mut pairs: Vec<Pair<'_>>, confidence: f64) -> Vec<Pair<'_>> {
    let claim = |pair: &Pair<'_>| {
        let estimate = pair.ratio.as_ref().ok().copied()?;
        Some(statistics::Difference { estimate, floor: pair.floor })
    };
    let family: Vec<statistics::Difference> = pairs.iter().filter_map(claim).collect();
    // The estimates come from the same crate, so it does not refuse them.
    let verdicts = statistics::verdicts(&family, confidence)
        .unwrap_or_else(|_| vec![Verdict::NoDifferenceFound; family.len()]);
    let with_ratio = pairs.iter_mut().filter(|pair| pair.ratio.is_ok());
    with_ratio.zip(verdicts).for_each(|(pair, verdict)| pair.verdict = Some(verdict));
    pairs
}

/// The workloads of `pairs`, each once.
fn workloads(pairs: &[Pair<'_>]) -> Vec<Workload> {
    let mut workloads: Vec<Workload> = pairs.iter().map(|pair| pair.case.workload).collect();
    workloads.dedup();
    workloads
}

/// One row per pair, in their order.
fn section(compared: &Compared, pairs: &[Pair<'_>]) -> Section {
    let values = [0, 1].map(|i| Column::right(compared.headings[i]).keys(&[compared.keys[i]]));
    let numbers = values.into_iter().chain([
        Column::right("B / A").keys(&["ratio"]),
        Column::left("Interval").keys(&["low", "high"]),
        Column::left("Verdict"),
    ]);
    let names = [Column::left("Backend").keys(&["backend", "workload"])];
    let mut table = WorkloadTable::new(&workloads(pairs), &[], names, numbers);
    for pair in pairs {
        let CaseRecord { backend, workload, .. } = pair.case;
        let name = [backend.clone(), workload.to_string()].map(Field::Text);
        let mut cells =
            pair.values.map(|value| Cell::number((compared.text)(value), value)).to_vec();
        let number = |value: f64| Cell::number(units::ratio(value), value);
        match (&pair.ratio, pair.verdict) {
            (Ok(ratio), Some(verdict)) => cells.extend([
                number(ratio.estimate),
                Cell::interval(ratio.low, ratio.high),
                verdict.to_string().into(),
            ]),
            (ratio, _) => cells.extend([
                number(pair.values[1] / pair.values[0]),
                Cell::absent(),
                Cell::fields(ratio.as_ref().err().cloned().unwrap_or_default(), [Field::Absent]),
            ]),
        }
        table.row([Cell::fields(backend, name)], workload, cells);
    }
    Section::new(compared.title, compared.about, table.table)
}

/// One row per backend and group of workloads, over batch and value size.
fn summary(pairs: &[Pair<'_>]) -> Section {
    let workloads = workloads(pairs);
    let numbers = [
        Column::right("B / A").keys(&["ratio"]),
        Column::left("Range").keys(&["lowest", "highest"]),
        Column::right("Faster"),
        Column::right("Slower"),
        Column::right("No diff.").keys(&["no_difference_found"]),
    ];
    let mut table = WorkloadTable::new(&workloads, &AVERAGED, [Column::left("Backend")], numbers);
    let mut backends: Vec<&str> = Vec::new();
    for pair in pairs {
        if !backends.contains(&pair.case.backend.as_str()) {
            backends.push(&pair.case.backend);
        }
    }
    let groups = groups_over(&workloads, &AVERAGED);
    for (backend, group) in
        backends.iter().flat_map(|it| groups.iter().map(move |group| (it, group)))
    {
        let is_here = |pair: &&Pair<'_>| {
            pair.case.backend == *backend && group.workloads.contains(&pair.case.workload)
        };
        let mine: Vec<&Pair<'_>> = pairs.iter().filter(is_here).collect();
        let ratios: Vec<f64> =
            mine.iter().filter_map(|pair| Some(pair.ratio.as_ref().ok()?.estimate)).collect();
        // Any confidence: the interval is not shown.
        let Ok(mean) = GeometricMean::of(&ratios, 0.5) else { continue };
        let verdicts = [Verdict::Faster, Verdict::Slower, Verdict::NoDifferenceFound];
        let mut cells = vec![Cell::number(units::ratio(mean.mean), mean.mean)];
        cells.push(Cell::interval(mean.min, mean.max));
        cells.extend(verdicts.map(|verdict| {
            let count = mine.iter().filter(|pair| pair.verdict == Some(verdict)).count();
            Cell::number(count.to_string(), count as f64)
        }));
        table.row([*backend], &group.like, cells);
    }
    let over = over(&workloads, &AVERAGED);
    let about = format!(
        "\"B / A\" is the geometric mean over workloads{over}, Range its lowest and highest workload. \
         The counts are of workloads by verdict."
    );
    Section::new("Times by backend", about, table.table)
}

/// Why a case has no numbers in one of the two runs.
fn reasons(a: &CaseRecord, b: &CaseRecord) -> Vec<String> {
    let name = format!("{}/{}", a.workload, a.backend);
    let line = |letter: &str, case: &CaseRecord| {
        times::state(case).map(|(word, reason)| format!("{word} in {letter}: {name}: {reason}"))
    };
    [line("A", a), line("B", b)].into_iter().flatten().collect()
}

/// Counts repeat to the last digit, so every difference is one.
fn counted(a: Run<'_>, b: Run<'_>) -> Result<Section, String> {
    let found = check::compare(a.view.results, b.view.results, 0.0)?;
    let mut table = Table::new([
        Column::left("Case").keys(&["backend", "workload"]),
        Column::left("What"),
        Column::right("A"),
        Column::right("B"),
        Column::right("Change").keys(&["change_percent"]),
    ]);
    for change in &found.changes {
        let percent = match (change.before, change.now) {
            (Some(before), Some(now)) if before != 0.0 => Some((now / before - 1.0) * 100.0),
            _ => None,
        };
        table.row([
            Cell::fields(&*change.case, case(&change.case)),
            change.what.clone().into(),
            Cell::optional(change.before, units::count),
            Cell::optional(change.now, units::count),
            Cell::optional(percent, |percent| format!("{percent:+.2} %")),
        ]);
    }
    let about = format!(
        "{} in both; {} in them. Counts repeat to the last digit.{}",
        units::counted(found.cases, "case is", "cases are"),
        units::counted(found.changes.len(), "number differs", "numbers differ"),
        if found.whole { "" } else { check::NOT_WHOLE }
    );
    Ok(Section::new("Counts", about, table))
}

/// Backend and workload of a case that is called `WORKLOAD/BACKEND`.
fn case(name: &str) -> [Field; 2] {
    let (workload, backend) = name.split_once('/').unwrap_or((name, ""));
    [backend, workload].map(|it| Field::Text(it.to_owned()))
}

#[cfg(test)]
#[path = "difference/tests.rs"]
mod tests;
