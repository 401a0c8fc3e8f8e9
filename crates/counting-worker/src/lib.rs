//! Worker programs that count Rust heap allocations in begin, puts and finish.
//!
//! They run the loop of the timed workers under a counting allocator. That allocator is in these
//! programs alone: the timed workers are other programs and link none of this. What C code allocates
//! does not pass through Rust's allocator and is not counted here.

use std::io::{self, BufRead as _, Write as _};
use std::process::ExitCode;

use write_backend::protocol::allocations::{Allocated, CountReply, CountRequest};
use write_backend::{Batch, WriteBackend, timed};

/// The `main` of a counting worker: reads one request, answers it, ends.
#[must_use]
pub fn main<B: WriteBackend>() -> ExitCode {
    match answer::<B>() {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            eprintln!("counting worker {}: {error}", B::IDENTITY.id);
            ExitCode::FAILURE
        }
    }
}

fn answer<B: WriteBackend>() -> io::Result<()> {
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
///
/// # Errors
/// What the backend reports.
pub fn count<B: WriteBackend>(request: &CountRequest) -> Result<[Allocated; 2], String> {
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
        let counted = allocation_counter::measure(|| {
            outcome = run(&backend, &pairs, transactions).map(|_elapsed| ());
        });
        let allocated = Allocated { allocations: counted.count_total, bytes: counted.bytes_total };
        outcome.map(|()| allocated).map_err(|error| error.to_string())
    };
    counted(*warm_up)?;
    Ok([counted(*transactions)?, counted(transactions.saturating_mul(2))?])
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
        let counted = count::<null_backend::Null>(&request).unwrap();
        assert_eq!(counted, [Allocated::default(); 2]);
    }
}
