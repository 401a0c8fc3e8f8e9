//! Means over workloads for each backend, and which pairs of backends were told apart.

use write_backend::Workload;

use crate::groups::{AVERAGED, Group, over};
use crate::header;
use crate::table::{Cell, Column, Listing, Section, Table};
use crate::units;
use crate::view::View;
use records::schema::CaseRecord;
use statistics::{Difference, GeometricMean, Interval, RatioEstimate, Verdict, verdicts};

const CAUTION: &str = "A geometric mean gives every workload the same weight, however long it takes \
     and however rarely you do it. It predicts no run time. Its interval has the workload as the unit: \
     it shows how much the ratio depends on the workload, not whether the ratio is real. Look at the \
     range, and at the workloads that are yours.";
const PAIRS: &str = "The first backend's time over that of the second: the geometric mean over these \
     workloads in each block, then estimated over all blocks of the run. Verdicts take account of the \
     number of pairs and of the noise floor.";

/// The estimate that all tables show; that of the reference over itself is 1.
fn estimate(view: &View<'_>, case: &CaseRecord) -> Option<f64> {
    if case.backend == view.reference() {
        return case.time.as_ref().map(|_| 1.0);
    }
    Some(case.relative.as_ref()?.estimate)
}

/// The logarithm of the time over that of the reference in each block of the run.
fn blocks(view: &View<'_>, case: &CaseRecord) -> Option<Vec<f64>> {
    if case.backend == view.reference() {
        return Some(vec![0.0; case.time.as_ref()?.launches_ns.len()]);
    }
    view.results.log_ratios(&case.backend, view.reference(), &case.workload)
}

/// The means of a run of `compare`, named `name`, lowest first, and the pairs of backends.
///
/// # Errors
/// When the run has no ratios.
pub fn listing(name: &str, view: &View<'_>) -> Result<Listing, String> {
    let mut sections = Vec::new();
    for group in view.groups_over(&AVERAGED) {
        sections.extend(of_group(view, &group).into_iter().flatten());
    }
    if view.results.producer != "compare" || sections.is_empty() {
        return Err(format!(
            "{name} has no ratios that could be ranked: it must be a run of compare with enough \
             launches for an interval"
        ));
    }
    let mut lines = header::all_lines(view.results);
    lines.push(CAUTION.to_owned());
    Ok(Listing { title: format!("{name}: means over workloads"), lines, sections })
}

/// Means and pairs over the workloads that all backends of the group have.
fn of_group(view: &View<'_>, group: &Group) -> Option<[Section; 2]> {
    let has = |id: &str, workload: &Workload| {
        view.case(id, workload).is_some_and(|case| estimate(view, case).is_some())
    };
    let all = view.backends().iter().map(|backend| backend.id.as_str());
    let ids: Vec<&str> = all.filter(|id| group.workloads.iter().any(|it| has(id, it))).collect();
    let measured = group.workloads.iter().filter(|it| ids.iter().any(|id| has(id, it))).count();
    let is_common = |it: &&Workload| ids.iter().all(|id| has(id, it));
    let common: Vec<Workload> = group.workloads.iter().filter(is_common).copied().collect();
    if common.is_empty() || ids.len() < 2 {
        return None;
    }
    let title = format!("Binding and engine: {}", group.title);
    let about = format!(
        "Time over that of {}, binding and engine together. Geometric mean over {}{}.",
        view.reference(),
        units::counted(common.len(), "workload", "workloads"),
        over(&common, &AVERAGED)
    );
    let mut section = Section::new(title.clone(), about, means(view, &ids, &common));
    if measured > common.len() {
        let left_out = units::counted(measured - common.len(), "workload", "workloads");
        section.notes.push(format!(
            "left out: {left_out} that not all of these have, for example because a case failed"
        ));
    }
    let mut pairs = Section::new(format!("{title}: pairs"), PAIRS, pairs(view, &ids, &common));
    if pairs.table.is_empty() {
        pairs.notes.push(
            "no pair has an interval: there are too few launches, or they are not of the same blocks"
                .to_owned(),
        );
    }
    Some([section, pairs])
}

fn means(view: &View<'_>, ids: &[&str], workloads: &[Workload]) -> Table {
    let confidence = view.results.options.confidence;
    let mean = |id: &&'_ str| {
        let cases = view.cases_of(id, workloads);
        let estimates: Vec<f64> = cases.filter_map(|case| estimate(view, case)).collect();
        Some(((*id).to_owned(), GeometricMean::of(&estimates, confidence).ok()?))
    };
    let mut means: Vec<(String, GeometricMean)> = ids.iter().filter_map(mean).collect();
    means.sort_by(|(_, one), (_, other)| one.mean.total_cmp(&other.mean));
    let interval = format!("{} interval", units::percent(confidence));
    let mut table = Table::new([
        Column::left("Backend"),
        Column::right("Mean"),
        Column::left(interval).keys(&["low", "high"]),
        Column::left("Range").keys(&["lowest", "highest"]),
    ]);
    for (id, mean) in means {
        // What all others are relative to is 1 by definition.
        let interval = mean.interval.filter(|_| id != view.reference());
        table.row([
            id.into(),
            Cell::number(units::ratio(mean.mean), mean.mean),
            interval.map_or_else(Cell::absent, |it| Cell::interval(it.low, it.high)),
            Cell::interval(mean.min, mean.max),
        ]);
    }
    table
}

/// All pairs that have an interval, judged together.
fn pairs(view: &View<'_>, ids: &[&str], workloads: &[Workload]) -> Table {
    let confidence = view.results.options.confidence;
    let floor = mean_floor(view, workloads);
    let blocks_of = |id: &str| -> Option<Vec<Vec<f64>>> {
        view.cases_of(id, workloads).map(|case| blocks(view, case)).collect()
    };
    let mut found: Vec<([&str; 2], Difference)> = Vec::new();
    for (place, first) in ids.iter().enumerate() {
        for second in &ids[place + 1..] {
            let (Some(one), Some(other)) = (blocks_of(first), blocks_of(second)) else { continue };
            let Some(estimate) = ratio_of_two(&one, &other, confidence) else { continue };
            found.push(([first, second], Difference { estimate, floor }));
        }
    }
    let family: Vec<Difference> = found.iter().map(|(_, difference)| *difference).collect();
    let verdicts: Vec<Verdict> = verdicts(&family, confidence).unwrap_or_default();
    let mut table = Table::new([
        Column::left("Backend"),
        Column::left("Over"),
        Column::right("Ratio"),
        Column::left("Interval").keys(&["low", "high"]),
        Column::left("Verdict"),
    ]);
    for (([first, second], Difference { estimate: it, .. }), verdict) in found.iter().zip(verdicts)
    {
        table.row([
            (*first).into(),
            (*second).into(),
            Cell::number(units::ratio(it.estimate), it.estimate),
            Cell::interval(it.low, it.high),
            verdict.to_string().into(),
        ]);
    }
    table
}

/// The ratio of two backends: of each block the mean over the workloads, since block i of all workloads
/// was measured at about the same time. The workloads are those there are, and launches the unit.
fn ratio_of_two(first: &[Vec<f64>], second: &[Vec<f64>], confidence: f64) -> Option<RatioEstimate> {
    let pair_up = first.iter().zip(second).all(|(one, other)| one.len() == other.len());
    let blocks = first.iter().map(Vec::len).min().filter(|_| pair_up)?;
    let mean = |block: usize| {
        let logs = first.iter().zip(second).map(|(one, other)| one[block] - other[block]);
        logs.sum::<f64>() / first.len() as f64
    };
    RatioEstimate::from_log_ratios(&(0..blocks).map(mean).collect::<Vec<_>>(), confidence).ok()
}

/// The floor of a mean: the geometric mean of the bounds of the workloads' floors. A bias of equal
/// workers that is the same in every workload would be as large.
fn mean_floor(view: &View<'_>, workloads: &[Workload]) -> Option<Interval> {
    let floors: Vec<Interval> = workloads.iter().filter_map(|it| view.noise_floor(it)).collect();
    let mean = |bound: fn(&Interval) -> f64| {
        let logs: f64 = floors.iter().map(|floor| bound(floor).ln()).sum();
        (logs / floors.len() as f64).exp()
    };
    (!floors.is_empty()).then(|| Interval { low: mean(|it| it.low), high: mean(|it| it.high) })
}

#[cfg(test)]
mod tests {
    use super::*;
    use records::schema::Results;
    use records::testing::Run;

    const NAMES: [&str; 2] =
        ["commit-n1-v64-k4-sequential-nosync", "commit-n10-v64-k4-sequential-nosync"];

    fn run() -> Run {
        let run = Run::compare().workloads(&NAMES).backend("raw-ffi", None, 1.0);
        run.backend("slow", Some("raw-ffi"), 1.4).backend("fast", Some("raw-ffi"), 1.05)
    }

    /// What stands in some columns of the table in place `index`.
    fn cells(results: &Results, index: usize, columns: &[usize]) -> Vec<String> {
        let listing = listing("run", &View::new(results)).unwrap();
        let mut texts = Vec::new();
        for row in listing.sections[index].table.rows() {
            let cells: Vec<&str> = columns.iter().map(|it| row[*it].text.as_str()).collect();
            texts.push(cells.join(" "));
        }
        texts
    }

    #[test]
    fn the_lowest_mean_is_first_and_pairs_are_judged() {
        let results = run().build();
        assert_eq!(cells(&results, 0, &[0]), ["raw-ffi", "fast", "slow"]);
        let pairs = ["raw-ffi slow faster", "raw-ffi fast faster", "slow fast slower"];
        assert_eq!(cells(&results, 1, &[0, 1, 4]), pairs);
    }

    #[test]
    fn a_difference_within_the_floor_is_none_and_other_blocks_make_no_pair() {
        assert_eq!(cells(&run().twin(1.5).build(), 1, &[4]), ["no-difference-found"; 3]);
        let mut cut = run().build();
        let slow = cut.cases.iter_mut().find(|case| case.backend == "slow").unwrap();
        slow.log_ratios.values_mut().for_each(|blocks| blocks.truncate(29));
        assert_eq!(cells(&cut, 1, &[0, 1]), ["raw-ffi fast"]);
    }

    #[test]
    fn workloads_and_axes_that_not_all_share_are_not_pooled() {
        let append = format!("{}-append", NAMES[0]).replace("commit", "abort");
        let names = [NAMES[0], NAMES[1], &append];
        let results = run().workloads(&names).failed("fast", NAMES[1], "why").build();
        let text = listing("run", &View::new(&results)).unwrap().to_string();
        assert!(text.contains("left out: 1 workload that not all of these have"), "{text}");
        assert!(text.contains("### Binding and engine: abort, nosync, append\n"), "{text}");
        let counts = Run::counts().backend("raw-ffi", None, 1.0).build();
        assert!(listing("run", &View::new(&counts)).unwrap_err().contains("run of compare"));
    }
}
