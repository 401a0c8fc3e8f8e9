//! Workloads in groups, and tables of them.
//!
//! No axis is known by name here except those that tables always show and those over which means are
//! taken: what is not shown as a column, in a title or as a range of values is a group.

use std::collections::BTreeSet;

use write_backend::{AXES, Axis, Value, Values, Workload};

use crate::table::{Cell, Column, Table};
use crate::units::listed;

/// The axes over which means are taken: the others have a row, a title or a picture for each value.
pub const AVERAGED: [&str; 2] = ["batch_size", "value_size"];
/// The value size that is shown where there is room for one: in the middle of the default matrix.
pub const VALUE_SIZE: usize = 64;
/// The axes that a table has a column for even if all its rows have the same value.
const COLUMNS: [&str; 3] = ["finish", "batch_size", "value_size"];
/// The axes that a title names even if all titles have the same value.
const TITLES: [&str; 2] = ["finish", "sync"];

/// Workloads that agree in all axes but some.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Group {
    /// What they agree in: a workload of which the other axes mean nothing.
    pub like: Workload,
    /// What they agree in, in words: `commit, nosync`.
    pub title: String,
    /// They.
    pub workloads: Vec<Workload>,
}

/// `workloads` in groups that agree in all axes but those of `over`, in the order of their first.
///
/// ```
/// use report::groups::groups_over;
/// let names = ["abort-n1-v4-k4-sequential-nosync", "abort-n1-v4-k8-sequential-nosync"];
/// let workloads = names.map(|name| name.parse().unwrap());
/// let groups = groups_over(&workloads, &["batch_size", "value_size"]);
/// let titles: Vec<&str> = groups.iter().map(|group| group.title.as_str()).collect();
/// assert_eq!(titles, ["abort, nosync, key size 4 bytes", "abort, nosync, key size 8 bytes"]);
/// ```
#[must_use]
pub fn groups_over(workloads: &[Workload], over: &[&str]) -> Vec<Group> {
    let kept = || AXES.iter().filter(|axis| !over.contains(&axis.key));
    let is_named = |axis: &&Axis| TITLES.contains(&axis.key) || differs(axis, workloads);
    let named: Vec<&Axis> = kept().filter(is_named).collect();
    let mut groups: Vec<Group> = Vec::new();
    for workload in workloads {
        let mut like = Workload::default();
        kept().for_each(|axis| axis.set(&mut like, axis.get(workload)));
        if let Some(group) = groups.iter_mut().find(|group| group.like == like) {
            group.workloads.push(*workload);
        } else {
            let words: Vec<String> = named.iter().map(|axis| words(axis, workload)).collect();
            groups.push(Group { like, title: words.join(", "), workloads: vec![*workload] });
        }
    }
    groups
}

/// `workloads` in groups that agree in the axes of `by`.
#[must_use]
pub fn groups_by(workloads: &[Workload], by: &[&str]) -> Vec<Group> {
    let keys = AXES.iter().map(|axis| axis.key);
    groups_over(workloads, &keys.filter(|key| !by.contains(key)).collect::<Vec<_>>())
}

/// Whether a table of `workloads` has a column for `axis`.
fn is_column(axis: &Axis, workloads: &[Workload]) -> bool {
    COLUMNS.contains(&axis.key) || differs(axis, workloads)
}

/// Whether `axis` has more than one value in `workloads`.
#[must_use]
pub fn differs(axis: &Axis, workloads: &[Workload]) -> bool {
    workloads.windows(2).any(|pair| axis.get(&pair[0]) != axis.get(&pair[1]))
}

/// The axes that a table of `workloads` has a column for; `said` are those that stand elsewhere, in its
/// title or as a mean over their values.
#[must_use]
pub fn columns(workloads: &[Workload], said: &[&str]) -> Vec<&'static Axis> {
    let is_left = |axis: &&Axis| !said.contains(&axis.key) && is_column(axis, workloads);
    AXES.iter().filter(is_left).collect()
}

/// The names of a row that is a workload's and nobody else's.
pub const UNNAMED: [&str; 0] = [];

/// A table whose rows are of workloads: names, a column for each axis that is not said elsewhere, numbers.
#[derive(Debug)]
pub struct WorkloadTable {
    axes: Vec<&'static Axis>,
    /// The table so far.
    pub table: Table,
}

impl WorkloadTable {
    /// A table without rows for `workloads`; see [`columns`] for `said`.
    #[must_use]
    pub fn new(
        workloads: &[Workload],
        said: &[&str],
        names: impl IntoIterator<Item = Column>,
        numbers: impl IntoIterator<Item = Column>,
    ) -> Self {
        let axes = columns(workloads, said);
        let shown = axes.iter().map(|axis| Column::axis(axis));
        let table = Table::new(names.into_iter().chain(shown).chain(numbers));
        Self { axes, table }
    }

    /// Adds a row.
    pub fn row<N: Into<Cell>, C: Into<Cell>>(
        &mut self,
        names: impl IntoIterator<Item = N>,
        workload: &Workload,
        cells: impl IntoIterator<Item = C>,
    ) {
        let names = names.into_iter().map(Into::into);
        let values = self.axes.iter().map(|axis| Cell::from(axis.get(workload)));
        self.table.row(names.chain(values).chain(cells.into_iter().map(Into::into)));
    }
}

/// A sentence about the axes that have one value in all of `workloads` and are neither in `said` nor
/// columns; empty where there is none that a reader would not expect.
#[must_use]
pub fn constants(workloads: &[Workload], said: &[&str]) -> String {
    let Some(first) = workloads.first() else { return String::new() };
    let is_unsaid = |axis: &&Axis| {
        let is_implied = axis.implied == Some(axis.get(first));
        !said.contains(&axis.key) && !is_column(axis, workloads) && !is_implied
    };
    let parts: Vec<String> = AXES
        .iter()
        .filter(is_unsaid)
        .map(|axis| format!("{} {}", axis.name, with_unit(axis, first)))
        .collect();
    if parts.is_empty() { String::new() } else { format!("In all rows: {}.", parts.join(", ")) }
}

/// The axes over which a mean is taken, for a sentence: ` (batch size and value size)` where both differ
/// in `workloads`, nothing where none of `keys` does.
#[must_use]
pub fn over(workloads: &[Workload], keys: &[&str]) -> String {
    let names: Vec<&str> = AXES
        .iter()
        .filter(|axis| keys.contains(&axis.key) && differs(axis, workloads))
        .map(|axis| axis.name)
        .collect();
    if names.is_empty() { String::new() } else { format!(" ({})", listed(&names)) }
}

/// The value of an axis in a title: a name alone, a number with the axis and its unit.
#[must_use]
pub fn words(axis: &Axis, workload: &Workload) -> String {
    match axis.values {
        Values::Names(_) => axis.get(workload).to_string(),
        Values::Numbers { .. } => format!("{} {}", axis.name, with_unit(axis, workload)),
    }
}

fn with_unit(axis: &Axis, workload: &Workload) -> String {
    let value = axis.get(workload);
    axis.unit.map_or_else(|| value.to_string(), |unit| format!("{value} {unit}"))
}

/// Those of `workloads` that have one value of the axis `key`: `wanted` where it is there, otherwise the
/// one in the middle.
#[must_use]
pub fn with_one(workloads: &[Workload], key: &str, wanted: usize) -> Vec<Workload> {
    let Some(axis) = Axis::find(key) else { return workloads.to_vec() };
    let number = |workload: &Workload| match axis.get(workload) {
        Value::Number(number) => number,
        Value::Name(_) => 0,
    };
    let values: BTreeSet<usize> = workloads.iter().map(number).collect();
    let middle = values.iter().nth(values.len().saturating_sub(1) / 2).copied();
    let chosen = if values.contains(&wanted) { Some(wanted) } else { middle };
    workloads.iter().filter(|workload| Some(number(workload)) == chosen).copied().collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn no_axis_is_pooled_unless_it_is_named() {
        let names = ["abort-n1-v4-k4-sequential-nosync", "abort-n10-v8-k4-sequential-nosync"];
        for axis in &AXES {
            let mut workloads: Vec<Workload> = names.map(|name| name.parse().unwrap()).to_vec();
            let other = match axis.values {
                Values::Names(names) => Value::Name(names[names.len() - 1]),
                Values::Numbers { high, .. } => Value::Number(high),
            };
            let mut third = workloads[0];
            axis.set(&mut third, other);
            workloads.push(third);
            let groups = groups_over(&workloads, &AVERAGED);
            let is_named = AVERAGED.contains(&axis.key);
            assert_eq!(groups.len(), if is_named { 1 } else { 2 }, "{}", axis.key);
            assert_eq!(groups_by(&workloads, &[axis.key]).len(), 2 + usize::from(is_named));
            assert!(columns(&workloads, &[]).iter().any(|it| it.key == axis.key));
        }
    }
}
