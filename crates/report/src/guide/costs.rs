//! What a binding adds to a committed transaction, and from when on that is next to nothing.

use write_backend::{Finish, SyncMode, Workload};

use crate::groups::{Group, WorkloadTable, groups_over};
use crate::table::Column;
use crate::units;
use crate::view::{Role, View};
use records::schema::CaseRecord;

/// The share of a transaction's time from which on a binding's part is called small here.
const SMALL: f64 = 0.01;
/// The axis over which the lowest and the highest are given.
const OVER: [&str; 1] = ["value_size"];

/// What a binding adds to a commit, over the value sizes, in nanoseconds.
#[derive(Debug, Clone, PartialEq)]
pub struct Cost {
    /// The backend.
    pub backend: String,
    /// The commits, which differ in the value size alone.
    pub group: Group,
    /// The lowest and the highest estimate.
    pub extra: (f64, f64),
    /// The highest upper end of an interval.
    pub at_most: f64,
}

impl Cost {
    /// The shortest transaction of which the binding's part is small even by [`Cost::at_most`], in
    /// nanoseconds; `None` where that upper end says that it adds nothing.
    #[must_use]
    pub fn small_from(&self) -> Option<f64> {
        (self.at_most > 0.0).then_some(self.at_most / SMALL)
    }
}

/// The commits that wait for nothing: there a binding's part is largest.
fn commits(view: &View<'_>) -> Vec<Workload> {
    let is_meant = |it: &&Workload| it.finish == Finish::Commit && it.sync == SyncMode::NoSync;
    view.workloads().iter().filter(is_meant).copied().collect()
}

/// The costs of all bindings, each group of commits on its own.
#[must_use]
pub fn costs(view: &View<'_>) -> Vec<Cost> {
    let groups = groups_over(&commits(view), &OVER);
    let bindings = view.with_role(Role::Binding);
    let pairs = bindings.flat_map(|it| groups.iter().map(move |group| (it, group)));
    let cost = |(backend, group): (&records::schema::BackendRecord, &Group)| {
        let cases = view.cases_of(&backend.id, &group.workloads);
        let added: Vec<(f64, f64)> = cases.filter_map(|case| added(view, case)).collect();
        let extra = units::extent(added.iter().map(|(extra, _)| *extra))?;
        let (_, at_most) = units::extent(added.iter().map(|(_, at_most)| *at_most))?;
        Some(Cost { backend: backend.id.clone(), group: group.clone(), extra, at_most })
    };
    pairs.filter_map(cost).collect()
}

/// What the case adds to its control's median time: as estimated, and by the upper end of the interval.
fn added(view: &View<'_>, case: &CaseRecord) -> Option<(f64, f64)> {
    let overhead = case.overhead.as_ref()?;
    let control = view.control_of(case)?.time.as_ref()?.median_ns;
    Some((control * (overhead.estimate - 1.0), control * (overhead.high - 1.0)))
}

/// The table and how to read it.
#[must_use]
pub fn section(view: &View<'_>) -> String {
    let costs = costs(view);
    let likes: Vec<Workload> = costs.iter().map(|cost| cost.group.like).collect();
    let said = ["finish", "sync", "value_size"];
    let numbers = ["Adds", "at most", "Small from"].map(Column::right);
    let mut table = WorkloadTable::new(&likes, &said, [Column::left("Backend")], numbers);
    if costs.is_empty() {
        return "No commits were compared.\n".to_owned();
    }
    let nanoseconds = |value: f64| format!("{value:.0} ns");
    for cost in costs {
        let (low, high) = cost.extra;
        let cells = [
            units::range([low, high], nanoseconds).unwrap_or_default(),
            nanoseconds(cost.at_most),
            units::or_absent(cost.small_from(), units::time),
        ];
        table.row([cost.backend], &cost.group.like, cells);
    }
    let table = table.table;
    format!(
        "What a binding adds to a committed transaction: its overhead times the median time of raw FFI on the same LMDB, \
         from the lowest to the highest over value sizes. \"At most\" takes the upper ends of the intervals. These commits \
         do not wait for the disk. A commit that does wait takes longer, but the binding adds no more to it. Once a \
         transaction takes as long as \"Small from\" says, the binding's part is below {}, also by the upper end.\n\n\
         {table}{}",
        units::percent(SMALL),
        durations(view)
    )
}

/// How long the commits are that this is added to.
fn durations(view: &View<'_>) -> String {
    let reference = view.reference();
    let commits = commits(view);
    let cases = view.cases_of(reference, &commits);
    let medians = cases.filter_map(|case| Some(case.time.as_ref()?.median_ns));
    let Some(range) = units::range(medians, units::time) else { return String::new() };
    format!(
        "\nThe transactions of {reference} in this table's run took {range} (medians). `cargo bench -p harness --bench \
         compare -- --finish commit --sync sync --dir DIR` shows how long one takes that waits for your disk.\n"
    )
}

#[cfg(test)]
mod tests {
    use expect_test::expect;

    use super::*;
    use records::testing::Run;

    #[test]
    fn what_is_added_is_small_from_a_hundred_times_that() {
        let names = ["commit-n10-v4-k4-sequential-nosync", "commit-n10-v64-k4-sequential-nosync"];
        let run = Run::whole().workloads(&names).build();
        let view = View::new(&run);
        expect![[r#"
            What a binding adds to a committed transaction: its overhead times the median time of raw FFI on the same LMDB, from the lowest to the highest over value sizes. "At most" takes the upper ends of the intervals. These commits do not wait for the disk. A commit that does wait takes longer, but the binding adds no more to it. Once a transaction takes as long as "Small from" says, the binding's part is below 1 %, also by the upper end.

            | Backend | BatchSize |           Adds | at most | Small from |
            |---------|----------:|---------------:|--------:|-----------:|
            | heed    |        10 | 89 ns to 92 ns |   92 ns |   9.190 μs |

            The transactions of raw-ffi in this table's run took 2.004 μs to 2.064 μs (medians). `cargo bench -p harness --bench compare -- --finish commit --sync sync --dir DIR` shows how long one takes that waits for your disk.
        "#]].assert_eq(&section(&view));
        let nothing = Cost { at_most: -1.0, ..costs(&view)[0].clone() };
        assert_eq!(nothing.small_from(), None);
        for other in ["commit-n10-v4-k4-sequential-sync", "abort-n10-v4-k4-sequential-nosync"] {
            let run = Run::whole().workloads(&[other]).build();
            assert_eq!(section(&View::new(&run)), "No commits were compared.\n");
        }
    }
}
