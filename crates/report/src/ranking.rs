//! Means over workloads, and which backends may be put in an order: those that were told apart.

use write_backend::Workload;

use crate::groups::{AVERAGED, over};
use crate::header;
use crate::table::{Cell, Column, Listing, Section, Table};
use crate::units;
use crate::view::View;
use records::schema::CaseRecord;
use statistics::{GeometricMean, Interval, RatioEstimate, Verdict};

mod order;

use order::ranks;

const CAUTION: &str = "A geometric mean gives every workload the same weight, however long it takes \
     and however rarely you do it. It predicts no run time. Its interval has the workload as the unit: \
     it shows how much the ratio depends on the workload, not whether the ratio is real. Look at the \
     range, and at the workloads that are yours.";
const RANKED: &str = "Ranks are from pairs of backends in the same blocks of the run, over all these \
     workloads together. Different ranks: every backend of the one was shown to be faster than every \
     backend of the other, with regard to the number of pairs and the noise floor. Same rank: no \
     difference was found.";

/// What is ranked.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Ratio {
    Overhead,
    Relative,
}

impl Ratio {
    const fn title(self) -> &'static str {
        match self {
            Self::Overhead => "Binding overhead",
            Self::Relative => "Binding and engine",
        }
    }

    fn about(self, view: &View<'_>) -> String {
        match self {
            Self::Overhead => "Time over that of raw FFI on the same LMDB.".to_owned(),
            Self::Relative => {
                format!("Time over that of {}, binding and engine together.", view.reference())
            }
        }
    }

    /// The estimate that all tables show; that of the reference over itself is 1.
    fn estimate(self, view: &View<'_>, case: &CaseRecord) -> Option<f64> {
        match self {
            Self::Overhead => Some(case.overhead.as_ref()?.estimate),
            Self::Relative if case.backend == view.reference() => case.time.as_ref().map(|_| 1.0),
            Self::Relative => Some(case.relative.as_ref()?.estimate),
        }
    }

    /// The logarithm of the ratio in each block of the run; that of the reference over itself is 0.
    fn blocks(self, view: &View<'_>, case: &CaseRecord) -> Option<Vec<f64>> {
        let under = match self {
            Self::Overhead => view.backend(&case.backend)?.control.as_deref()?,
            Self::Relative => view.reference(),
        };
        if under == case.backend {
            return Some(vec![0.0; case.time.as_ref()?.launches_ns.len()]);
        }
        view.results.log_ratios(&case.backend, under, &case.workload)
    }
}

/// The ranking of a run of `compare`, named `name`; with the pairs behind it where they are wanted.
///
/// # Errors
/// When the run has no ratios.
pub fn listing(name: &str, view: &View<'_>, with_pairs: bool) -> Result<Listing, String> {
    let mut sections = Vec::new();
    for ratio in [Ratio::Overhead, Ratio::Relative] {
        for group in view.groups_over(&AVERAGED) {
            let Some(ranked) = Ranked::new(view, ratio, &group.workloads) else { continue };
            let title = format!("{}: {}", ratio.title(), group.title);
            sections.push(ranked.section(&title));
            sections.extend(with_pairs.then(|| ranked.pair_section(&title)));
        }
    }
    if view.results.producer != "compare" || sections.is_empty() {
        return Err(format!(
            "{name} has no ratios that could be ranked: it must be a run of compare with enough \
             launches for an interval"
        ));
    }
    let mut lines = header::all_lines(view.results);
    lines.extend([CAUTION, RANKED].map(str::to_owned));
    Ok(Listing { title: format!("{name}: ranks"), lines, sections })
}

/// The backends that are ranked together, over the workloads that all of them have.
struct Ranked<'a> {
    view: &'a View<'a>,
    ratio: Ratio,
    workloads: Vec<Workload>,
    /// How many further workloads only some of them have.
    left_out: usize,
    members: Vec<Member<'a>>,
    pairs: Vec<Pair<'a>>,
}

/// One backend.
struct Member<'a> {
    id: &'a str,
    /// By workload.
    estimates: Vec<f64>,
    /// By workload, then by block.
    blocks: Option<Vec<Vec<f64>>>,
}

/// Two backends: the ratio of the first over the second, and what may be said of it.
struct Pair<'a> {
    first: &'a str,
    second: &'a str,
    found: Option<(RatioEstimate, Verdict)>,
}

impl<'a> Ranked<'a> {
    fn new(view: &'a View<'a>, ratio: Ratio, workloads: &[Workload]) -> Option<Self> {
        let has = |id: &str, workload: &Workload| {
            view.case(id, workload).is_some_and(|case| ratio.estimate(view, case).is_some())
        };
        let all = view.backends().iter().map(|backend| backend.id.as_str());
        let ids: Vec<&str> = all.filter(|id| workloads.iter().any(|it| has(id, it))).collect();
        let (common, others): (Vec<Workload>, Vec<Workload>) =
            workloads.iter().partition(|workload| ids.iter().all(|id| has(id, workload)));
        let left_out = others.iter().filter(|it| ids.iter().any(|id| has(id, it))).count();
        let members: Vec<Member<'_>> = ids
            .into_iter()
            .map(|id| Member {
                id,
                estimates: view
                    .cases_of(id, &common)
                    .filter_map(|case| ratio.estimate(view, case))
                    .collect(),
                blocks: view.cases_of(id, &common).map(|case| ratio.blocks(view, case)).collect(),
            })
            .collect();
        if common.is_empty() || members.len() < 2 {
            return None;
        }
        let pairs = pairs(&members, mean_floor(view, &common), view.results.options.confidence);
        Some(Self { view, ratio, workloads: common, left_out, members, pairs })
    }

    /// Whether `one` was shown to be faster than `other`.
    fn is_faster(&self, one: &str, other: &str) -> bool {
        self.pairs.iter().any(|pair| {
            let wanted = match (pair.first, pair.second) {
                ids if ids == (one, other) => Verdict::Faster,
                ids if ids == (other, one) => Verdict::Slower,
                _ => return false,
            };
            pair.found.is_some_and(|(_, verdict)| verdict == wanted)
        })
    }

    fn section(&self, title: &str) -> Section {
        let confidence = self.view.results.options.confidence;
        let mut means: Vec<(&str, GeometricMean)> = self
            .members
            .iter()
            .filter_map(|it| Some((it.id, GeometricMean::of(&it.estimates, confidence).ok()?)))
            .collect();
        means.sort_by(|(_, one), (_, other)| one.mean.total_cmp(&other.mean));
        let interval = format!("{} interval", units::percent(confidence));
        let mut table = Table::new([
            Column::right("Rank"),
            Column::left("Backend"),
            Column::right("Mean"),
            Column::left(interval).keys(&["low", "high"]),
            Column::left("Range").keys(&["lowest", "highest"]),
        ]);
        let faster = |one: usize, other: usize| self.is_faster(means[one].0, means[other].0);
        for (rank, (id, mean)) in ranks(means.len(), faster).into_iter().zip(&means) {
            // What all others are relative to is 1 by definition.
            let is_fixed = self.ratio == Ratio::Relative && *id == self.view.reference();
            let within = mean.interval.filter(|_| !is_fixed);
            table.row([
                Cell::number(rank.to_string(), rank as f64),
                (*id).into(),
                Cell::number(units::ratio(mean.mean), mean.mean),
                within.map_or_else(Cell::absent, |it| Cell::interval(it.low, it.high)),
                Cell::interval(mean.min, mean.max),
            ]);
        }
        let over = over(&self.workloads, &AVERAGED);
        let about = format!(
            "{} Geometric mean over {}{over}.",
            self.ratio.about(self.view),
            units::counted(self.workloads.len(), "workload", "workloads")
        );
        Section { notes: self.notes(), ..Section::new(title, about, table) }
    }

    fn notes(&self) -> Vec<String> {
        let mut notes = Vec::new();
        if self.pairs.iter().all(|pair| pair.found.is_none()) {
            notes.push(
                "no two backends could be told apart: there are too few launches, or they are not of \
                 the same blocks"
                    .to_owned(),
            );
        }
        if self.left_out > 0 {
            notes.push(format!(
                "left out: {} that not all of these have, for example because a case failed",
                units::counted(self.left_out, "workload", "workloads")
            ));
        }
        notes
    }

    /// The table of all pairs.
    fn pair_section(&self, title: &str) -> Section {
        let mut table = Table::new([
            Column::left("Backend"),
            Column::left("Over"),
            Column::right("Ratio"),
            Column::left("Interval").keys(&["low", "high"]),
            Column::left("Verdict"),
        ]);
        for Pair { first, second, found } in &self.pairs {
            let Some((ratio, verdict)) = found else { continue };
            table.row([
                (*first).into(),
                (*second).into(),
                Cell::number(units::ratio(ratio.estimate), ratio.estimate),
                Cell::interval(ratio.low, ratio.high),
                verdict.to_string().into(),
            ]);
        }
        let about = "Ratio of two backends: the geometric mean over the workloads in each block, then \
                     estimated over all blocks of the run.";
        Section::new(format!("{title}: pairs"), about, table)
    }
}

/// All pairs, judged together.
fn pairs<'a>(members: &[Member<'a>], floor: Option<Interval>, confidence: f64) -> Vec<Pair<'a>> {
    let mut pairs = Vec::new();
    let mut family = Vec::new();
    for (index, first) in members.iter().enumerate() {
        for second in &members[index + 1..] {
            let estimate = ratio_of_two(first, second, confidence);
            family.extend(estimate.map(|estimate| statistics::Difference { estimate, floor }));
            pairs.push((first.id, second.id, estimate));
        }
    }
    let verdicts = statistics::verdicts(&family, confidence).unwrap_or_default();
    let mut verdicts = verdicts.into_iter();
    let pair = |(first, second, estimate): (&'a str, &'a str, Option<RatioEstimate>)| {
        let found = estimate.and_then(|estimate| Some((estimate, verdicts.next()?)));
        Pair { first, second, found }
    };
    pairs.into_iter().map(pair).collect()
}

/// The ratio of two backends: of each block the mean over the workloads, since block i of all workloads
/// was measured at about the same time. The workloads are those there are, and launches the unit.
fn ratio_of_two(first: &Member<'_>, second: &Member<'_>, confidence: f64) -> Option<RatioEstimate> {
    let (first, second) = (first.blocks.as_ref()?, second.blocks.as_ref()?);
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
    use crate::formats::Format;
    use records::schema::Results;
    use records::testing::Run;

    const NAMES: [&str; 2] =
        ["commit-n1-v64-k4-sequential-nosync", "commit-n10-v64-k4-sequential-nosync"];

    fn run(backends: &[(&str, f64)]) -> Run {
        let run = Run::compare().workloads(&NAMES).backend("raw-ffi", None, 1.0);
        backends.iter().fold(run, |run, (id, factor)| run.backend(id, Some("raw-ffi"), *factor))
    }

    fn listed(results: &Results) -> Listing {
        listing("run", &View::new(results), true).unwrap()
    }

    /// Rank and backend in the order of the table of this title.
    fn ranked(results: &Results, title: &str) -> Vec<String> {
        let listing = listed(results);
        let section = listing.sections.iter().find(|it| it.title.starts_with(title)).unwrap();
        let rows = section.table.rows().iter();
        rows.map(|row| format!("{} {}", row[0].text, row[1].text)).collect()
    }

    #[test]
    fn what_was_told_apart_is_ranked_and_the_rest_shares_a_rank() {
        let results = run(&[("slow", 1.4), ("near", 1.0001), ("fast", 1.0)]).build();
        assert_eq!(ranked(&results, "Binding overhead"), ["1 fast", "1 near", "3 slow"]);
        let results = run(&[("slow", 1.4), ("fast", 1.05)]).build();
        assert_eq!(ranked(&results, "Binding and engine"), ["1 raw-ffi", "2 fast", "3 slow"]);
    }

    #[test]
    fn what_shows_no_difference_shares_a_rank() {
        let within_floor = run(&[("slow", 1.4), ("fast", 1.05)]).twin(1.5).build();
        let few = run(&[("slow", 1.4), ("fast", 1.05)])
            .launches(7)
            .edit(|run| run.options.confidence = 0.999);
        let mut other_blocks = run(&[("slow", 1.4), ("fast", 1.05)]).build();
        let slow = other_blocks.cases.iter_mut().find(|case| case.backend == "slow").unwrap();
        slow.log_ratios.values_mut().for_each(|blocks| blocks.truncate(29));
        for results in [within_floor, other_blocks] {
            assert_eq!(ranked(&results, "Binding overhead"), ["1 fast", "1 slow"]);
        }
        assert!(listing("run", &View::new(&few.build()), false).is_err(), "nothing to rank");
    }

    #[test]
    fn a_workload_that_one_lacks_is_left_out_for_all() {
        let results = run(&[("slow", 1.4), ("fast", 1.05)]).failed("fast", NAMES[1], "why").build();
        let text = listed(&results).to_string();
        assert!(text.contains("left out: 1 workload that not all of these have"), "{text}");
        assert!(text.contains("Geometric mean over 1 workload."), "{text}");
    }

    #[test]
    fn pairs_have_numbers_for_programs() {
        let results = run(&[("slow", 1.4), ("fast", 1.05)]).build();
        let json = Format::Json.render(&listed(&results));
        let json: serde_json::Value = serde_json::from_str(&json).unwrap();
        let pair = &json["tables"][1]["rows"][0];
        assert_eq!((&pair["backend"], &pair["over"]), (&"slow".into(), &"fast".into()));
        let ratio = pair["ratio"].as_f64().unwrap();
        assert!((ratio - 1.4 / 1.05).abs() < 0.02, "{ratio}");
        assert_eq!(pair["verdict"], "slower");
    }

    #[test]
    fn an_axis_that_is_not_averaged_has_ranks_of_its_own() {
        let name = "abort-n1-v4-k4-sequential-nosync";
        let append = format!("{name}-append");
        let results = run(&[("slow", 1.4), ("fast", 1.05)]).workloads(&[name, &append]).build();
        let titles: Vec<String> =
            listed(&results).sections.into_iter().map(|it| it.title).collect();
        assert!(
            titles.contains(&"Binding overhead: abort, nosync, plain".to_owned()),
            "{titles:?}"
        );
        assert!(
            titles.contains(&"Binding overhead: abort, nosync, append".to_owned()),
            "{titles:?}"
        );
    }

    #[test]
    fn counts_have_no_ranks() {
        let counts = Run::counts().backend("raw-ffi", None, 1.0).build();
        assert!(listing("run", &View::new(&counts), false).unwrap_err().contains("run of compare"));
    }
}
