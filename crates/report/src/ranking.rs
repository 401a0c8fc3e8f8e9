//! Means over workloads, and which backends may be put in an order: those that were told apart.

use write_backend::{Finish, SyncMode, Workload};

use crate::REFERENCE;
use crate::comparison::{interval, percent};
use crate::formats::listing::Listing;
use crate::section::Section;
use crate::show;
use crate::table::{Align, Cell, Table};
use crate::units;
use records::schema::{CaseRecord, Results};
use statistics::{GeometricMean, Interval};

mod order;
mod pairs;

use order::ranks;
use pairs::{Pair, is_faster, passes};

const CAUTION: &str = "A geometric mean gives every workload the same weight, however long it takes \
     and however rarely you do it: it predicts no run time. Its interval has the workload as the unit \
     and says how much the ratio depends on it, not whether it is real. Look at the range, and at the \
     workloads that are yours.";
const RANKED: &str = "Ranks are from pairs of backends in the same passes of the run, over all these \
     workloads together. Different ranks: every backend of the one was shown to be faster than every \
     backend of the other, the number of pairs and the noise floor taken into account. Same rank: not \
     told apart.";

/// What is ranked.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Quantity {
    Overhead,
    Relative,
}

impl Quantity {
    const ALL: [Self; 2] = [Self::Overhead, Self::Relative];

    const fn title(self) -> &'static str {
        match self {
            Self::Overhead => "Binding overhead",
            Self::Relative => "Binding and engine",
        }
    }

    const fn about(self) -> &'static str {
        match self {
            Self::Overhead => "Time over that of raw FFI on the same LMDB.",
            Self::Relative => "Time over that of raw-ffi, binding and engine together.",
        }
    }

    /// The stored ratio; that of the backend that all others are relative to is 1.
    fn of(self, case: &CaseRecord) -> Option<f64> {
        let stored = match self {
            Self::Overhead => &case.overhead,
            Self::Relative => &case.relative,
        };
        let is_reference = self == Self::Relative && case.backend == REFERENCE;
        let own = (is_reference && case.time.is_some()).then_some(1.0);
        stored.as_ref().map(|ratio| ratio.estimate).or(own)
    }
}

/// The ranking of a run of `compare`, named `name`; with the pairs behind it where they are wanted.
///
/// # Errors
/// When the run has no ratios.
pub fn listing(name: &str, results: &Results, with_pairs: bool) -> Result<Listing, String> {
    let nothing = format!(
        "{name} has no ratios that could be ranked: it must be a run of compare with launches enough for an interval"
    );
    if results.producer != "compare" {
        return Err(nothing);
    }
    let mut listing = Listing::new(format!("{name}: ranks"), show::about(results));
    listing.lines.extend([CAUTION, RANKED].map(str::to_owned));
    for quantity in Quantity::ALL {
        for (finish, sync) in ends(results) {
            let Some(group) = Group::new(results, quantity, finish, sync) else { continue };
            let pairs = group.pairs(results.options.confidence);
            listing.sections.push(group.section(results, &pairs));
            if with_pairs {
                listing.sections.push(group.pair_section(&pairs));
            }
        }
    }
    if listing.sections.is_empty() {
        return Err(format!(
            "{name} has no ratios that could be ranked: it must be a run of compare with launches enough for an interval"
        ));
    }
    Ok(listing)
}

/// The ends of transactions, in the order of the cases.
fn ends(results: &Results) -> Vec<(Finish, SyncMode)> {
    let mut found = Vec::new();
    for case in &results.cases {
        let end = (case.workload.finish, case.workload.sync);
        if !found.contains(&end) {
            found.push(end);
        }
    }
    found
}

/// The backends that are ranked together, over the workloads that all of them have.
struct Group<'a> {
    quantity: Quantity,
    title: String,
    workloads: Vec<Workload>,
    /// How many workloads at least one of them has.
    all_workloads: usize,
    members: Vec<Member<'a>>,
    floor: Option<Interval>,
}

/// One backend of a group.
struct Member<'a> {
    id: &'a str,
    /// By workload.
    ratios: Vec<f64>,
    /// By workload, then by pass: the logarithm of what is ranked; `None` where the launches of
    /// numerator and denominator do not pair up.
    passes: Option<Vec<Vec<f64>>>,
}

impl<'a> Group<'a> {
    fn new(
        results: &'a Results,
        quantity: Quantity,
        finish: Finish,
        sync: SyncMode,
    ) -> Option<Self> {
        let is_here = |it: &Workload| it.finish == finish && it.sync == sync;
        let cases: Vec<&CaseRecord> =
            results.cases.iter().filter(|case| is_here(&case.workload)).collect();
        let ranked: Vec<&CaseRecord> =
            cases.iter().copied().filter(|case| quantity.of(case).is_some()).collect();
        let mut all: Vec<Workload> = ranked.iter().map(|case| case.workload).collect();
        all.sort_unstable();
        all.dedup();
        let find = |id: &str, workload: &Workload| {
            ranked.iter().copied().find(|it| it.backend == id && it.workload == *workload)
        };
        let ids = results.backends.iter().map(|backend| backend.id.as_str());
        let ids: Vec<&str> =
            ids.filter(|id| ranked.iter().any(|case| case.backend == *id)).collect();
        let is_whole = |workload: &&Workload| ids.iter().all(|id| find(id, workload).is_some());
        let workloads: Vec<Workload> = all.iter().filter(is_whole).copied().collect();
        let member = |id: &&'a str| {
            let mine: Vec<&CaseRecord> =
                workloads.iter().filter_map(|workload| find(id, workload)).collect();
            Member {
                id,
                ratios: mine.iter().filter_map(|case| quantity.of(case)).collect(),
                passes: mine.iter().map(|case| passes(case, &cases, quantity)).collect(),
            }
        };
        let members: Vec<Member<'a>> = ids.iter().map(member).collect();
        let floor = mean_floor(&cases, &workloads);
        let title = format!("{}: {finish}, {sync}", quantity.title());
        let all_workloads = all.len();
        (!workloads.is_empty() && members.len() > 1).then_some(Self {
            quantity,
            title,
            workloads,
            all_workloads,
            members,
            floor,
        })
    }

    fn section(&self, results: &Results, pairs: &[Pair<'_>]) -> Section {
        let confidence = results.options.confidence;
        let mean = |member: &Member<'a>| {
            Some((member.id, GeometricMean::of(&member.ratios, confidence).ok()?))
        };
        let mut means: Vec<(&str, GeometricMean)> = self.members.iter().filter_map(mean).collect();
        means.sort_by(|(_, one), (_, other)| one.mean.total_cmp(&other.mean));
        let faster = |one: usize, other: usize| is_faster(pairs, means[one].0, means[other].0);
        let heading = format!("{} interval", percent(confidence));
        let columns = [
            ("Rank", Align::Right),
            ("Backend", Align::Left),
            ("Mean", Align::Right),
            (heading.as_str(), Align::Left),
            ("Range", Align::Left),
            ("Low", Align::Right),
            ("High", Align::Right),
        ];
        let mut table = Table::new(&columns)
            .keyed(&["rank", "backend", "mean", "interval", "range", "low", "high"])
            .hiding(&["low", "high"])
            .identified_by(2);
        for (rank, (id, mean)) in ranks(means.len(), faster).into_iter().zip(&means) {
            let bound = |value: fn(Interval) -> f64| {
                let bound = mean.interval.map(value);
                bound.map_or_else(Cell::absent, |it| Cell::number(units::ratio(it), it))
            };
            // What all others are relative to is 1 by definition.
            let is_fixed = self.quantity == Quantity::Relative && *id == REFERENCE;
            let within = mean.interval.filter(|_| !is_fixed).map(|it| interval(it.low, it.high));
            table.row([
                Cell::number(rank.to_string(), rank as f64),
                (*id).into(),
                Cell::number(units::ratio(mean.mean), mean.mean),
                within.map_or_else(Cell::absent, Cell::from),
                interval(mean.min, mean.max).into(),
                bound(|it| it.low),
                bound(|it| it.high),
            ]);
        }
        let about = format!(
            "{} Geometric mean over {}.",
            self.quantity.about(),
            units::counted(self.workloads.len(), "workload", "workloads")
        );
        let mut section = Section::new(&self.title, about, table);
        if pairs.iter().all(|pair| pair.ratio.is_none()) {
            section.notes.push(
                "no pair could be told apart: there are too few launches, or they do not pair up"
                    .to_owned(),
            );
        }
        let missing = self.all_workloads - self.workloads.len();
        if missing > 0 {
            section.notes.push(format!(
                "left out: {} that not all of these have, for example because a case failed",
                units::counted(missing, "workload", "workloads")
            ));
        }
        section
    }
}

/// The floor of a mean: the geometric mean of the bounds of the workloads' floors. A bias of equal
/// workers that is the same in every workload would be as large.
fn mean_floor(cases: &[&CaseRecord], workloads: &[Workload]) -> Option<Interval> {
    let floors: Vec<Interval> = workloads
        .iter()
        .filter_map(|workload| {
            cases.iter().find_map(|case| case.noise_floor.filter(|_| case.workload == *workload))
        })
        .collect();
    let mean = |bound: fn(&Interval) -> f64| {
        let logs: f64 = floors.iter().map(|floor| bound(floor).ln()).sum();
        (logs / floors.len() as f64).exp()
    };
    (!floors.is_empty()).then(|| Interval { low: mean(|it| it.low), high: mean(|it| it.high) })
}

#[cfg(test)]
#[path = "ranking/tests.rs"]
mod tests;
