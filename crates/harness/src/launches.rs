//! A case whose samples come from several launches of its worker in turn: what the Criterion bench
//! measures. One launch alone is off by 1-3 %, whatever the number of its samples.

use std::sync::Arc;
use std::time::Duration;

use crate::random::Random;
use crate::selection::Case;
use crate::worker::{Failure, Launcher, PreparedWorker, Wanted};
use records::schema::Time;
use statistics::median;

/// How long a launch runs before its first sample.
const WARM_UP: Duration = Duration::from_millis(2);

/// A clock that does not tick over this many transactions does not tick at all: even a transaction
/// that stores nothing takes a nanosecond, and no clock here is coarser than a microsecond.
pub const TICK: u64 = 1000;

/// The launches of one case, started when they are first needed.
#[derive(Debug)]
pub struct Launches<W> {
    case: Case,
    count: usize,
    workers: Vec<W>,
    calls: Vec<Call>,
    random: Random,
}

/// One sample.
#[derive(Debug, Clone, Copy, PartialEq)]
struct Call {
    launch: usize,
    transactions: u64,
    elapsed_ns: f64,
}

impl<W: PreparedWorker> Launches<W> {
    /// `count` launches of `case`.
    #[must_use]
    pub fn new(case: Case, count: usize) -> Self {
        let random = Random::new(0);
        Self { case, count, workers: Vec::new(), calls: Vec::new(), random }
    }

    /// Times `transactions` transactions in the launch whose turn it is.
    ///
    /// Before the first sample of a case a launch of its own shows that what it claims to write is
    /// there.
    ///
    /// # Errors
    /// When a worker fails or does not pass the check.
    pub fn sample<L: Launcher<Worker = W>>(
        &mut self,
        launcher: &mut L,
        transactions: u64,
    ) -> Result<Duration, Failure> {
        let Case { backend, workload } = &self.case;
        if self.calls.is_empty() {
            prove(launcher, &self.case)?;
        }
        let launch = self.calls.len() % self.count;
        if launch == self.workers.len() {
            launcher.ready(launch)?;
            let padding = self.random.padding();
            let order = Some((0, launch));
            let wanted = Wanted { backend: Arc::clone(backend), padding, order };
            let mut worker = launcher.launch(&wanted, workload)?;
            warm_up(&mut worker, WARM_UP)?;
            self.workers.push(worker);
        }
        let elapsed = self.workers[launch].run(0, transactions)?;
        if elapsed.is_zero() && transactions >= TICK {
            return Err(Failure::NoTime { transactions });
        }
        // A time of zero, which a coarse clock may show for a few, no analysis can take.
        let elapsed = elapsed.max(Duration::from_nanos(1));
        let elapsed_ns = elapsed.as_secs_f64() * 1e9;
        self.calls.push(Call { launch, transactions, elapsed_ns });
        Ok(elapsed)
    }

    /// Ends all launches, checks what they wrote, and returns the case's time; `None` if no sample
    /// was ever taken.
    ///
    /// # Errors
    /// The first worker's that does not end well or pass the check.
    pub fn end<L: Launcher<Worker = W>>(self, launcher: &mut L) -> Result<Option<Time>, Failure> {
        let mut outcome = Ok(());
        for worker in self.workers {
            outcome = outcome.and(launcher.end(worker));
        }
        outcome.map(|()| time(&self.calls))
    }
}

/// Runs a few transactions of `case` in a launch of their own and checks what they left.
///
/// # Errors
/// Whatever goes wrong: a case that cannot be measured is found before its time is taken.
pub fn prove<L: Launcher>(launcher: &mut L, case: &Case) -> Result<(), Failure> {
    // The second and later commits reuse pages of earlier ones: a map that holds one batch may not
    // hold the next.
    const TRANSACTIONS: u64 = 5;
    let mut worker = launcher.launch(&Wanted::fixed(&case.backend), &case.workload)?;
    worker.run(0, TRANSACTIONS)?;
    launcher.end(worker)?;
    launcher.prove_clock(case)
}

/// Runs `worker` for about `duration`, twice as many transactions each time; returns nanoseconds per
/// transaction of the last run.
///
/// # Errors
/// When the worker fails, or its clock stands still, which would be for ever.
pub fn warm_up(worker: &mut impl PreparedWorker, duration: Duration) -> Result<f64, Failure> {
    let mut transactions = 1_u64;
    loop {
        let elapsed = worker.run(0, transactions)?;
        if elapsed >= duration / 2 {
            return Ok(elapsed.as_secs_f64() * 1e9 / transactions as f64);
        }
        if elapsed.is_zero() && transactions >= TICK {
            return Err(Failure::NoTime { transactions });
        }
        transactions = transactions.saturating_mul(2);
    }
}

/// The time over launches: the median of each launch's samples. Criterion's warm-up calls are left
/// out: a flat sample repeats one number of transactions, a warm-up never does. In its quick mode
/// every call has a number of its own, and its result comes from the last two.
fn time(calls: &[Call]) -> Option<Time> {
    let last = calls.last()?;
    let repeated =
        calls.iter().rev().take_while(|call| call.transactions == last.transactions).count();
    let used = &calls[calls.len() - repeated.max(2).min(calls.len())..];
    let launches = used.iter().map(|call| call.launch).max()? + 1;
    let medians = (0..launches).filter_map(|launch| {
        let samples = used.iter().filter(|call| call.launch == launch);
        median(samples.map(|call| call.elapsed_ns / call.transactions as f64).collect())
    });
    Time::new(medians.collect(), last.transactions)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn call(launch: usize, transactions: u64, elapsed_ns: f64) -> Call {
        Call { launch, transactions, elapsed_ns }
    }

    #[test]
    fn warm_up_calls_do_not_count() {
        let calls = [
            call(0, 1, 900.0),
            call(1, 2, 900.0),
            call(0, 10, 1000.0),
            call(1, 10, 1200.0),
            call(0, 10, 1020.0),
            call(1, 10, 1220.0),
        ];
        let time = time(&calls).unwrap();
        assert_eq!(time.launches_ns, [101.0, 121.0]);
        assert_eq!(time.transactions_per_sample, 10);
    }

    #[test]
    fn quick_runs_use_the_last_two_calls() {
        let calls = [call(0, 1, 9.0), call(1, 2, 10.0), call(2, 4, 24.0)];
        assert_eq!(time(&calls).unwrap().launches_ns, [5.0, 6.0]);
        assert_eq!(time(&calls[..1]).unwrap().launches_ns, [9.0]);
        assert_eq!(time(&[]), None);
    }
}
