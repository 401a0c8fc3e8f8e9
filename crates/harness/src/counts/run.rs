//! All cases, several at a time: counts do not mind company.

use std::process::Command;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Mutex, PoisonError};
use std::thread;

use write_backend::Finish;
use write_backend::protocol::allocations::{COUNT, CountReply, CountRequest};

use crate::backends::Kind;
use crate::counts::instructions::Instructions;
use crate::counts::tally::Part;
use crate::counts::tools::Tools;
use crate::counts::{instructions, system_calls};
use crate::interrupt;
use crate::selection::Case;
use crate::worker::session::offers;
use crate::worker::{Failure, ProcessLauncher, Unmeasured, child};
use records::schema::{CaseRecord, Counts};

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Plan {
    /// Before counting: the tree and its list of free pages must have come to their steady state.
    pub warm_up: u64,
    pub transactions: u64,
}

impl Plan {
    /// n unless another is asked for. In its steady state LMDB repeats itself: it was seen to do so
    /// after 2, 3, 4 and 6 transactions, when pages freed by one are used again by a later one. With
    /// a multiple of all these every difference holds whole rounds.
    pub const TRANSACTIONS: u64 = 12;

    /// The plan for n `transactions`. The steady state was seen to be reached after 10 commits.
    pub fn new(transactions: u64) -> Self {
        Self { warm_up: transactions.max(Self::TRANSACTIONS) * 2, transactions }
    }
}

#[derive(Debug, Clone, Copy)]
pub struct Run<'run> {
    pub tools: &'run Tools,
    pub plan: Plan,
}

impl Run<'_> {
    /// Counts all `cases`, as many at a time as there are `launchers`, and calls `done` after each. A
    /// case that fails is a record with the reason. After an interrupt the cases that are not counted
    /// have no record.
    pub fn all(
        self,
        launchers: &mut [ProcessLauncher],
        cases: &[Case],
        done: &(dyn Fn(usize, &Case) + Sync),
    ) -> Vec<CaseRecord> {
        let next = AtomicUsize::new(0);
        let finished = AtomicUsize::new(0);
        let records: Mutex<Vec<Option<CaseRecord>>> = Mutex::new(vec![None; cases.len()]);
        let work = |launcher: &mut ProcessLauncher| {
            loop {
                let place = next.fetch_add(1, Ordering::Relaxed);
                let Some(case) = cases.get(place) else { break };
                let Case { backend, workload } = case;
                let record = match self.one(launcher, case) {
                    Err(_) if interrupt::requested() => break,
                    Ok(counts) => {
                        let ok = CaseRecord::ok(&backend.id, *workload);
                        CaseRecord { counts: Some(counts), ..ok }
                    }
                    Err(failure) => Unmeasured::from(failure).record(&backend.id, *workload),
                };
                records.lock().unwrap_or_else(PoisonError::into_inner)[place] = Some(record);
                done(finished.fetch_add(1, Ordering::Relaxed) + 1, case);
            }
        };
        thread::scope(|scope| {
            for launcher in launchers {
                scope.spawn(|| work(launcher));
            }
        });
        let records = records.into_inner().unwrap_or_else(PoisonError::into_inner);
        records.into_iter().flatten().collect()
    }

    /// Counts one case; the first thing that goes wrong is its failure.
    pub fn one(self, launcher: &mut ProcessLauncher, case: &Case) -> Result<Counts, Failure> {
        let Self { tools, plan } = self;
        let Case { backend, workload } = case;
        offers(&launcher.hello(backend)?, workload)?;
        let mut counts = Counts { transactions: plan.transactions, ..Counts::default() };
        // A backend that has no witness has told nothing about allocations.
        if backend.has_witness() {
            count_allocations(launcher, case, plan, &mut counts)?;
        }
        if tools.valgrind.is_ok() {
            let found = instructions::count(launcher, case, plan)?;
            record(&found, &mut counts);
        }
        if tools.strace.is_ok() && workload.finish == Finish::Commit {
            let found = system_calls::count(launcher, case, plan)?;
            counts.system_calls_per_transaction = Some(found);
        }
        Ok(counts)
    }
}

/// Counts Rust heap allocations, in a program of its own whose allocator counts.
fn count_allocations(
    launcher: &mut ProcessLauncher,
    case: &Case,
    Plan { warm_up, transactions }: Plan,
    counts: &mut Counts,
) -> Result<(), Failure> {
    let place = launcher.place(&case.backend, &case.workload)?;
    let mut command = Command::new(launcher.programs().of(&case.backend, Kind::Witness)?);
    command.arg(COUNT).current_dir(place.directory());
    let request = CountRequest { prepare: place.prepare().clone(), warm_up, transactions };
    let answer = child::answer(command, &request, launcher.settings().start.limit)?;
    match serde_json::from_slice(&answer) {
        Ok(CountReply::Counted { once, twice }) => {
            let per = |once: u64, twice: u64| (twice as f64 - once as f64) / transactions as f64;
            counts.rust_allocations_per_transaction =
                Some(per(once.allocations, twice.allocations));
            counts.rust_bytes_per_transaction = Some(per(once.bytes, twice.bytes));
            launcher.check(place, warm_up + 3 * transactions)
        }
        Ok(CountReply::Failed { reason }) => Err(Failure::Reported(reason)),
        Err(error) => {
            let line: String = String::from_utf8_lossy(&answer).chars().take(200).collect();
            Err(Failure::Failed(format!("the witness spoke nonsense: `{line}` ({error})")))
        }
    }
}

/// Puts `found` into `counts`: of two equal differences the first, of two unequal ones the mean.
fn record(found: &Instructions, counts: &mut Counts) {
    let transactions = counts.transactions;
    let Instructions { second, third } = *found;
    let both = 2 * transactions;
    let per = |number: i64| number as f64 / both as f64;
    let sum = second + third;
    let total = per(sum.total());
    let spread = (third.total() - second.total()).abs() as f64 / transactions as f64;
    counts.instructions_per_transaction = Some(total);
    counts.instructions_spread = Some(spread);
    counts.instructions = Some(sum.split(both));
    counts.c_allocations_per_transaction = Some(per(sum.allocations(Part::Lmdb)));
}

#[cfg(test)]
mod tests {
    use std::rc::Rc;

    use super::*;
    use crate::counts::profile::{Function, Profile};
    use crate::counts::tally::Tally;

    /// So many instructions of LMDB, and a tenth as many calls of the C library's allocator.
    fn tally(instructions: u64) -> Tally {
        let function = |object, name| Function { object: Rc::from(object), name: Rc::from(name) };
        let put = function("worker", "mdb_put");
        let call = (put.clone(), function("libc.so.6", "malloc"));
        let profile = Profile {
            instructions: [(put, instructions)].into(),
            calls: [(call, instructions / 10)].into(),
        };
        Tally::new(&profile, "worker")
    }

    #[test]
    fn a_steady_state_has_no_spread_and_a_drift_is_shown() {
        let counted = |second, third| {
            let mut counts = Counts { transactions: 12, ..Counts::default() };
            let found = Instructions { second: tally(second), third: tally(third) };
            record(&found, &mut counts);
            counts
        };
        let steady = counted(1200, 1200);
        assert_eq!(steady.instructions_per_transaction, Some(100.0));
        assert_eq!(steady.instructions_spread, Some(0.0));
        assert_eq!(steady.c_allocations_per_transaction, Some(10.0));
        assert_eq!(steady.instructions.map(|split| split.lmdb), Some(100.0));
        let drifting = counted(1200, 1212);
        assert_eq!(drifting.instructions_per_transaction, Some(100.5));
        assert_eq!(drifting.instructions_spread, Some(1.0));
    }
}
