//! The summary of a comparison: one row per binding and group of workloads, and what it decides for a
//! build of the reader's own.

use write_backend::Workload;

use crate::groups::{AVERAGED, Group, WorkloadTable, over};
use crate::table::{Cell, Column, Section};
use crate::units;
use crate::view::{Role, View};
use records::schema::Ratio;
use statistics::{GeometricMean, Interval, Verdict};

/// How many standard deviations a single build may be off by: 95 of 100 are less, if they are normal.
const SPREADS: f64 = 2.0;

/// The overhead of one backend, as a mean over batch size and value size.
#[derive(Debug, Clone, PartialEq)]
pub struct Overheads<'run> {
    /// The backend.
    pub backend: &'run str,
    /// The workloads, which agree in all other axes.
    pub group: Group,
    /// The mean over workloads.
    pub mean: f64,
    /// Its interval: workloads are averaged in each pass, and passes are the unit. `None` of a file without
    /// blocks.
    pub interval: Option<Interval>,
    /// The lowest and the highest workload.
    pub range: (f64, f64),
    /// The spread of the mean over link orders, as a part of 1.
    pub luck: Option<f64>,
    /// The verdicts on its workloads.
    pub verdicts: Vec<(Workload, Verdict)>,
}

impl Overheads<'_> {
    /// On how many workloads the verdict is this one.
    #[must_use]
    pub fn count(&self, verdict: Verdict) -> usize {
        self.verdicts.iter().filter(|(_, it)| *it == verdict).count()
    }

    /// On how many a difference was found.
    #[must_use]
    pub fn found(&self) -> usize {
        self.count(Verdict::Faster) + self.count(Verdict::Slower)
    }

    /// What a single build may be off by, as a part of 1.
    #[must_use]
    pub fn off_by(&self) -> Option<f64> {
        self.luck.map(|luck| SPREADS * luck)
    }
}

/// The overheads of all backends that have one, by backend and group.
#[must_use]
pub fn overheads<'run>(view: &View<'run>) -> Vec<Overheads<'run>> {
    let groups = view.groups_over(&AVERAGED);
    let bindings = view.with_role(Role::Binding);
    let pairs = bindings.flat_map(|it| groups.iter().map(move |group| (it, group)));
    let found = pairs.filter_map(|(backend, group)| {
        let cases = view.cases_of(&backend.id, &group.workloads);
        let ratios: Vec<(Workload, &Ratio)> =
            cases.filter_map(|case| Some((case.workload, case.overhead.as_ref()?))).collect();
        let workloads: Vec<Workload> = ratios.iter().map(|(workload, _)| *workload).collect();
        let estimates: Vec<f64> = ratios.iter().map(|(_, ratio)| ratio.estimate).collect();
        let control = backend.control.as_deref()?;
        let mean = view.results.mean_ratio(&backend.id, control, &workloads);
        // Any confidence: its interval, which is of workloads, is not shown.
        let of_estimates = GeometricMean::of(&estimates, 0.5).ok()?;
        Some(Overheads {
            backend: &backend.id,
            group: group.clone(),
            mean: mean.map_or(of_estimates.mean, |it| it.estimate),
            interval: mean.map(|it| it.interval()),
            range: (of_estimates.min, of_estimates.max),
            luck: view.results.luck_of_mean(&backend.id, control, &workloads),
            verdicts: ratios.iter().map(|(workload, ratio)| (*workload, ratio.verdict)).collect(),
        })
    });
    found.collect()
}

/// One row per backend with an overhead and group of workloads; `None` where none has.
#[must_use]
pub fn section(view: &View<'_>) -> Option<Section> {
    let overheads = overheads(view);
    let likes: Vec<Workload> = overheads.iter().map(|row| row.group.like).collect();
    let numbers = [
        Column::right("Overhead"),
        Column::left("Interval").keys(&["low", "high"]),
        Column::right("Luck"),
        Column::left("Range").keys(&["lowest", "highest"]),
        Column::right("No diff.").keys(&["no_difference_found"]),
    ];
    let mut table = WorkloadTable::new(&likes, &AVERAGED, [Column::left("Backend")], numbers);
    for row in &overheads {
        let undecided =
            format!("{} of {}", row.count(Verdict::NoDifferenceFound), row.verdicts.len());
        let is_withheld = row.count(Verdict::Withheld) > 0;
        let cells = [
            Cell::number(units::ratio(row.mean), row.mean),
            row.interval.map_or_else(Cell::absent, |it| Cell::interval(it.low, it.high)),
            Cell::optional(row.luck, units::luck),
            Cell::interval(row.range.0, row.range.1),
            if is_withheld { Verdict::Withheld.to_string() } else { undecided }.into(),
        ];
        table.row([row.backend], &row.group.like, cells);
    }
    let mut section = Section::new("Summary", about(view, &overheads), table.table);
    section.notes.extend(off_by(&overheads));
    section.notes.extend(undecided(&overheads));
    (!overheads.is_empty()).then_some(section)
}

fn about(view: &View<'_>, overheads: &[Overheads<'_>]) -> String {
    let confidence = view.results.options.confidence;
    let has_luck = overheads.iter().any(|row| row.luck.is_some());
    format!(
        "Overhead is the geometric mean over workloads{}{}. Interval is its {} interval, Range its lowest and highest workload. \"No diff.\" counts the workloads in which no \
         difference was found.{} Verdicts keep the share of false claims among all claims of this run \
         below {} (Benjamini and Hochberg) and respect the noise floor. So an interval may exclude 1 \
         without a claim.",
        over(view.workloads(), &AVERAGED),
        if has_luck { " and the mean over link orders" } else { "" },
        units::percent(confidence),
        others(overheads),
        units::percent(1.0 - confidence)
    )
}

/// Which way the differences go that were found; nothing where none was.
fn others(overheads: &[Overheads<'_>]) -> String {
    let sum = |verdict| overheads.iter().map(|row| row.count(verdict)).sum::<usize>();
    if sum(Verdict::Slower) + sum(Verdict::Faster) == 0 {
        return String::new();
    }
    let faster: Vec<String> = overheads
        .iter()
        .filter(|row| row.count(Verdict::Faster) > 0)
        .map(|row| {
            let faster = row.verdicts.iter().filter(|(_, it)| *it == Verdict::Faster);
            let workloads: Vec<String> = faster.map(|(workload, _)| workload.to_string()).collect();
            format!("{} in {}", row.backend, workloads.join(", "))
        })
        .collect();
    let is_whole = sum(Verdict::NoDifferenceFound) + sum(Verdict::Withheld) == 0;
    let place = if is_whole { "In all of them" } else { "Where one was found" };
    let except = match faster.as_slice() {
        [] => String::new(),
        faster => format!(", except: {}", faster.join("; ")),
    };
    format!(" {place} the binding was slower{except}.")
}

/// How far a single build may be off; `None` where nobody knows.
#[must_use]
pub fn off_by(overheads: &[Overheads<'_>]) -> Option<String> {
    let words =
        by_group(overheads, |row| Some(format!("{} {}", row.backend, units::luck(row.off_by()?))))?;
    Some(format!(
        "Luck is the spread (standard deviation) of the overhead over link orders. Your build has one of \
         them: it may be off by twice the luck. {words}."
    ))
}

/// Which overheads decide nothing for a single build; `None` where none is as small.
#[must_use]
pub fn undecided(overheads: &[Overheads<'_>]) -> Option<String> {
    let words = by_group(overheads, |row| {
        let is_smaller = row.mean.ln().abs() < row.off_by()?;
        let (change, luck) = (units::change(row.mean), units::luck(row.luck?));
        is_smaller.then(|| format!("{} ({change} with a luck of {luck})", row.backend))
    })?;
    Some(format!(
        "These overheads are smaller than what one build may be off by, so that they decide nothing for \
         one build. {words}."
    ))
}

/// What `text` says of rows, group by group.
fn by_group(
    overheads: &[Overheads<'_>],
    text: impl Fn(&Overheads<'_>) -> Option<String>,
) -> Option<String> {
    let mut found: Vec<(&str, Vec<String>)> = Vec::new();
    for row in overheads {
        let Some(text) = text(row) else { continue };
        match found.iter_mut().find(|(title, _)| *title == row.group.title) {
            Some((_, texts)) => texts.push(text),
            None => found.push((&row.group.title, vec![text])),
        }
    }
    let groups: Vec<String> =
        found.iter().map(|(title, texts)| format!("{title}: {}", texts.join(", "))).collect();
    (!groups.is_empty()).then(|| groups.join("; "))
}
