//! Rust heap allocations in begin, puts and finish.
//!
//! The loop of the timed workers runs here under a counting allocator. What C code allocates does not
//! pass through Rust's allocator and is not counted.

use std::io::{self, BufRead as _, Write as _};

use conformance::allocations::{self, Cost, Counts};
use write_backend::protocol::allocations::{Allocated, CountReply, CountRequest};
use write_backend::{Batch, WriteBackend, timed};

/// Reads one request, answers it, ends.
pub(crate) fn answer<B: WriteBackend>() -> io::Result<()> {
    let mut line = String::new();
    io::stdin().lock().read_line(&mut line)?;
    let request: CountRequest = serde_json::from_str(&line)?;
    let reply = match count::<B>(&request) {
        Ok([once, twice]) => CountReply::Counted { once, twice },
        Err(reason) => CountReply::Failed { reason },
    };
    let mut line = serde_json::to_vec(&reply)?;
    line.push(b'\n');
    io::stdout().write_all(&line)
}

/// Runs the case: warm-up, then as many transactions as asked for, then twice as many, the last two
/// counted.
fn count<B: WriteBackend>(request: &CountRequest) -> Result<[Allocated; 2], String> {
    let CountRequest { prepare, warm_up, transactions } = request;
    prepare.workload.check()?;
    let run = timed::find::<B>(&prepare.workload)?;
    // SAFETY: who sends the request has promised that nobody else touches the directory's files.
    let backend = unsafe { B::open(&prepare.directory, &prepare.environment) };
    let backend = backend.map_err(|error| error.to_string())?;
    let batch = Batch::new(&prepare.workload, prepare.seed);
    let pairs = batch.pairs();
    let counted = |transactions| {
        let mut outcome = Ok(());
        let counted = self::counted(&mut || {
            outcome = run(&backend, &pairs, transactions).map(|_elapsed| ());
        });
        let allocated = Allocated { allocations: counted.blocks, bytes: counted.bytes };
        outcome.map(|()| allocated).map_err(|error| error.to_string())
    };
    counted(*warm_up)?;
    Ok([counted(*transactions)?, counted(transactions.saturating_mul(2))?])
}

/// What this thread allocates while it does `run`.
fn counted(run: &mut dyn FnMut()) -> Counts {
    let info = allocation_counter::measure(run);
    Counts { blocks: info.count_total, bytes: info.bytes_total }
}

/// Compares what `B` allocates with `expected`, with commits and with aborts.
///
/// # Errors
/// A sentence that says what was expected and what was counted.
pub fn check_allocations<B: WriteBackend>(expected: Cost) -> Result<(), String> {
    let directory = tempfile::tempdir().map_err(|error| error.to_string())?;
    allocations::check::<B>(directory.path(), counted, expected)
}

#[cfg(test)]
mod tests {
    use write_backend::EnvironmentOptions;
    use write_backend::protocol::Prepare;

    use super::*;

    #[test]
    fn a_loop_that_allocates_nothing_counts_nothing() {
        let directory = tempfile::tempdir().unwrap();
        let prepare = Prepare {
            directory: directory.path().to_owned(),
            environment: EnvironmentOptions::default(),
            workload: "commit-n3-v8-k4-sequential-nosync".parse().unwrap(),
            seed: 1,
        };
        let request = CountRequest { prepare, warm_up: 1, transactions: 2 };
        let counted = count::<backend_null::Null>(&request).unwrap();
        assert_eq!(counted, [Allocated::default(); 2]);
    }
}
