//! Pairs of backends: which of them were told apart.

use super::{Group, Member, Quantity};
use crate::comparison::interval;
use crate::section::Section;
use crate::table::{Align, Cell, Table};
use crate::units;
use records::schema::CaseRecord;
use statistics::{self, RatioEstimate, Verdict};

/// Two backends of a group.
pub(super) struct Pair<'a> {
    first: &'a str,
    second: &'a str,
    pub(super) ratio: Option<RatioEstimate>,
    verdict: Option<Verdict>,
}

/// Whether `one` was shown to be faster than `other`.
pub(super) fn is_faster(pairs: &[Pair<'_>], one: &str, other: &str) -> bool {
    pairs.iter().any(|pair| {
        let wanted = match (pair.first, pair.second) {
            it if it == (one, other) => Verdict::Faster,
            it if it == (other, one) => Verdict::Slower,
            _ => return false,
        };
        pair.verdict == Some(wanted)
    })
}

/// The logarithms of what is ranked, pass by pass: launches are stored in the order of the blocks,
/// and position i of every backend of a workload is of its block i. A backend that failed has none.
pub(super) fn passes(
    case: &CaseRecord,
    cases: &[&CaseRecord],
    quantity: Quantity,
) -> Option<Vec<f64>> {
    let own = &case.time.as_ref()?.launches_ns;
    let against = match quantity {
        // Times over the same denominator: it cancels between two backends.
        Quantity::Relative => return Some(own.iter().map(|time| time.ln()).collect()),
        Quantity::Overhead => &case.overhead.as_ref()?.against,
    };
    let is_control = |it: &&&CaseRecord| it.backend == *against && it.workload == case.workload;
    let control = &cases.iter().find(is_control)?.time.as_ref()?.launches_ns;
    (own.len() == control.len())
        .then(|| own.iter().zip(control).map(|(own, control)| own.ln() - control.ln()).collect())
}

/// The ratio of two backends: of each pass the mean over the workloads, since pass i of all workloads
/// was measured at about the same time. The workloads are those there are, and launches the unit.
fn ratio(first: &Member<'_>, second: &Member<'_>, confidence: f64) -> Option<RatioEstimate> {
    let (first, second) = (first.passes.as_ref()?, second.passes.as_ref()?);
    let pair_up = first.iter().zip(second).all(|(one, other)| one.len() == other.len());
    let passes = first.iter().map(Vec::len).min().filter(|_| pair_up)?;
    let ratios: Vec<f64> = (0..passes)
        .map(|pass| {
            let logs = first.iter().zip(second).map(|(one, other)| one[pass] - other[pass]);
            logs.sum::<f64>() / first.len() as f64
        })
        .collect();
    RatioEstimate::from_log_ratios(&ratios, confidence).ok()
}

impl<'a> Group<'a> {
    /// All pairs, each with the ratio of the first over the second.
    pub(super) fn pairs(&self, confidence: f64) -> Vec<Pair<'a>> {
        let mut pairs = Vec::new();
        for (index, first) in self.members.iter().enumerate() {
            for second in &self.members[index + 1..] {
                let ratio = ratio(first, second, confidence);
                pairs.push(Pair { first: first.id, second: second.id, ratio, verdict: None });
            }
        }
        let family: Vec<statistics::Difference> = pairs
            .iter()
            .filter_map(|pair| {
                Some(statistics::Difference { estimate: pair.ratio?, floor: self.floor })
            })
            .collect();
        let verdicts = statistics::verdicts(&family, confidence).unwrap_or_default();
        let judged = pairs.iter_mut().filter(|pair| pair.ratio.is_some());
        for (pair, verdict) in judged.zip(verdicts) {
            pair.verdict = Some(verdict);
        }
        pairs
    }

    /// The table of all pairs.
    pub(super) fn pair_section(&self, pairs: &[Pair<'_>]) -> Section {
        let columns = [
            ("Backend", Align::Left),
            ("Over", Align::Left),
            ("Ratio", Align::Right),
            ("Interval", Align::Left),
            ("Low", Align::Right),
            ("High", Align::Right),
            ("Verdict", Align::Left),
        ];
        let mut table = Table::new(&columns)
            .keyed(&["backend", "over", "ratio", "interval", "low", "high", "verdict"])
            .hiding(&["low", "high"])
            .identified_by(2)
            .sparing(&["Interval"]);
        for pair in pairs {
            let Some((ratio, verdict)) = pair.ratio.zip(pair.verdict) else { continue };
            table.row([
                pair.first.into(),
                pair.second.into(),
                Cell::number(units::ratio(ratio.estimate), ratio.estimate),
                interval(ratio.low, ratio.high).into(),
                Cell::number(units::ratio(ratio.low), ratio.low),
                Cell::number(units::ratio(ratio.high), ratio.high),
                verdict.to_string().into(),
            ]);
        }
        let about = "Ratio of two backends: the geometric mean over the workloads of each pass, over \
                     all passes of the run.";
        Section::new(format!("{}: pairs", self.title), about, table)
    }
}
