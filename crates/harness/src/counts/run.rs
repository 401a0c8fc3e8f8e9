//! All cases, several at a time: counts do not mind company.

use std::path::Path;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Mutex, PoisonError};
use std::thread;

use write_backend::Finish;

use crate::backends::{Kind, Programs};
use crate::counts::instructions::Instructions;
use crate::counts::place::Place;
use crate::counts::tools::Tools;
use crate::counts::{allocations, instructions, system_calls};
use crate::interrupt;
use crate::selection::Case;
use crate::worker::launcher::Settings;
use crate::worker::session::{self, Session};
use crate::worker::{Failure, Unmeasured};
use records::schema::{CaseRecord, Counts};

/// How many transactions are run.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Plan {
    /// Before counting: the tree and its list of free pages must have come to their steady state.
    pub warm_up: u64,
    /// n: counted are n, 2n and 3n.
    pub transactions: u64,
}

impl Plan {
    /// n unless another is asked for. In its steady state LMDB repeats itself: it was seen to do so
    /// after 2, 3, 4 and 6 transactions, when pages freed by one are used again by a later one. With
    /// a multiple of all these every difference holds whole rounds.
    pub const TRANSACTIONS: u64 = 12;

    /// The plan for n `transactions`. The steady state was seen to be reached after 10 commits.
    #[must_use]
    pub fn new(transactions: u64) -> Self {
        Self { warm_up: transactions.max(Self::TRANSACTIONS) * 2, transactions }
    }
}

/// What counting needs, the same for all cases.
#[derive(Debug)]
pub struct Run<'a> {
    /// The programs to count.
    pub programs: &'a Programs,
    /// What counts.
    pub tools: &'a Tools,
    /// Environments and time limits.
    pub settings: &'a Settings,
    /// Where the cases' directories are made.
    pub root: &'a Path,
    /// How many transactions are run.
    pub plan: Plan,
}

impl Run<'_> {
    /// Counts all `cases`, up to `jobs` at a time, and calls `done` after each. A case that fails is
    /// a record with the reason. After an interrupt the cases that are not counted have no record.
    pub fn all(
        &self,
        cases: &[Case],
        jobs: usize,
        done: &(dyn Fn(usize, &Case) + Sync),
    ) -> Vec<CaseRecord> {
        let next = AtomicUsize::new(0);
        let finished = AtomicUsize::new(0);
        let records: Mutex<Vec<Option<CaseRecord>>> = Mutex::new(vec![None; cases.len()]);
        let work = || {
            loop {
                let index = next.fetch_add(1, Ordering::Relaxed);
                let Some(case) = cases.get(index) else { break };
                let record = match self.one(case) {
                    Err(_) if interrupt::requested() => break,
                    Ok(counts) => CaseRecord {
                        counts: Some(counts),
                        ..CaseRecord::ok(&case.backend.id, case.workload)
                    },
                    Err(failure) => {
                        Unmeasured::from(failure).record(&case.backend.id, case.workload)
                    }
                };
                records.lock().unwrap_or_else(PoisonError::into_inner)[index] = Some(record);
                done(finished.fetch_add(1, Ordering::Relaxed) + 1, case);
            }
        };
        thread::scope(|scope| {
            for _ in 0..jobs.clamp(1, cases.len().max(1)) {
                scope.spawn(work);
            }
        });
        let records = records.into_inner().unwrap_or_else(PoisonError::into_inner);
        records.into_iter().flatten().collect()
    }

    /// Counts one case.
    ///
    /// # Errors
    /// The first thing that goes wrong.
    pub fn one(&self, case: &Case) -> Result<Counts, Failure> {
        self.offered(case)?;
        let mut counts = Counts { transactions: self.plan.transactions, ..Counts::default() };
        self.allocations(case, &mut counts)?;
        if self.tools.valgrind.is_ok() {
            self.instructions(case, &mut counts)?;
        }
        if self.tools.strace.is_ok() && case.workload.finish == Finish::Commit {
            self.system_calls(case, &mut counts)?;
        }
        Ok(counts)
    }

    /// Asks the worker of a case whether it can run it.
    fn offered(&self, case: &Case) -> Result<(), Failure> {
        let program = self.programs.of(&case.backend, Kind::Worker)?;
        let (session, hello) = Session::start(program, &case.backend, &self.settings.start)?;
        session.finish()?;
        session::offers(&hello, &case.workload)
    }

    fn allocations(&self, case: &Case, counts: &mut Counts) -> Result<(), Failure> {
        // Who brings none has told nothing about allocations.
        if !case.backend.has_witness() {
            return Ok(());
        }
        let place = Place::new(self.root, self.settings, &case.workload)?;
        let program = self.programs.of(&case.backend, Kind::Witness)?;
        let limit = self.settings.start.limit;
        let found = allocations::count(program, &place, limit, self.plan)?;
        self.verify(place, case, 3)?;
        counts.rust_allocations_per_transaction = Some(found.allocations);
        counts.rust_bytes_per_transaction = Some(found.bytes);
        Ok(())
    }

    fn instructions(&self, case: &Case, counts: &mut Counts) -> Result<(), Failure> {
        let Case { backend, workload } = case;
        let place = Place::new(self.root, self.settings, workload)?;
        let program = self.programs.of(backend, Kind::Worker)?;
        let found = instructions::count(program, backend, &place, &self.settings.start, self.plan)?;
        self.verify(place, case, 6)?;
        record(&found, counts);
        Ok(())
    }

    fn system_calls(&self, case: &Case, counts: &mut Counts) -> Result<(), Failure> {
        let place = Place::new(self.root, self.settings, &case.workload)?;
        let program = self.programs.of(&case.backend, Kind::Worker)?;
        let start = &self.settings.start;
        let found = system_calls::count(program, &case.backend, &place, start, self.plan)?;
        self.verify(place, case, 3)?;
        counts.system_calls_per_transaction = Some(found);
        Ok(())
    }

    /// Checks what the warm-up and `runs` times n transactions have left.
    fn verify(&self, place: Place, case: &Case, runs: u64) -> Result<(), Failure> {
        let transactions = self.plan.warm_up + runs * self.plan.transactions;
        let Settings { start, .. } = self.settings;
        place.verify(self.programs, start, &case.backend, transactions)
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
    counts.c_allocations_per_transaction = Some(per(sum.c_allocations));
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::counts::split::Tally;

    #[test]
    fn a_steady_state_has_no_spread() {
        let tally = Tally { lmdb: 1200, binding: 120, c_allocations: 24, ..Tally::default() };
        let mut counts = Counts { transactions: 12, ..Counts::default() };
        record(&Instructions { second: tally, third: tally }, &mut counts);
        assert_eq!(counts.instructions_per_transaction, Some(110.0));
        assert_eq!(counts.instructions_spread, Some(0.0));
        assert_eq!(counts.c_allocations_per_transaction, Some(2.0));
        assert_eq!(counts.instructions.map(|split| split.lmdb), Some(100.0));
    }

    #[test]
    fn a_drift_is_shown() {
        let tally = |lmdb| Tally { lmdb, ..Tally::default() };
        let mut counts = Counts { transactions: 12, ..Counts::default() };
        record(&Instructions { second: tally(1200), third: tally(1212) }, &mut counts);
        assert_eq!(counts.instructions_per_transaction, Some(100.5));
        assert_eq!(counts.instructions_spread, Some(1.0));
    }
}
