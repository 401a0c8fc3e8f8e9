//! The only loops whose time is taken: begin, puts, finish.
//!
//! They are written once, generic over the backend and the put, and compiled into each worker program
//! for that worker's backend alone. There is no dynamic call, no allocation and no making of keys or
//! values in them.

use std::time::{Duration, Instant};

use crate::backend::{WriteBackend, WriteTransaction as _};
use crate::error::BackendError;
use crate::offers::{Cursors, Reserves};
use crate::options::PutFlags;
use crate::workload::{Finish, Keys, Nesting, PutKind, Workload};

/// Key and value of one put.
pub type Pair<'bytes> = (&'bytes [u8], &'bytes [u8]);

/// A way to put the pairs of a transaction into a database of `B`.
pub trait Put<B: WriteBackend> {
    /// Which one it is.
    const KIND: PutKind;
    /// What it puts within an inner transaction.
    const NESTING: Nesting = Nesting::None;

    /// Puts all pairs.
    ///
    /// # Errors
    /// What the backend reports of the first put that fails.
    fn put_all(txn: &mut B::Txn<'_>, pairs: &[Pair<'_>]) -> Result<(), BackendError>;
}

/// Ways to put a pair, of each its meaning, its name here and what it asks of a backend.
macro_rules! puts {
    ($($(#[doc = $doc:literal])+ $kind:ident: $needs:ident, |$state:ident = $txn:ident => $begun:expr, $key:ident, $value:ident| $put:expr;)+) => {$(
        $(#[doc = $doc])+
        #[derive(Debug)]
        pub struct $kind;

        impl<B: $needs> Put<B> for $kind {
            const KIND: PutKind = PutKind::$kind;

            // The loop is one function, as a user's own is.
            #[inline(always)]
            fn put_all($txn: &mut B::Txn<'_>, pairs: &[Pair<'_>]) -> Result<(), BackendError> {
                let $state = $begun;
                for ($key, $value) in pairs {
                    $put?;
                }
                Ok(())
            }
        }
    )+};
}

puts! {
    /// [`PutKind::Plain`].
    Plain: WriteBackend, |txn = txn => &mut *txn, key, value| txn.put(key, value);
    /// [`PutKind::NoOverwrite`].
    NoOverwrite: WriteBackend, |txn = txn => &mut *txn, key, value|
        txn.put_with_flags(key, value, PutFlags::NO_OVERWRITE);
    /// [`PutKind::Append`].
    Append: WriteBackend, |txn = txn => &mut *txn, key, value|
        txn.put_with_flags(key, value, PutFlags::APPEND);
    /// [`PutKind::Reserve`].
    Reserve: Reserves, |txn = txn => &mut *txn, key, value|
        B::put_reserved(txn, key, value.len(), value);
    /// [`PutKind::Cursor`].
    Cursor: Cursors, |cursor = txn => &mut B::cursor(txn)?, key, value|
        B::cursor_put(cursor, key, value, PutFlags::default());
    /// [`PutKind::CursorAppend`].
    CursorAppend: Cursors, |cursor = txn => &mut B::cursor(txn)?, key, value|
        B::cursor_put(cursor, key, value, PutFlags::APPEND);
}

/// [`Nesting::PerBatch`].
#[derive(Debug)]
pub struct NestedBatch;

impl<B: WriteBackend> Put<B> for NestedBatch {
    const KIND: PutKind = PutKind::Plain;
    const NESTING: Nesting = Nesting::PerBatch;

    #[expect(clippy::inline_always, reason = "the loop is one function, as a user's own is")]
    #[inline(always)]
    fn put_all(txn: &mut B::Txn<'_>, pairs: &[Pair<'_>]) -> Result<(), BackendError> {
        let mut inner = txn.begin_nested()?;
        for (key, value) in pairs {
            inner.put(key, value)?;
        }
        inner.commit()
    }
}

/// [`Nesting::PerPut`].
#[derive(Debug)]
pub struct NestedPut;

impl<B: WriteBackend> Put<B> for NestedPut {
    const KIND: PutKind = PutKind::Plain;
    const NESTING: Nesting = Nesting::PerPut;

    #[expect(clippy::inline_always, reason = "the loop is one function, as a user's own is")]
    #[inline(always)]
    fn put_all(txn: &mut B::Txn<'_>, pairs: &[Pair<'_>]) -> Result<(), BackendError> {
        for (key, value) in pairs {
            let mut inner = txn.begin_nested()?;
            inner.put(key, value)?;
            inner.commit()?;
        }
        Ok(())
    }
}

/// Runs a number of transactions and returns how long they took together by the monotonic clock.
///
/// # Errors
/// The first error of the backend; the transaction in which it happened is aborted.
pub type Run<B> = fn(&B, &[Pair<'_>], u64) -> Result<Duration, BackendError>;

/// The loops of `B` for one put.
#[derive(Debug)]
pub struct Loop<B> {
    /// The put.
    pub put: PutKind,
    /// What it puts within an inner transaction.
    pub nesting: Nesting,
    /// The loop whose transactions are aborted.
    pub abort: Run<B>,
    /// The loop whose transactions are committed.
    pub commit: Run<B>,
    /// The same two for keys that differ from transaction to transaction: each puts the next share of the
    /// pairs, all shares being of one size. `None` where the backend has none.
    pub shares: Option<[Run<B>; 2]>,
}

impl<B: WriteBackend> Loop<B> {
    /// The loops that are written here, with the put `P`.
    #[must_use]
    pub fn of<P: Put<B>>() -> Self {
        let shares = Some([abort_each::<B, P> as Run<B>, commit_each::<B, P>]);
        let (put, nesting) = (P::KIND, P::NESTING);
        Self { put, nesting, abort: abort_loop::<B, P>, commit: commit_loop::<B, P>, shares }
    }

    /// The loop whose transactions end with `finish`.
    #[must_use]
    pub fn ending_with(&self, finish: Finish) -> Run<B> {
        match finish {
            Finish::Abort => self.abort,
            Finish::Commit => self.commit,
        }
    }

    fn words(&self) -> String {
        match self.nesting {
            Nesting::None => self.put.name().to_owned(),
            nesting => format!("{} with nesting {nesting}", self.put),
        }
    }

    fn for_workload(&self, workload: &Workload) -> Option<Run<B>> {
        if workload.keys == Keys::Again {
            return Some(self.ending_with(workload.finish));
        }
        let [abort, commit] = self.shares?;
        Some(if workload.finish == Finish::Abort { abort } else { commit })
    }
}

/// The loops with every put that each backend has.
#[must_use]
pub fn loops<B: WriteBackend>() -> Vec<Loop<B>> {
    vec![Loop::of::<Plain>(), Loop::of::<NoOverwrite>(), Loop::of::<Append>()]
}

/// Those, and the loops with the puts of a backend that reserves, has cursors and nests transactions.
#[must_use]
pub fn all_loops<B: Reserves + Cursors>() -> Vec<Loop<B>> {
    let mut loops = loops();
    loops.extend([Loop::of::<Reserve>(), Loop::of::<Cursor>(), Loop::of::<CursorAppend>()]);
    loops.extend([Loop::of::<NestedBatch>(), Loop::of::<NestedPut>()]);
    loops
}

/// The loop of `B` for `workload`.
///
/// # Errors
/// A sentence that says which puts the backend offers.
pub fn find<B: WriteBackend>(workload: &Workload) -> Result<Run<B>, String> {
    let loops = B::loops();
    let (id, Workload { put, keys, nesting, .. }) = (B::IDENTITY.id, *workload);
    let is_it = |offered: &&Loop<B>| offered.put == put && offered.nesting == nesting;
    let Some(found) = loops.iter().find(is_it) else {
        let offered: Vec<String> = loops.iter().map(Loop::words).collect();
        return Err(format!(
            "{id} does not offer put `{put}` with nesting `{nesting}`: it offers {}",
            offered.join(", ")
        ));
    };
    let run = found.for_workload(workload);
    run.ok_or_else(|| format!("{id} does not offer keys `{keys}`: it offers again"))
}

// Two functions instead of a branch on `finish` inside one: the loop that is measured holds nothing
// that a user's own loop would not.
#[inline(never)]
fn abort_loop<B: WriteBackend, P: Put<B>>(
    backend: &B,
    pairs: &[Pair<'_>],
    transactions: u64,
) -> Result<Duration, BackendError> {
    let start = Instant::now();
    for _ in 0..transactions {
        let mut txn = backend.begin()?;
        P::put_all(&mut txn, pairs)?;
        txn.abort();
    }
    Ok(start.elapsed())
}

#[inline(never)]
fn commit_loop<B: WriteBackend, P: Put<B>>(
    backend: &B,
    pairs: &[Pair<'_>],
    transactions: u64,
) -> Result<Duration, BackendError> {
    let start = Instant::now();
    for _ in 0..transactions {
        let mut txn = backend.begin()?;
        P::put_all(&mut txn, pairs)?;
        txn.commit()?;
    }
    Ok(start.elapsed())
}

/// The pairs of each transaction.
fn shares<'a, 'p>(
    pairs: &'a [Pair<'p>],
    transactions: u64,
) -> std::slice::ChunksExact<'a, Pair<'p>> {
    // As many transactions as there are shares of at least one pair.
    let transactions = usize::try_from(transactions).unwrap_or(usize::MAX).max(1);
    pairs.chunks_exact((pairs.len() / transactions).max(1))
}

#[inline(never)]
fn abort_each<B: WriteBackend, P: Put<B>>(
    backend: &B,
    pairs: &[Pair<'_>],
    transactions: u64,
) -> Result<Duration, BackendError> {
    let shares = shares(pairs, transactions);
    let start = Instant::now();
    for pairs in shares {
        let mut txn = backend.begin()?;
        P::put_all(&mut txn, pairs)?;
        txn.abort();
    }
    Ok(start.elapsed())
}

#[inline(never)]
fn commit_each<B: WriteBackend, P: Put<B>>(
    backend: &B,
    pairs: &[Pair<'_>],
    transactions: u64,
) -> Result<Duration, BackendError> {
    let shares = shares(pairs, transactions);
    let start = Instant::now();
    for pairs in shares {
        let mut txn = backend.begin()?;
        P::put_all(&mut txn, pairs)?;
        txn.commit()?;
    }
    Ok(start.elapsed())
}
