//! Several machines beside each other: what each found, and where they disagree.

use write_backend::Workload;

use crate::answer::bindings::controlled;
use crate::answer::matrix::{Cell, cells, change};
use crate::groups::{AVERAGED, Group};
use crate::table::{Column, Table, bullets};
use crate::units::{self, ABSENT, listed};
use crate::view::{RunView, View};
use records::quality;

/// The newest comparison of each machine, one with the whole default matrix where there is one.
#[must_use]
pub fn newest<'a>(runs: &'a [RunView<'a>]) -> Vec<(&'a RunView<'a>, &'a View<'a>)> {
    let mut newest: Vec<(&RunView<'_>, &View<'_>)> = Vec::new();
    for run in runs {
        let Some(view) = &run.compare else { continue };
        match newest.iter_mut().find(|(known, _)| known.run.host == run.run.host) {
            Some((_, known))
                if quality::has_default_matrix(known.results)
                    && !quality::has_default_matrix(view.results) => {}
            Some(known) => *known = (run, view),
            None => newest.push((run, view)),
        }
    }
    newest
}

/// What one machine found of a backend on a group of workloads.
struct Finding<'a> {
    backend: &'a str,
    like: Workload,
    title: String,
    cell: Cell,
}

fn findings<'a>(view: &View<'a>) -> Vec<Finding<'a>> {
    let groups: Vec<Group> = view.groups_over(&AVERAGED);
    let pairs = controlled(view);
    let found = cells(view, &pairs, &groups);
    let mut findings = Vec::new();
    for ((backend, _), row) in pairs.iter().zip(found) {
        for (group, cell) in groups.iter().zip(row) {
            findings.push(Finding { backend, like: group.like, title: group.title.clone(), cell });
        }
    }
    findings
}

/// The machines in a table, and in words where they disagree; `None` of a single machine.
#[must_use]
pub fn section(runs: &[RunView<'_>]) -> Option<String> {
    let machines = newest(runs);
    if machines.len() < 2 {
        return None;
    }
    let names: Vec<String> = machines.iter().map(|(run, _)| run.name()).collect();
    let found: Vec<Vec<Finding<'_>>> = machines.iter().map(|(_, view)| findings(view)).collect();
    let columns = names.iter().map(|name| Column::right(name.as_str()));
    let names_of_rows = ["Backend", "Workloads"].map(Column::left);
    let columns = names_of_rows.into_iter().chain(columns).chain([Column::right("All machines")]);
    let mut table = Table::new(columns);
    let (mut disagreements, mut can_disagree) = (Vec::new(), false);
    let mut rows: Vec<(&str, Workload, &str)> = Vec::new();
    for it in found.iter().flatten() {
        if !rows.iter().any(|row| (row.0, row.1) == (it.backend, it.like)) {
            rows.push((it.backend, it.like, &it.title));
        }
    }
    for (backend, like, title) in rows {
        let of = |machine: &Vec<Finding<'_>>| {
            let found = machine.iter().find(|it| (it.backend, it.like) == (backend, like));
            found.map_or(Cell::Absent, |it| it.cell)
        };
        let cells: Vec<Cell> = found.iter().map(of).collect();
        let texts = cells.iter().map(Cell::text).chain([range(&cells)]);
        table.row([backend.to_owned(), title.to_owned()].into_iter().chain(texts));
        can_disagree |= intervals(&cells, &names).len() > 1;
        disagreements
            .extend(disagreement(&cells, &names).map(|it| format!("{backend}, {title}: {it}")));
    }
    let one_build = found.iter().flatten().any(|it| matches!(it.cell, Cell::OneBuild(..)));
    let brackets = if one_build {
        " In brackets: one link order for all launches, so that it holds for one build, which may be off by \
         more than its interval; it does not enter the last column."
    } else {
        ""
    };
    let disagreements = if !can_disagree {
        "Whether they agree cannot be said: fewer than two have intervals.\n".to_owned()
    } else if disagreements.is_empty() {
        "The machines do not contradict each other.\n".to_owned()
    } else {
        format!("Where the machines disagree:\n\n{}", bullets(&disagreements))
    };
    Some(format!(
        "The binding's share, in percent over raw FFI on the same LMDB, on each machine; means over batch and \
         value sizes. All machines: from the lowest to the highest end of their intervals, since so few \
         machines say nothing of how such estimates are spread.{brackets}\n\n{table}\n{disagreements}"
    ))
}

/// From the lowest to the highest end of the intervals of machines with many link orders.
fn range(cells: &[Cell]) -> String {
    let ends: Vec<(f64, f64)> = cells
        .iter()
        .filter_map(|cell| match cell {
            Cell::Found(it) | Cell::Equal(it) => Some((it.low, it.high)),
            Cell::OneBuild(..) | Cell::Absent => None,
        })
        .collect();
    let low = units::extent(ends.iter().map(|it| it.0)).filter(|_| ends.len() > 1);
    let high = units::extent(ends.iter().map(|it| it.1));
    match (low, high) {
        (Some((low, _)), Some((_, high))) => {
            format!("{} to {}", change(low, None), change(high, None))
        }
        _ => ABSENT.to_owned(),
    }
}

/// The intervals, each with the machine that has it.
fn intervals<'a>(cells: &[Cell], names: &'a [String]) -> Vec<(&'a String, f64, f64)> {
    let interval = |(cell, name): (&Cell, &'a String)| match cell {
        Cell::Found(it) | Cell::Equal(it) | Cell::OneBuild(_, Some(it)) => {
            Some((name, it.low, it.high))
        }
        Cell::OneBuild(..) | Cell::Absent => None,
    };
    cells.iter().zip(names).filter_map(interval).collect()
}

/// Which machines have differences of opposite sign, or intervals that do not meet.
fn disagreement(cells: &[Cell], names: &[String]) -> Option<String> {
    let found = intervals(cells, names);
    let mut words = Vec::new();
    for (place, (name, low, high)) in found.iter().enumerate() {
        for (other, other_low, other_high) in &found[place + 1..] {
            let apart = low > other_high || other_low > high;
            let opposite = (*low > 1.0 && *other_high < 1.0) || (*other_low > 1.0 && *high < 1.0);
            if apart {
                let how = if opposite { "opposite signs" } else { "intervals that do not meet" };
                words.push(format!("{name} and {other} have {how}"));
            }
        }
    }
    (!words.is_empty()).then(|| listed(&words))
}

#[cfg(test)]
mod tests {
    use super::*;
    use records::published::Published;
    use records::testing::Run;

    #[test]
    fn machines_stand_beside_each_other_and_disagreement_is_said() {
        let published = |host: &str, factor: f64, one_build: bool| {
            let run = Run::compare()
                .backend("raw-ffi", None, 1.0)
                .backend("heed", Some("raw-ffi"), factor)
                .edit(|run| run.backends[1].one_link_order = one_build.then(|| "old".to_owned()));
            Published { compare: Some(run.build()), ..Published::empty(host, "2026-01-02") }
        };
        let text = |runs: &[Published]| {
            let views: Vec<RunView<'_>> = runs.iter().map(RunView::new).collect();
            section(&views)
        };
        let [one, two] =
            [("a", 1.05), ("b", 0.95)].map(|(it, factor)| published(it, factor, false));
        assert_eq!(text(std::slice::from_ref(&one)), None);
        let found = text(&[one.clone(), two]).unwrap();
        assert!(found.contains("opposite signs") && found.contains("-5.0 to +4.9"), "{found}");
        let found = text(&[one.clone(), published("c", 1.05, true)]).unwrap();
        assert!(found.contains("[+4.9±0.1]") && found.contains("do not contradict"), "{found}");
    }
}
