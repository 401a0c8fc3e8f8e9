//! Rust heap allocations per put and per transaction, counted in the timed loop itself.
//!
//! What the C library allocates is not counted: it is the same for every backend of an engine. The
//! counter is the caller's, because counting takes another global allocator, which no program gets
//! by accident.

use std::fmt;
use std::hint::black_box;
use std::path::Path;

use write_backend::{Batch, EnvironmentOptions, Finish, Workload, WriteBackend, timed};

use crate::steps::open;

/// Heap allocations: their number, and the bytes asked for. Growing a block counts as another.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Counts {
    /// How many blocks.
    pub blocks: u64,
    /// How many bytes they have together.
    pub bytes: u64,
}

impl Counts {
    /// No allocation.
    pub const NONE: Self = Self { blocks: 0, bytes: 0 };
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

/// Runs what it is given and counts the allocations of this thread meanwhile.
pub type Counter = fn(&mut dyn FnMut()) -> Counts;

/// What a backend allocates.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Cost {
    /// For each put of a [`KEY_SIZE`] key and a [`VALUE_SIZE`] value.
    pub per_put: Counts,
    /// For each transaction, beginning and finish together, without its puts.
    pub per_transaction: Counts,
}

/// The length of the keys that are put, in bytes.
pub const KEY_SIZE: usize = 4;
/// The length of the values that are put, in bytes.
pub const VALUE_SIZE: usize = 64;
/// Puts per transaction.
const PUTS: usize = 100;
/// Transactions per count.
const TRANSACTIONS: u64 = 20;

/// Compares what `B` allocates, both with commits and with aborts, with `expected`.
///
/// # Errors
/// A sentence that says what was expected and what was counted.
pub fn check<B: WriteBackend>(
    directory: &Path,
    counter: Counter,
    expected: Cost,
) -> Result<(), String> {
    for finish in Finish::ALL {
        let cost = measure::<B>(directory, counter, finish)?;
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

/// Counts what `B` allocates in transactions that end with `finish`.
///
/// # Errors
/// What the backend reports; a counter that does not count; numbers that do not divide evenly.
pub fn measure<B: WriteBackend>(
    directory: &Path,
    counter: Counter,
    finish: Finish,
) -> Result<Cost, String> {
    must_count(counter)?;
    let (key_size, batch_size, value_size) = (KEY_SIZE, PUTS, VALUE_SIZE);
    let workload = Workload { finish, key_size, batch_size, value_size, ..Workload::default() };
    let run = timed::find::<B>(&workload)?;
    let batch = Batch::new(&workload, 0);
    let pairs = batch.pairs();
    let backend =
        open::<B>(directory, &EnvironmentOptions::default()).map_err(|e| e.to_string())?;
    let count = |pairs: &[(&[u8], &[u8])], transactions: u64| {
        let mut ran = Ok(());
        let counts = counter(&mut || {
            ran = run(&backend, pairs, transactions).map(drop);
        });
        ran.map(|()| counts).map_err(|error| error.to_string())
    };
    // The first transactions may allocate what is kept for later.
    count(&pairs, TRANSACTIONS)?;
    let full = count(&pairs, TRANSACTIONS)?;
    let empty = count(&[], TRANSACTIONS)?;
    let twice_as_many = count(&[], 2 * TRANSACTIONS)?;
    Ok(Cost {
        per_put: difference(full, empty, TRANSACTIONS * PUTS as u64)?,
        per_transaction: difference(twice_as_many, empty, TRANSACTIONS)?,
    })
}

/// What each of `times` repetitions costs, when `more` has that many more of them than `less`.
fn difference(more: Counts, less: Counts, times: u64) -> Result<Counts, String> {
    let share = |more: u64, less: u64| {
        let difference = more.checked_sub(less)?;
        difference.is_multiple_of(times).then_some(difference / times)
    };
    match (share(more.blocks, less.blocks), share(more.bytes, less.bytes)) {
        (Some(blocks), Some(bytes)) => Ok(Counts { blocks, bytes }),
        _ => Err(format!("{more} against {less} do not divide by {times}")),
    }
}

/// A counter that counts nothing would make every backend look frugal.
fn must_count(counter: Counter) -> Result<(), String> {
    const BYTES: usize = 24;
    let counts = counter(&mut || drop(black_box(Box::new([0_u8; BYTES]))));
    let expected = Counts { blocks: 1, bytes: BYTES as u64 };
    if counts == expected {
        Ok(())
    } else {
        Err(format!("the counter saw {counts} where {expected} was allocated"))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_difference_is_shared_out_evenly_or_refused() {
        let counts = |blocks, bytes| Counts { blocks, bytes };
        assert_eq!(difference(counts(45, 900), counts(5, 100), 20), Ok(counts(2, 40)));
        assert!(difference(counts(45, 901), counts(5, 100), 20).is_err());
        assert!(difference(counts(4, 900), counts(5, 100), 20).is_err());
    }

    #[test]
    fn a_counter_that_does_not_count_is_refused() {
        let blind: Counter = |run| {
            run();
            Counts::NONE
        };
        assert!(must_count(blind).unwrap_err().contains("1 block(s) of 24 byte(s)"));
    }
}
