//! What a binding adds to a committed transaction, and from when on that is next to nothing.

use write_backend::{Finish, SyncMode};

use crate::table::{Align, Table};
use crate::units;
use records::schema::{CaseRecord, Results};

/// The share of a transaction's time from which on a binding's part is called small here.
const SMALL: f64 = 0.01;

/// What a binding adds to a commit with a number of puts, over the other axes, in nanoseconds.
#[derive(Debug, Clone, PartialEq)]
pub struct Cost {
    /// The backend.
    pub backend: String,
    /// Puts per transaction.
    pub batch_size: usize,
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

/// The costs of all backends with an overhead, by backend and number of puts. Commits that wait for
/// nothing alone: there a binding's part is largest.
#[must_use]
pub fn costs(compare: &Results) -> Vec<Cost> {
    let mut costs: Vec<Cost> = Vec::new();
    for backend in &compare.backends {
        let mut mine: Vec<Cost> = Vec::new();
        for case in compare.cases.iter().filter(|case| case.backend == backend.id) {
            let Some((extra, at_most)) = added(compare, case) else { continue };
            let batch_size = case.workload.batch_size;
            match mine.iter_mut().find(|cost| cost.batch_size == batch_size) {
                Some(cost) => {
                    cost.extra = (cost.extra.0.min(extra), cost.extra.1.max(extra));
                    cost.at_most = cost.at_most.max(at_most);
                }
                None => mine.push(Cost {
                    backend: backend.id.clone(),
                    batch_size,
                    extra: (extra, extra),
                    at_most,
                }),
            }
        }
        mine.sort_by_key(|cost| cost.batch_size);
        costs.extend(mine);
    }
    costs
}

/// What the case adds to its control's median time: as estimated, and by the upper end of the
/// interval.
fn added(compare: &Results, case: &CaseRecord) -> Option<(f64, f64)> {
    let is_plain = case.workload.finish == Finish::Commit && case.workload.sync == SyncMode::NoSync;
    let overhead = case.overhead.as_ref().filter(|_| is_plain)?;
    let is_control =
        |it: &&CaseRecord| it.backend == overhead.against && it.workload == case.workload;
    let control = compare.cases.iter().find(is_control)?.time.as_ref()?.median_ns;
    Some((control * (overhead.estimate - 1.0), control * (overhead.high - 1.0)))
}

/// The table and how to read it.
#[must_use]
pub fn section(compare: &Results) -> String {
    let mut table = Table::new(&[
        ("Backend", Align::Left),
        ("BatchSize", Align::Right),
        ("Adds", Align::Right),
        ("at most", Align::Right),
        ("Small from", Align::Right),
    ]);
    for cost in costs(compare) {
        let (low, high) = cost.extra;
        table.row([
            cost.backend.clone(),
            cost.batch_size.to_string(),
            range(low, high),
            format!("{:.0} ns", cost.at_most),
            cost.small_from().map_or("-".to_owned(), units::time),
        ]);
    }
    if table.is_empty() {
        return "No commits were compared.\n".to_owned();
    }
    format!(
        "What a binding adds to a committed transaction: its overhead times the median time of raw FFI on the same LMDB, \
         from the lowest to the highest value size; \"at most\" takes the upper ends of the intervals. These commits do \
         not wait for the disk. If one that does takes longer by that wait alone, what the binding adds stays what it is: \
         once a transaction takes as long as \"Small from\" says, the binding's part is below {:.0} %, also by the upper \
         end.\n\n{table}{}",
        SMALL * 100.0,
        commits(compare)
    )
}

/// From `low` to `high` in nanoseconds; once where both look the same.
fn range(low: f64, high: f64) -> String {
    let [low, high] = [low, high].map(|it| format!("{it:.0}"));
    if low == high { format!("{low} ns") } else { format!("{low} to {high} ns") }
}

/// How long the commits are that this is added to.
fn commits(compare: &Results) -> String {
    let is_plain = |case: &&CaseRecord| {
        case.backend == crate::REFERENCE
            && case.workload.finish == Finish::Commit
            && case.workload.sync == SyncMode::NoSync
    };
    let cases = compare.cases.iter().filter(is_plain);
    let times: Vec<f64> = cases.filter_map(|case| Some(case.time.as_ref()?.median_ns)).collect();
    let lowest = times.iter().copied().reduce(f64::min);
    let highest = times.iter().copied().reduce(f64::max);
    match (lowest, highest) {
        (Some(lowest), Some(highest)) => format!(
            "\nThe transactions of raw-ffi in this table's run took {} to {} (medians). How long one takes that waits for \
             your disk, `cargo bench -p harness --bench compare -- --finish commit --sync sync --dir DIR` tells.\n",
            units::time(lowest),
            units::time(highest)
        ),
        _ => String::new(),
    }
}

#[cfg(test)]
mod tests {
    // The snapshot tool writes them so.
    #![allow(clippy::needless_raw_string_hashes)]

    use expect_test::expect;

    use super::*;
    use crate::snapshots::results;

    #[test]
    fn what_is_added_is_small_from_a_hundred_times_that() {
        let costs = costs(&results());
        assert_eq!(costs.len(), 1, "controls have no cost");
        let Cost { at_most, extra: (low, high), .. } = costs[0];
        // 3 % and 4 % of the control's 1810 ns.
        assert!((low - 54.3).abs() < 1e-6 && (high - 54.3).abs() < 1e-6);
        assert!((at_most - 72.4).abs() < 1e-6);
        assert!((costs[0].small_from().unwrap() - 7240.0).abs() < 1e-6);
        let nothing = Cost { at_most: -1.0, ..costs[0].clone() };
        assert_eq!(nothing.small_from(), None);
    }

    #[test]
    fn the_section_says_how_to_read_it() {
        expect![[r#"
            What a binding adds to a committed transaction: its overhead times the median time of raw FFI on the same LMDB, from the lowest to the highest value size; "at most" takes the upper ends of the intervals. These commits do not wait for the disk. If one that does takes longer by that wait alone, what the binding adds stays what it is: once a transaction takes as long as "Small from" says, the binding's part is below 1 %, also by the upper end.

            | Backend | BatchSize |  Adds | at most | Small from |
            |---------|----------:|------:|--------:|-----------:|
            | heed    |        10 | 54 ns |   72 ns |   7.240 μs |

            The transactions of raw-ffi in this table's run took 2.010 μs to 2.010 μs (medians). How long one takes that waits for your disk, `cargo bench -p harness --bench compare -- --finish commit --sync sync --dir DIR` tells.
        "#]].assert_eq(&section(&results()));
        let mut none = results();
        none.cases.retain(|case| case.overhead.is_none());
        assert_eq!(section(&none), "No commits were compared.\n");
    }

    #[test]
    fn commits_that_wait_are_left_out() {
        let mut waiting = results();
        for case in &mut waiting.cases {
            case.workload.sync = SyncMode::Sync;
        }
        assert_eq!(costs(&waiting), []);
    }
}
