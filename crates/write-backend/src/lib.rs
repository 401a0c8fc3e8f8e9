//! The contract between the adapters of LMDB bindings and the harness that measures them.
//!
//! An adapter crate implements [`WriteBackend`] for one binding; a worker program is
//! [`worker::serve`] with exactly one such type; the harness talks to worker programs over
//! [`protocol`] and never links an adapter. This crate knows no LMDB library, no command line and
//! no report.
//!
//! | module | what it owns |
//! |---|---|
//! | [`backend`] | the traits whose calls are measured, and what a backend says of itself |
//! | [`probe`] | the trait of what is only looked at |
//! | [`options`] | how an environment is opened, how a pair is put |
//! | [`error`] | one error type for all bindings |
//! | [`workload`] | the axes of the matrix and their stable names |
//! | [`batch`] | the keys and values of a workload |
//! | [`timed`] | the only loop whose time is taken |
//! | [`check`] | is what was claimed to be written there? |
//! | [`protocol`] | one request or reply per line |
//! | [`worker`] | a worker program's main loop |
//! | [`witness`] | what a witness program is asked and what it says |
//! | [`lock`] | crate versions, read from the lock file at compile time |

pub mod backend;
pub mod batch;
pub mod check;
pub mod error;
pub mod lock;
pub mod options;
pub mod probe;
pub mod protocol;
pub mod timed;
pub mod witness;
pub mod worker;
pub mod workload;

pub use backend::{
    Engine, EnvironmentFlags, EnvironmentInfo, Identity, Package, WriteBackend, WriteTransaction,
};
pub use batch::Batch;
pub use error::{BackendError, ErrorKind, Operation};
pub use options::{DatabaseOptions, EnvironmentOptions, PutFlags, SyncMode};
pub use probe::{Access, Probe, ReadTransaction};
pub use workload::{Finish, KeyOrder, Workload};
