//! The system calls of a commit.

use write_backend::{SyncMode, Workload};

use crate::axes::axes;
use crate::table::{Align, Table};
use records::schema::{CaseRecord, Counts, Results};

use super::{cells, columns, counted, number};

/// What the table shows.
pub(super) const ABOUT: &str = "Per transaction, by kind. What a sync mode promises shows here: nosync \
     waits for nothing, nometasync for the pages (fdatasync), sync for pages and meta page, which it \
     writes through a descriptor opened with O_DSYNC (pwrite_dsync). Pages that lie side by side are \
     written by one call, so parts of calls are means.";

/// One row per backend and sync mode. Of a run that has several sync modes the workload that has them
/// all, else every commit.
pub(super) fn table(results: &Results) -> Table {
    let commits: Vec<(&CaseRecord, &Counts)> =
        counted(results).filter(|(_, it)| it.system_calls_per_transaction.is_some()).collect();
    let synced =
        commits.iter().map(|(case, _)| case.workload).find(|it| it.sync != SyncMode::NoSync);
    let shown: Vec<(&CaseRecord, &Counts)> = commits
        .into_iter()
        .filter(|(case, _)| {
            let like = |workload: Workload| Workload { sync: SyncMode::NoSync, ..workload };
            synced.is_none_or(|synced| like(synced) == like(case.workload))
        })
        .collect();
    let mut kinds: Vec<&str> = shown
        .iter()
        .flat_map(|(_, counts)| counts.system_calls_per_transaction.iter().flatten())
        .map(|(kind, _)| kind.as_str())
        .collect();
    kinds.sort_unstable();
    kinds.dedup();
    let workloads: Vec<Workload> = shown.iter().map(|(case, _)| case.workload).collect();
    let more: Vec<(&str, Align)> = kinds.iter().map(|kind| (*kind, Align::Right)).collect();
    let axes = axes(&workloads);
    let columns = columns(&axes, &more);
    let mut table = Table::new(&columns).identified_by(columns.len() - more.len());
    for (case, counts) in shown {
        let calls = counts.system_calls_per_transaction.as_ref();
        let of = |kind: &str| calls.and_then(|calls| calls.get(kind)).copied().unwrap_or(0.0);
        let mut row = cells(case, &axes);
        row.extend(kinds.iter().map(|kind| number(Some(of(kind)))));
        table.row(row);
    }
    table
}
