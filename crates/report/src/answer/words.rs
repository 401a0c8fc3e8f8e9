//! A run in a few sentences. One that the data does not support is not made.

use write_backend::{Finish, SyncMode, Workload};

use crate::answer::bindings::{choices, controlled, fastest};
use crate::answer::matrix::{Cell, Pair, cells, change, farthest, give_or_take};
use crate::groups::{Group, groups_by};
use crate::units::{self, listed};
use crate::view::View;

/// The first lines of a run: who was told apart from whom. Of commits, where there are any.
#[must_use]
pub fn verdicts(view: &View<'_>) -> Vec<String> {
    let groups = groups_by(view.workloads(), &["finish", "sync"]);
    let has_commits = groups.iter().any(|it| it.like.finish == Finish::Commit);
    let is_meant = |it: &&Group| !has_commits || it.like.finish == Finish::Commit;
    groups.iter().filter(is_meant).filter_map(|group| verdict(view, group)).collect()
}

fn verdict(view: &View<'_>, group: &Group) -> Option<String> {
    let choices = choices(view);
    let timed: Vec<&str> = choices
        .iter()
        .copied()
        .filter(|id| view.cases_of(id, &group.workloads).any(|case| case.time.is_some()))
        .collect();
    let (text, pairs) = match timed.as_slice() {
        [] | [_] => against_control(view, group)?,
        _ => against_fastest(view, &timed, group)?,
    };
    let most = most_added(view, &pairs, &group.workloads);
    let most =
        most.map_or(String::new(), |it| format!(" At most {} a transaction.", units::time(it)));
    Some(format!("{}: {text}.{most}{}", group.title, waiting(view, group)))
}

/// Bindings over raw FFI, where there are not two to choose from.
fn against_control<'a>(view: &View<'a>, group: &Group) -> Option<(String, Vec<Pair<'a>>)> {
    let pairs = controlled(view);
    let found = cells(view, &pairs, std::slice::from_ref(group));
    let words: Vec<String> =
        pairs.iter().zip(&found).filter_map(|((id, _), row)| one(id, row.first()?)).collect();
    let text = format!("over raw FFI on the same LMDB {}", listed(&words));
    (!words.is_empty()).then_some((text, pairs))
}

/// Bindings and their engines over the fastest of them.
fn against_fastest<'a>(
    view: &View<'_>,
    choices: &[&'a str],
    group: &Group,
) -> Option<(String, Vec<Pair<'a>>)> {
    let base = fastest(view, choices, &group.workloads)?;
    let pairs: Vec<Pair<'a>> =
        choices.iter().filter(|id| **id != base).map(|id| (*id, base)).collect();
    let found = cells(view, &pairs, std::slice::from_ref(group));
    let rows: Vec<(&str, Cell)> =
        pairs.iter().zip(&found).filter_map(|((id, _), row)| Some((*id, *row.first()?))).collect();
    let equal: Vec<f64> = rows
        .iter()
        .filter_map(|(_, cell)| if let Cell::Equal(it) = cell { Some(farthest(it)) } else { None })
        .collect();
    let text = if equal.len() == rows.len() {
        let names: Vec<&str> = choices.to_vec();
        let within = equal.iter().copied().fold(0.0, f64::max);
        format!("{}: not told apart here, within {} %", listed(&names), give_or_take(within))
    } else {
        let words: Vec<String> = rows.iter().filter_map(|(id, cell)| one(id, cell)).collect();
        format!("over {base}, each with its LMDB, {}", listed(&words))
    };
    Some((text, pairs))
}

/// `heed +2.0 ±0.3 %`.
fn one(id: &str, cell: &Cell) -> Option<String> {
    Some(match cell {
        Cell::Found(it) => format!("{id} {} %", change(it.estimate, Some(it))),
        Cell::Equal(it) => {
            format!("{id} not told apart ({} %)", give_or_take(farthest(it)))
        }
        Cell::OneBuild(ratio, it) => {
            format!("{id} {} % in one build", change(*ratio, it.as_ref()))
        }
        Cell::Absent => return None,
    })
}

/// The most that one of `pairs` adds, by the upper end of its interval, in nanoseconds.
fn most_added(view: &View<'_>, pairs: &[Pair<'_>], workloads: &[Workload]) -> Option<f64> {
    let added = pairs.iter().flat_map(|(over, under)| {
        workloads.iter().filter_map(move |it| {
            let (_, interval) = view.results.ratio(over, under, it)?;
            let base = view.case(under, it)?.time.as_ref()?.median_ns;
            Some(base * (interval.high - 1.0).max(1.0 - interval.low))
        })
    });
    Some(units::extent(added)?.1).filter(|most| *most > 0.0)
}

/// How much of a commit is waiting for the disk, where the run has the same commits without it.
fn waiting(view: &View<'_>, group: &Group) -> String {
    if group.like.sync == SyncMode::NoSync {
        return String::new();
    }
    let share = |it: &Workload| {
        let time = |it: &Workload| Some(view.case(view.reference(), it)?.time.as_ref()?.median_ns);
        let without = time(&Workload { sync: SyncMode::NoSync, ..*it })?;
        Some(1.0 - without / time(it)?)
    };
    let shares = group.workloads.iter().filter_map(share);
    let range = units::range(shares, |it| format!("{:.1} %", it * 100.0));
    range.map_or(String::new(), |it| format!(" {it} of it is waiting for the disk."))
}
