//! Whether the time that a worker claims can be, by the harness's own clock between request and reply.

use std::time::Duration;

use crate::worker::{Failure, PreparedWorker};

/// Two sound clocks differ by less than this over the same time, in parts of a thousand.
const DRIFT: u32 = 10;
/// And by less than this however short the time is.
const TICK: Duration = Duration::from_micros(2);
/// A run that the harness waits for so long is hardly longer than what the worker times of it: a request
/// and its reply take a hundredth of that.
const LONG: Duration = Duration::from_millis(10);
/// How often a claim of less than half must be repeated until it counts: a busy machine may stop the
/// harness for as long as a run takes, but not again and again.
const TRIES: usize = 4;

/// Refuses a claim of more time than there was.
pub(crate) fn check_claim(claimed: Duration, waited: Duration) -> Result<(), Failure> {
    if claimed > waited + waited / 1000 * DRIFT + TICK {
        Err(wrong(claimed, waited))
    } else {
        Ok(())
    }
}

fn wrong(claimed: Duration, waited: Duration) -> Failure {
    let claim = format!("the worker claims {claimed:?} for what took {waited:?}");
    Failure::Failed(claim + " by the harness's clock")
}

#[derive(Debug, Clone, Copy)]
pub(crate) struct Seen {
    pub(crate) claimed: Duration,
    pub(crate) waited: Duration,
}

/// Lets `worker` run for so long that the time it claims can be told from that of the harness, and
/// refuses less than half of it. `seen` hands out what the last run looked like.
pub(crate) fn prove<W: PreparedWorker>(
    worker: &mut W,
    seen: impl Fn(&W) -> Seen,
) -> Result<(), Failure> {
    let mut transactions = 1_u64;
    let mut tries = 0;
    loop {
        worker.run(0, transactions)?;
        let Seen { claimed, waited } = seen(worker);
        if waited < LONG {
            // At most sixteenfold, since the first runs are mostly the way there and back.
            let factor = LONG.as_secs_f64() * 1.2 / waited.as_secs_f64().max(1e-9);
            let more = (transactions as f64 * factor.clamp(2.0, 16.0)).ceil() as u64;
            transactions = more.max(transactions + 1);
            continue;
        }
        if claimed * 2 >= waited {
            return Ok(());
        }
        if claimed.is_zero() {
            return Err(Failure::NoTime { transactions });
        }
        tries += 1;
        if tries == TRIES {
            return Err(wrong(claimed, waited));
        }
        // On a busy machine most of the wait may have been for the processor: of a longer run it is less.
        transactions = transactions.saturating_mul(4);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Takes a microsecond per transaction and 20 on the way, and claims as `claim` says.
    struct Worker {
        claim: fn(Duration, usize) -> Duration,
        runs: usize,
        seen: Seen,
    }

    impl PreparedWorker for Worker {
        fn run(&mut self, _warm_up: u64, transactions: u64) -> Result<Duration, Failure> {
            let took = Duration::from_micros(transactions);
            self.runs += 1;
            let claimed = (self.claim)(took, self.runs);
            self.seen = Seen { claimed, waited: took + Duration::from_micros(20) };
            check_claim(claimed, self.seen.waited).map(|()| claimed)
        }
    }

    fn proven(claim: fn(Duration, usize) -> Duration) -> Result<(), Failure> {
        let seen = Seen { claimed: Duration::ZERO, waited: Duration::ZERO };
        prove(&mut Worker { claim, runs: 0, seen }, |worker| worker.seen)
    }

    #[test]
    fn a_clock_as_fast_as_ours_is_believed() {
        assert!(proven(|took, _| took).is_ok());
        assert!(proven(|took, _| took * 7 / 10).is_ok());
    }

    #[test]
    fn clocks_that_are_too_fast_or_too_slow_are_refused() {
        for claim in [|took: Duration, _| took * 1000, |took: Duration, _| took / 1000] {
            let failure = proven(claim).unwrap_err();
            assert!(failure.to_string().contains("by the harness's clock"), "{failure}");
        }
    }

    #[test]
    fn a_harness_that_was_stopped_for_a_while_blames_nobody() {
        // The first long runs seem to have taken ten times as long as the worker says.
        assert!(proven(|took, runs| if runs < 6 { took / 10 } else { took }).is_ok());
    }
}
