//! What each backend does with ordinary and with awkward input.
//!
//! A case is one input performed through the contract's traits; what happened is an
//! [`Outcome`](write_backend::protocol::behaviour::Outcome). Each case runs in a process of its own under
//! a watchdog, because some misuses crash or wait for ever. With each case stands what ought to happen;
//! a backend declares its [`Difference`](expected::Difference)s. [`main`] performs the cases as tests, or
//! prints the records that a table of behaviour is made from.
//!
//! | module | what it owns |
//! |---|---|
//! | `case` | what a case is, and the list of all |
//! | `cases` | the inputs and their right outcomes, by subject |
//! | [`expected`] | an expected outcome, and how a backend declares that it differs |
//! | `steps` | what many cases are made of |
//! | `place` | a case's directory, and the environment in it |
//! | `partner` | other processes that use the directory |
//! | `runner` | the process of each case, and the watchdog |
//! | `program` | an adapter's test program |
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

#![deny(unsafe_code)]

mod case;
mod cases;
pub mod expected;
mod fork;
mod partner;
mod place;
mod program;
mod runner;
mod steps;

pub use program::main;
