//! The only loops whose time is taken: begin, puts, finish.
//!
//! They are written once, generic over the backend and the put, and compiled into each worker program
//! for that worker's backend alone. There is no dynamic call, no allocation and no making of keys or
//! values in them.

use std::time::{Duration, Instant};

use crate::backend::{WriteBackend, WriteTransaction};
use crate::error::BackendError;
use crate::options::PutFlags;
use crate::workload::{Finish, PutKind, Workload};

/// A way to put a pair.
pub trait Put {
    /// Which one it is.
    const KIND: PutKind;

    /// Puts a pair.
    ///
    /// # Errors
    /// Those of [`WriteTransaction::put`] and [`WriteTransaction::put_with_flags`].
    fn put<T: WriteTransaction>(txn: &mut T, key: &[u8], value: &[u8]) -> Result<(), BackendError>;
}

/// [`PutKind::Plain`].
#[derive(Debug)]
pub struct Plain;

impl Put for Plain {
    const KIND: PutKind = PutKind::Plain;

    #[inline]
    fn put<T: WriteTransaction>(txn: &mut T, key: &[u8], value: &[u8]) -> Result<(), BackendError> {
        txn.put(key, value)
    }
}

/// [`PutKind::Append`].
#[derive(Debug)]
pub struct Append;

impl Put for Append {
    const KIND: PutKind = PutKind::Append;

    #[inline]
    fn put<T: WriteTransaction>(txn: &mut T, key: &[u8], value: &[u8]) -> Result<(), BackendError> {
        txn.put_with_flags(key, value, PutFlags::APPEND)
    }
}

/// Runs a number of transactions that each put all pairs, and returns how long they took together by
/// the monotonic clock.
///
/// # Errors
/// The first error of the backend; the transaction in which it happened is aborted.
pub type Run<B> = fn(&B, &[(&[u8], &[u8])], u64) -> Result<Duration, BackendError>;

/// The loops of `B` for one put.
#[derive(Debug)]
pub struct Loop<B> {
    /// The put.
    pub put: PutKind,
    /// The loop whose transactions are aborted.
    pub abort: Run<B>,
    /// The loop whose transactions are committed.
    pub commit: Run<B>,
}

impl<B: WriteBackend> Loop<B> {
    /// The loops that are written here, with the put `P`.
    #[must_use]
    pub fn of<P: Put>() -> Self {
        Self { put: P::KIND, abort: abort_loop::<B, P>, commit: commit_loop::<B, P> }
    }

    /// The loop whose transactions end with `finish`.
    #[must_use]
    pub fn ending_with(&self, finish: Finish) -> Run<B> {
        match finish {
            Finish::Abort => self.abort,
            Finish::Commit => self.commit,
        }
    }
}

/// The loops with every put there is.
#[must_use]
pub fn loops<B: WriteBackend>() -> Vec<Loop<B>> {
    vec![Loop::of::<Plain>(), Loop::of::<Append>()]
}

/// The loop of `B` for `workload`.
///
/// # Errors
/// A sentence that says which puts the backend offers.
pub fn find<B: WriteBackend>(workload: &Workload) -> Result<Run<B>, String> {
    let loops = B::loops();
    let found = loops.iter().find(|offered| offered.put == workload.put);
    found.map(|found| found.ending_with(workload.finish)).ok_or_else(|| {
        let offered: Vec<&str> = loops.iter().map(|offered| offered.put.name()).collect();
        let (id, put) = (B::IDENTITY.id, workload.put);
        format!("{id} does not offer put `{put}`: it offers {}", offered.join(", "))
    })
}

// Two functions instead of a branch on `finish` inside one: the loop that is measured holds nothing
// that a user's own loop would not.
#[inline(never)]
fn abort_loop<B: WriteBackend, P: Put>(
    backend: &B,
    pairs: &[(&[u8], &[u8])],
    transactions: u64,
) -> Result<Duration, BackendError> {
    let start = Instant::now();
    for _ in 0..transactions {
        let mut txn = backend.begin()?;
        for (key, value) in pairs {
            P::put(&mut txn, key, value)?;
        }
        txn.abort();
    }
    Ok(start.elapsed())
}

#[inline(never)]
fn commit_loop<B: WriteBackend, P: Put>(
    backend: &B,
    pairs: &[(&[u8], &[u8])],
    transactions: u64,
) -> Result<Duration, BackendError> {
    let start = Instant::now();
    for _ in 0..transactions {
        let mut txn = backend.begin()?;
        for (key, value) in pairs {
            P::put(&mut txn, key, value)?;
        }
        txn.commit()?;
    }
    Ok(start.elapsed())
}
