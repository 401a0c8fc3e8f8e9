//! Columns of workloads, and what a cell says of two backends on them.

use write_backend::{AXES, Axis, Workload};

use crate::answer::grid::Grid;
use crate::groups::{Group, differs, groups_over};
use crate::units::listed;
use crate::view::View;
use statistics::{Difference, RatioEstimate, Verdict, verdicts};

/// As many columns may stand in two parts below each other.
const MOST: usize = 12;
/// The axes that are pooled where there are too many columns, the first one first.
const POOLED: [&str; 2] = ["value_size", "batch_size"];

/// The columns of a matrix.
#[derive(Debug, Clone)]
pub struct Columns {
    /// The axes that vary across.
    pub axes: Vec<&'static Axis>,
    /// The axes over whose values each column is a mean.
    pub pooled: Vec<&'static Axis>,
    /// The workloads of each column.
    pub groups: Vec<Group>,
}

impl Columns {
    /// Columns for `workloads`: the axes that vary, pooled as far as there would be too many.
    #[must_use]
    pub fn of(workloads: &[Workload]) -> Self {
        let varying: Vec<&Axis> = AXES.iter().filter(|axis| differs(axis, workloads)).collect();
        let mut pooled: Vec<&'static Axis> = Vec::new();
        let mut groups = groups_over(workloads, &[]);
        for key in POOLED {
            if groups.len() > MOST {
                pooled.extend(varying.iter().filter(|axis| axis.key == key));
                let keys: Vec<&str> = pooled.iter().map(|axis| axis.key).collect();
                groups = groups_over(workloads, &keys);
            }
        }
        let is_across = |axis: &&Axis| !pooled.iter().any(|it| it.key == axis.key);
        Self { axes: varying.iter().copied().filter(is_across).collect(), pooled, groups }
    }

    /// A grid with these columns and no rows.
    #[must_use]
    pub fn grid(&self) -> Grid {
        let texts =
            |axis: &Axis| self.groups.iter().map(|it| axis.get(&it.like).to_string()).collect();
        let mut head: Vec<(String, Vec<String>)> =
            self.axes.iter().map(|axis| (axis.name.to_owned(), texts(axis))).collect();
        if head.is_empty() {
            let name =
                |group: &Group| if group.workloads.len() == 1 { "one workload" } else { "all" };
            head.push((String::new(), self.groups.iter().map(|it| name(it).to_owned()).collect()));
        }
        Grid { head, bands: Vec::new() }
    }

    /// What is pooled, for a sentence: ` (means over value sizes)`; nothing where nothing is.
    #[must_use]
    pub fn pooled_in_words(&self) -> String {
        let names: Vec<String> = self.pooled.iter().map(|axis| format!("{}s", axis.name)).collect();
        if names.is_empty() { String::new() } else { format!("; means over {}", listed(&names)) }
    }
}

/// A ratio as a cell shows it.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum Cell {
    /// A difference was found.
    Found(RatioEstimate),
    /// None was found.
    Equal(RatioEstimate),
    /// It holds for one build; of old files there is no interval.
    OneBuild(f64, Option<RatioEstimate>),
    /// Not measured.
    Absent,
}

impl Cell {
    /// What stands in the cell, in percent: `+2.0 ±0.3`, `= ±0.4`, in brackets for one build.
    ///
    /// A half-width is rounded up. Where no difference was found it is the largest that the interval leaves
    /// possible.
    #[must_use]
    pub fn text(&self) -> String {
        match self {
            Self::Found(it) => change(it.estimate, Some(it)),
            Self::Equal(it) => format!("= {}", give_or_take(farthest(it))),
            Self::OneBuild(ratio, it) => {
                format!("[{}]", change(*ratio, it.as_ref()).replace(" ±", "±"))
            }
            Self::Absent => "-".to_owned(),
        }
    }
}

/// How far the ratio may be from 1, as a part of 1.
#[must_use]
pub fn farthest(it: &RatioEstimate) -> f64 {
    (it.low - 1.0).abs().max((it.high - 1.0).abs())
}

/// `+2.0 ±0.3`: percent with half the width of its interval.
#[must_use]
pub fn change(ratio: f64, interval: Option<&RatioEstimate>) -> String {
    let percent = (ratio - 1.0) * 100.0;
    let text =
        if percent.abs() < 99.95 { format!("{percent:+.1}") } else { format!("{percent:+.0}") };
    match interval {
        Some(it) => format!("{text} {}", give_or_take((it.high - it.low) / 2.0)),
        None => text,
    }
}

/// `±0.3`: a part of 1 in percent, rounded up to a tenth or, if it is large, to a whole.
#[must_use]
pub fn give_or_take(part: f64) -> String {
    let percent = part * 100.0;
    if percent < 9.95 {
        // A tenth at least: nothing is known to a hundredth.
        format!("±{:.1}", (percent * 10.0 - 1e-9).ceil().max(1.0) / 10.0)
    } else {
        format!("±{:.0}", (percent - 1e-9).ceil())
    }
}

/// A pair of backends: the first's time is divided by the second's.
pub type Pair<'a> = (&'a str, &'a str);

/// The cells of `pairs` on `groups`, a row for each pair. All are judged together, with the noise floor of
/// their means.
#[must_use]
pub fn cells(view: &View<'_>, pairs: &[Pair<'_>], groups: &[Group]) -> Vec<Vec<Cell>> {
    let mut rows: Vec<Vec<Cell>> = Vec::new();
    let mut family: Vec<Difference> = Vec::new();
    for (over, under) in pairs {
        let mut row = Vec::new();
        for group in groups {
            let cell = cell(view, (over, under), group);
            if let Cell::Equal(estimate) = cell {
                let floor = view.results.mean_floor(&group.workloads);
                family.push(Difference { estimate, floor });
            }
            row.push(cell);
        }
        rows.push(row);
    }
    let judged = verdicts(&family, view.results.options.confidence).unwrap_or_default();
    let mut judged = judged.into_iter();
    for cell in rows.iter_mut().flatten() {
        if let Cell::Equal(estimate) = *cell
            && matches!(judged.next(), Some(Verdict::Faster | Verdict::Slower))
        {
            *cell = Cell::Found(estimate);
        }
    }
    rows
}

/// The cell before it is judged.
fn cell(view: &View<'_>, (over, under): Pair<'_>, group: &Group) -> Cell {
    let results = view.results;
    // The workloads that both have.
    let mut workloads = group.workloads.clone();
    workloads.retain(|it| results.log_ratios(over, under, it).is_some());
    let one_build = results.in_one_link_order([over, under]).is_some();
    match results.mean_ratio(over, under, &workloads) {
        Some(it) if one_build => Cell::OneBuild(it.estimate, Some(it)),
        Some(it) => Cell::Equal(it),
        None => {
            let ratios =
                workloads.iter().filter_map(|it| Some(results.ratio(over, under, it)?.0.ln()));
            let logs: Vec<f64> = ratios.collect();
            let mean = (logs.iter().sum::<f64>() / logs.len() as f64).exp();
            if logs.is_empty() { Cell::Absent } else { Cell::OneBuild(mean, None) }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use records::schema::default_workloads;

    #[test]
    fn the_default_matrix_has_six_columns_and_pools_value_sizes() {
        let columns = Columns::of(&default_workloads());
        let head = columns.grid().head;
        assert_eq!(head[0].1, ["abort", "abort", "abort", "commit", "commit", "commit"]);
        assert_eq!(head[1].1, ["1", "10", "100", "1", "10", "100"]);
        assert_eq!(columns.pooled_in_words(), "; means over value sizes");
        // A selection gets the axes that vary in it.
        let few: Vec<Workload> =
            default_workloads().into_iter().filter(|it| it.batch_size == 10).collect();
        let columns = Columns::of(&few);
        let axes: Vec<&str> = columns.axes.iter().map(|axis| axis.key).collect();
        assert_eq!((axes, columns.pooled.len()), (vec!["finish", "value_size"], 0));
    }

    #[test]
    fn a_half_width_is_never_rounded_down() {
        let of = |low, estimate, high| RatioEstimate {
            estimate,
            low,
            high,
            confidence: 0.95,
            p_value: 0.0,
            launches: 50,
        };
        assert_eq!(Cell::Found(of(1.018, 1.02, 1.0222)).text(), "+2.0 ±0.3");
        assert_eq!(Cell::Equal(of(0.996, 1.001, 1.003)).text(), "= ±0.4");
        assert_eq!(Cell::Equal(of(1.0, 1.0, 1.0)).text(), "= ±0.1");
        assert_eq!(Cell::Found(of(2.3, 2.5, 2.7)).text(), "+150 ±20");
        assert_eq!(Cell::OneBuild(1.02, None).text(), "[+2.0]");
    }
}
