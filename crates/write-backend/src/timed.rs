//! The only loop whose time is taken: begin, puts, finish.
//!
//! It is written once, generic over the backend, and compiled into each worker program for that
//! worker's backend alone. There is no dynamic call, no allocation and no making of keys or values
//! in it.

use std::time::{Duration, Instant};

use crate::backend::{WriteBackend, WriteTransaction};
use crate::error::BackendError;
use crate::workload::Finish;

/// Runs `transactions` transactions that each put all `pairs` and end with `finish`, and returns
/// how long they took together by the monotonic clock.
///
/// # Errors
/// The first error of the backend; the transaction in which it happened is aborted.
pub fn run<B: WriteBackend>(
    backend: &B,
    pairs: &[(&[u8], &[u8])],
    finish: Finish,
    transactions: u64,
) -> Result<Duration, BackendError> {
    match finish {
        Finish::Abort => abort_loop(backend, pairs, transactions),
        Finish::Commit => commit_loop(backend, pairs, transactions),
    }
}

/// The addresses of the two loops as compiled for `B`, to see how they are aligned.
#[must_use]
pub fn loop_addresses<B: WriteBackend>() -> [usize; 2] {
    type Loop<B> = fn(&B, &[(&[u8], &[u8])], u64) -> Result<Duration, BackendError>;
    [abort_loop::<B> as Loop<B> as usize, commit_loop::<B> as Loop<B> as usize]
}

// Two functions instead of a branch on `finish` inside one: the loop that is measured holds nothing
// that a user's own loop would not.
#[inline(never)]
fn abort_loop<B: WriteBackend>(
    backend: &B,
    pairs: &[(&[u8], &[u8])],
    transactions: u64,
) -> Result<Duration, BackendError> {
    let start = Instant::now();
    for _ in 0..transactions {
        let mut txn = backend.begin()?;
        for (key, value) in pairs {
            txn.put(key, value)?;
        }
        txn.abort();
    }
    Ok(start.elapsed())
}

#[inline(never)]
fn commit_loop<B: WriteBackend>(
    backend: &B,
    pairs: &[(&[u8], &[u8])],
    transactions: u64,
) -> Result<Duration, BackendError> {
    let start = Instant::now();
    for _ in 0..transactions {
        let mut txn = backend.begin()?;
        for (key, value) in pairs {
            txn.put(key, value)?;
        }
        txn.commit()?;
    }
    Ok(start.elapsed())
}
