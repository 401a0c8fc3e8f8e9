//! What each backend does with ordinary and with awkward input.
//!
//! A [`Case`] is one input performed through the contract's traits; what happened is an
//! [`Outcome`]. Each case runs in a process of its own under a watchdog, because some misuses
//! crash or wait for ever. [`expected`] says what ought to happen, with the declared differences
//! between backends; [`main`] performs the cases as tests, or prints the records that a table of
//! behaviour is made from.
//!
//! | module | what it owns |
//! |---|---|
//! | [`case`] | what a case is, and the list of all |
//! | `cases` | the inputs, by subject |
//! | [`expected`] | the right outcome of each case, and how a backend declares that it differs |
//! | [`outcome`] | what happened, in words that can be stored |
//! | [`directory`] | a case's directory, and other processes that use it |
//! | `child` | the process of one case, or of a partner that a case asks for |
//! | [`runner`] | the watchdog: starts the processes and sees crashes and deadlocks |
//! | [`program`] | an adapter's test program |
//! | [`allocations`] | heap allocations per put and per transaction |
//! | [`conversation`] | a worker driven in memory |
//!
//! It knows no adapter and no LMDB library.
//!
//! # What cannot be written down at all
//!
//! A put into a transaction that has ended is not a case, because it does not compile. These three
//! differ from programs that compile in the marked line alone.
//!
//! After a commit the transaction is gone:
//!
//! ```compile_fail,E0382
//! use write_backend::{BackendError, WriteBackend, WriteTransaction};
//! fn put_after_commit<B: WriteBackend>(backend: &B) -> Result<(), BackendError> {
//!     let mut txn = backend.begin()?;
//!     txn.commit()?;
//!     txn.put(b"key", b"value") // <- before the commit it compiles
//! }
//! ```
//!
//! So it is after an abort:
//!
//! ```compile_fail,E0382
//! use write_backend::{BackendError, WriteBackend, WriteTransaction};
//! fn put_after_abort<B: WriteBackend>(backend: &B) -> Result<(), BackendError> {
//!     let mut txn = backend.begin()?;
//!     txn.abort();
//!     txn.put(b"key", b"value") // <- before the abort it compiles
//! }
//! ```
//!
//! A transaction cannot outlive its environment:
//!
//! ```compile_fail,E0505
//! use write_backend::{BackendError, WriteBackend, WriteTransaction};
//! fn close_while_open<B: WriteBackend>(backend: B) -> Result<(), BackendError> {
//!     let mut txn = backend.begin()?;
//!     drop(backend); // <- after the commit it compiles
//!     txn.put(b"key", b"value")?;
//!     txn.commit()
//! }
//! ```
//!
//! Nor may a transaction be used while one is open within it:
//!
//! ```compile_fail,E0499
//! use write_backend::{BackendError, WriteBackend, WriteTransaction};
//! fn put_beside_nested<B: WriteBackend>(backend: &B) -> Result<(), BackendError> {
//!     let mut txn = backend.begin()?;
//!     let nested = txn.begin_nested()?;
//!     txn.put(b"key", b"value")?; // <- after the nested commit it compiles
//!     nested.commit()?;
//!     txn.commit()
//! }
//! ```
//!
//! The same lines in an order that compiles:
//!
//! ```
//! use write_backend::{BackendError, WriteBackend, WriteTransaction};
//! fn in_order<B: WriteBackend>(backend: B) -> Result<(), BackendError> {
//!     let mut txn = backend.begin()?;
//!     let nested = txn.begin_nested()?;
//!     nested.commit()?;
//!     txn.put(b"key", b"value")?;
//!     txn.commit()?;
//!     drop(backend);
//!     Ok(())
//! }
//! ```

pub mod allocations;
pub mod case;
mod cases;
mod child;
pub mod conversation;
pub mod directory;
pub mod expected;
pub mod outcome;
pub mod program;
pub mod runner;
mod steps;

pub use case::Case;
pub use child::lines_of_input;
pub use outcome::{Outcome, Record};
pub use program::{main, main_with};
