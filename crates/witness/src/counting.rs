//! Rust heap allocations per put and per transaction, counted in the loop of the timed workers itself.
//!
//! What C code allocates does not pass through Rust's allocator and is not counted: it is the same for
//! every backend of an engine.

use std::fmt;
use std::io::{self, BufRead as _, Write as _};
use std::path::Path;
use std::time::Duration;

use write_backend::batch::Supply;
use write_backend::protocol::Prepare;
use write_backend::protocol::allocations::{Allocated, CountReply, CountRequest};
use write_backend::{Batch, EnvironmentOptions, Finish, Workload, WriteBackend, timed};

/// The length of the keys whose puts have a [`Cost`], in bytes.
pub const KEY_SIZE: usize = 4;
/// The length of their values, in bytes.
pub const VALUE_SIZE: usize = 64;

/// Heap allocations: their number, and the bytes asked for. Growing a block counts as another.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Counts {
    /// How many blocks.
    pub blocks: u64,
    /// How many bytes they have together.
    pub bytes: u64,
}

/// What a backend allocates.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Cost {
    /// For each put of a [`KEY_SIZE`] key and a [`VALUE_SIZE`] value.
    pub per_put: Counts,
    /// For each transaction, beginning and finish together, without its puts.
    pub per_transaction: Counts,
}

impl Counts {
    /// No allocation.
    pub const NONE: Self = Self { blocks: 0, bytes: 0 };

    /// What each of `times` repetitions costs, when this has that many more of them than `less`.
    fn each(self, less: Self, times: u64) -> Result<Self, String> {
        let share = |more: u64, less: u64| {
            let difference = more.checked_sub(less)?;
            difference.is_multiple_of(times).then_some(difference / times)
        };
        match (share(self.blocks, less.blocks), share(self.bytes, less.bytes)) {
            (Some(blocks), Some(bytes)) => Ok(Self { blocks, bytes }),
            _ => Err(format!("{self} against {less} do not divide by {times}")),
        }
    }
}

impl Cost {
    /// No allocation at all.
    pub const NONE: Self = Self { per_put: Counts::NONE, per_transaction: Counts::NONE };
}

impl fmt::Display for Counts {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} block(s) of {} byte(s)", self.blocks, self.bytes)
    }
}

/// Reads one request, answers it, ends.
pub(crate) fn answer<B: WriteBackend>() -> io::Result<()> {
    let mut line = String::new();
    io::stdin().lock().read_line(&mut line)?;
    let allocated = |counts: Counts| Allocated { allocations: counts.blocks, bytes: counts.bytes };
    let reply = match count::<B>(&serde_json::from_str(&line)?) {
        Ok([once, twice]) => CountReply::Counted { once: allocated(once), twice: allocated(twice) },
        Err(reason) => CountReply::Failed { reason },
    };
    writeln!(io::stdout(), "{}", serde_json::to_string(&reply)?)
}

/// Runs the case: warm-up, then as many transactions as asked for, then twice as many, the last two
/// counted.
#[expect(unsafe_code, reason = "opening maps files that others could change")]
fn count<B: WriteBackend>(request: &CountRequest) -> Result<[Counts; 2], String> {
    let CountRequest { prepare, warm_up, transactions } = request;
    prepare.workload.check()?;
    let run = timed::find::<B>(&prepare.workload)?;
    // SAFETY: who sends the request has promised that nobody else touches the directory's files.
    let backend = unsafe { B::open(&prepare.directory, &prepare.environment) };
    let backend = backend.map_err(|error| error.to_string())?;
    let batch = Batch::new(&prepare.workload, prepare.seed);
    let mut supply = Supply::new(&prepare.workload, prepare.seed, B::ENCODING, &batch);
    let mut counted = |transactions| {
        let mut all = Counts::NONE;
        supply.run(transactions, |pairs, transactions| {
            let mut ran = Ok(Duration::ZERO);
            let counts = counted(|| ran = run(&backend, pairs, transactions));
            all = Counts { blocks: all.blocks + counts.blocks, bytes: all.bytes + counts.bytes };
            ran
        })?;
        Ok::<_, String>(all)
    };
    counted(*warm_up)?;
    Ok([counted(*transactions)?, counted(transactions.saturating_mul(2))?])
}

/// What this thread allocates while it does `run`.
fn counted(run: impl FnMut()) -> Counts {
    let info = allocation_counter::measure(run);
    Counts { blocks: info.count_total, bytes: info.bytes_total }
}

/// Compares what `B` allocates with `expected`, with commits and with aborts.
///
/// # Errors
/// A sentence that says what was expected and what was counted.
pub fn check_allocations<B: WriteBackend>(expected: Cost) -> Result<(), String> {
    let directory = tempfile::tempdir().map_err(|error| error.to_string())?;
    for finish in Finish::ALL {
        let cost = cost::<B>(directory.path(), finish)?;
        for (what, found, expected) in [
            ("put", cost.per_put, expected.per_put),
            ("transaction", cost.per_transaction, expected.per_transaction),
        ] {
            if found != expected {
                return Err(format!("{found} per {what} ({finish}), expected {expected}"));
            }
        }
    }
    Ok(())
}

/// What `B` allocates in transactions that end with `finish`.
fn cost<B: WriteBackend>(directory: &Path, finish: Finish) -> Result<Cost, String> {
    const TRANSACTIONS: u64 = 20;
    const PUTS: usize = 100;
    let with_puts = |batch_size| {
        let (key_size, value_size) = (KEY_SIZE, VALUE_SIZE);
        let workload = Workload { finish, key_size, batch_size, value_size, ..Workload::default() };
        let environment = EnvironmentOptions::default();
        let prepare = Prepare { directory: directory.to_owned(), environment, workload, seed: 0 };
        let [once, twice] = count::<B>(&CountRequest {
            prepare,
            warm_up: TRANSACTIONS,
            transactions: TRANSACTIONS,
        })?;
        twice.each(once, TRANSACTIONS)
    };
    let (some, twice_as_many) = (with_puts(PUTS)?, with_puts(2 * PUTS)?);
    let per_put = twice_as_many.each(some, PUTS as u64)?;
    let puts = Counts { blocks: per_put.blocks * PUTS as u64, bytes: per_put.bytes * PUTS as u64 };
    Ok(Cost { per_put, per_transaction: some.each(puts, 1)? })
}

#[cfg(test)]
mod tests {
    use std::hint::black_box;

    use super::*;

    #[test]
    fn a_difference_is_shared_out_evenly_or_refused() {
        let counts = |blocks, bytes| Counts { blocks, bytes };
        assert_eq!(counts(45, 900).each(counts(5, 100), 20), Ok(counts(2, 40)));
        assert!(counts(45, 901).each(counts(5, 100), 20).is_err());
        assert!(counts(4, 900).each(counts(5, 100), 20).is_err());
    }

    #[test]
    fn growing_counts_and_other_threads_do_not() {
        let mut bytes: Vec<u8> = Vec::with_capacity(8);
        let grown = counted(|| bytes.reserve_exact(black_box(16)));
        assert_eq!(grown, Counts { blocks: 1, bytes: 16 });
        let other = counted(|| {
            std::thread::scope(|scope| {
                let (start, started) = std::sync::mpsc::sync_channel(0);
                scope.spawn(move || {
                    drop(black_box(vec![0_u8; 1 << 20]));
                    start.send(())
                });
                started.recv().unwrap();
            });
        });
        // What starting the thread takes is its own.
        assert!(other.bytes < 1 << 20, "{other}");
    }
}
