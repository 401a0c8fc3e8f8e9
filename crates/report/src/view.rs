//! One view of a run, which feeds everything that is shown of it: cases by backend and workload, who is
//! what among the backends, and workloads in groups that agree in all axes but those named.
//!
//! It knows a run's file and nothing else: which backend is a binding, a control or the reference does
//! not depend on what this program can measure today. It knows no axis by name except those of which
//! tables choose one value: what is not shown as a column, a title or a range of values is a group.

use std::collections::{BTreeSet, HashMap};

use write_backend::{AXES, Axis, Value, Values, Workload};

use crate::table::{Cell, Column, Table};
use crate::units::listed;
use records::published::{Published, REFERENCE_HOST};
use records::quality;
use records::schema::{BackendRecord, CaseRecord, Results};
use statistics::Interval;

/// The axes over which means are taken: the others have a row, a title or a picture for each value.
pub const AVERAGED: [&str; 2] = ["batch_size", "value_size"];
/// The value size that is shown where there is room for one: in the middle of the default matrix.
pub const VALUE_SIZE: usize = 64;
/// The axes that a table has a column for even if all its rows have the same value.
const COLUMNS: [&str; 3] = ["finish", "batch_size", "value_size"];
/// The axes that a title names even if all titles have the same value.
const TITLES: [&str; 2] = ["finish", "sync"];

/// What a backend is, as its run's file says it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Role {
    /// The one that all others are compared with.
    Reference,
    /// Raw FFI on another engine: the control of bindings on it.
    Control,
    /// It has a control, and so an overhead.
    Binding,
    /// An engine without a Rust binding: the loop in C that raw FFI is compared with.
    LoopInC,
    /// It stores nothing.
    WithoutLmdb,
}

/// A results file, ready to be asked.
#[derive(Debug, Clone)]
pub struct View<'run> {
    /// The file.
    pub results: &'run Results,
    backends: Vec<&'run BackendRecord>,
    workloads: Vec<Workload>,
    cases: HashMap<(&'run str, Workload), &'run CaseRecord>,
}

impl<'run> View<'run> {
    /// The view of `results`.
    #[must_use]
    pub fn new(results: &'run Results) -> Self {
        let mut workloads = Vec::new();
        let mut known = BTreeSet::new();
        let mut cases = HashMap::new();
        for case in &results.cases {
            if known.insert(case.workload) {
                workloads.push(case.workload);
            }
            cases.insert((case.backend.as_str(), case.workload), case);
        }
        let mut backends: Vec<&BackendRecord> = results.backends.iter().collect();
        backends.sort_by_key(|backend| backend.order);
        Self { results, backends, workloads, cases }
    }

    /// All backends, in the order of tables.
    #[must_use]
    pub fn backends(&self) -> &[&'run BackendRecord] {
        &self.backends
    }

    /// The backend called `id`.
    #[must_use]
    pub fn backend(&self, id: &str) -> Option<&'run BackendRecord> {
        self.backends.iter().find(|backend| backend.id == id).copied()
    }

    /// The backends with a role.
    pub fn with_role(&self, role: Role) -> impl Iterator<Item = &'run BackendRecord> {
        self.backends.iter().copied().filter(move |backend| self.role(backend) == role)
    }

    /// The id of the backend that all others are compared with, or what stands for it in a sentence.
    #[must_use]
    pub fn reference(&self) -> &'run str {
        self.results.reference().unwrap_or("the reference")
    }

    /// What `backend` is.
    #[must_use]
    pub fn role(&self, backend: &BackendRecord) -> Role {
        if backend.reference {
            Role::Reference
        } else if backend.control.is_some() {
            Role::Binding
        } else if backend.engine_version.is_none() {
            Role::WithoutLmdb
        } else if backend.is_loop_in_c() {
            Role::LoopInC
        } else {
            Role::Control
        }
    }

    /// Whether `backend` is no crate of its own but the crate of its control, called in another way.
    #[must_use]
    pub fn is_variant(&self, backend: &BackendRecord) -> bool {
        let control = backend.control.as_ref().and_then(|control| self.backend(control));
        control.is_some_and(|control| control.binding == backend.binding)
    }

    /// All workloads, in the order of the file.
    #[must_use]
    pub fn workloads(&self) -> &[Workload] {
        &self.workloads
    }

    /// The case of a backend on a workload.
    #[must_use]
    pub fn case(&self, backend: &str, workload: &Workload) -> Option<&'run CaseRecord> {
        self.cases.get(&(backend, *workload)).copied()
    }

    /// All cases: workload by workload, the backends of each in the order of tables.
    pub fn cases(&self) -> impl Iterator<Item = &'run CaseRecord> {
        self.cases_on(&self.workloads)
    }

    /// The cases of these workloads.
    pub fn cases_on(&self, workloads: &[Workload]) -> impl Iterator<Item = &'run CaseRecord> {
        workloads.iter().flat_map(|workload| {
            self.backends.iter().filter_map(|backend| self.case(&backend.id, workload))
        })
    }

    /// The cases of one backend on these workloads.
    pub fn cases_of(
        &self,
        backend: &str,
        workloads: &[Workload],
    ) -> impl Iterator<Item = &'run CaseRecord> {
        workloads.iter().filter_map(move |workload| self.case(backend, workload))
    }

    /// The case of a backend's control on the same workload.
    #[must_use]
    pub fn control_of(&self, case: &CaseRecord) -> Option<&'run CaseRecord> {
        self.case(self.backend(&case.backend)?.control.as_ref()?, &case.workload)
    }

    /// The noise floor of a workload.
    #[must_use]
    pub fn noise_floor(&self, workload: &Workload) -> Option<Interval> {
        self.backends.iter().find_map(|backend| self.case(&backend.id, workload)?.noise_floor)
    }

    /// All workloads in groups that agree in all axes but those of `over`.
    #[must_use]
    pub fn groups_over(&self, over: &[&str]) -> Vec<Group> {
        groups_over(&self.workloads, over)
    }
}

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
/// use report::view::groups_over;
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

/// A published run with the views of its files.
#[derive(Debug)]
pub struct RunView<'run> {
    /// The run.
    pub run: &'run Published,
    /// Times and ratios, engines as their crates ship them.
    pub compare: Option<View<'run>>,
    /// The same with all engines compiled with equal flags.
    pub equal_flags: Option<View<'run>>,
    /// Counts.
    pub counts: Option<View<'run>>,
}

impl<'run> RunView<'run> {
    /// The view of `run`.
    #[must_use]
    pub fn new(run: &'run Published) -> Self {
        let view = |results: &'run Option<Results>| results.as_ref().map(View::new);
        let (compare, equal_flags) = (view(&run.compare), view(&run.equal_flags));
        Self { run, compare, equal_flags, counts: view(&run.counts) }
    }

    /// The comparison whose times are shown: as shipped, or else with equal flags.
    #[must_use]
    pub fn timed(&self) -> Option<&View<'run>> {
        self.compare.as_ref().or(self.equal_flags.as_ref())
    }

    /// Where the run is below the directory of all results: `xeon-vm/2026-11-30`. With slashes on every
    /// system, so that the same data gives the same documents.
    #[must_use]
    pub fn place(&self) -> String {
        format!("{}/{}", self.run.host, self.run.date)
    }

    /// What the run is called.
    #[must_use]
    pub fn name(&self) -> String {
        format!("{}, {}", self.run.host, self.run.date)
    }
}

/// The newest run of the reference machine for which `find` finds something, and what it found.
pub fn of_reference<'a, T>(
    runs: &'a [RunView<'a>],
    find: impl Fn(&'a RunView<'a>) -> Option<T>,
) -> Option<(&'a RunView<'a>, T)> {
    let mut mine = runs.iter().rev().filter(|view| view.run.host == REFERENCE_HOST);
    mine.find_map(|view| Some((view, find(view)?)))
}

/// The comparison of the reference machine that documents show: the newest with the whole default
/// matrix, or else the newest.
#[must_use]
pub fn shown_comparison<'a>(runs: &'a [RunView<'a>]) -> Option<(&'a RunView<'a>, &'a View<'a>)> {
    let whole = |it: &'a RunView<'a>| {
        it.compare.as_ref().filter(|view| quality::has_default_matrix(view.results))
    };
    of_reference(runs, whole).or_else(|| of_reference(runs, |it| it.compare.as_ref()))
}

#[cfg(test)]
mod tests {
    use super::Role::{Binding, Control, LoopInC, Reference, WithoutLmdb};
    use super::*;
    use records::testing::Run;

    #[test]
    fn roles_follow_from_the_file() {
        let run = Run::whole()
            .backend("owned-buffer", Some("raw-ffi"), 1.4)
            .backend("null", None, 0.01)
            .backend("c-reference", None, 1.0)
            .edit(|run| {
                run.backends[3].binding = run.backends[0].binding.clone();
                run.backends[4].engine_version = None;
                run.backends[5].binding = None;
            })
            .build();
        let view = View::new(&run);
        let roles: Vec<Role> = view.backends().iter().map(|it| view.role(it)).collect();
        assert_eq!(roles, [Reference, Control, Binding, Binding, WithoutLmdb, LoopInC]);
        let variants = view.backends().iter().filter(|it| view.is_variant(it));
        assert_eq!(variants.map(|it| it.id.as_str()).collect::<Vec<_>>(), ["owned-buffer"]);
    }

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

    #[test]
    fn one_value_is_the_wanted_one_or_that_in_the_middle() {
        let sizes = |sizes: &[usize], wanted| {
            let with = |size: &usize| Workload { value_size: *size, ..Workload::default() };
            let all: Vec<Workload> = sizes.iter().map(with).collect();
            with_one(&all, "value_size", wanted).first().map(|it| it.value_size)
        };
        assert_eq!(sizes(&[4, 64, 256], 64), Some(64));
        assert_eq!(sizes(&[256, 4, 16], 64), Some(16));
        assert_eq!(sizes(&[], 64), None);
    }
}
