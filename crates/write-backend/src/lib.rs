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
//! | [`offers`] | what some bindings offer beside |
//! | [`probe`] | the trait of what is only looked at |
//! | [`options`] | how an environment is opened, how a pair is put |
//! | [`error`] | one error type for all bindings |
//! | [`axes`] | the dimensions of workloads, in one table |
//! | [`workload`] | what one transaction writes: one value of each axis |
//! | [`batch`] | the keys and values of a workload |
//! | [`encoding`] | what a backend makes of values before they are stored |
//! | [`timed`] | the only loops whose time is taken |
//! | [`check`] | is what was claimed to be written there? |
//! | [`protocol`] | what crosses a pipe between the harness and a backend's programs |
//! | [`worker`] | a worker program's main loop |

pub mod axes;
pub mod backend;
pub mod batch;
pub mod check;
mod data_format;
pub mod encoding;
pub mod error;
mod named;
pub mod offers;
pub mod options;
pub mod probe;
pub mod protocol;
mod state;
pub mod timed;
pub mod worker;
pub mod workload;
mod workload_name;

pub use axes::{AXES, Axis, Value, Values};
pub use backend::{
    Engine, EnvironmentFlags, EnvironmentInfo, Identity, WriteBackend, WriteTransaction,
};
pub use batch::Batch;
pub use data_format::DataFormat;
pub use encoding::Encoding;
pub use error::{BackendError, ErrorKind, Operation};
pub use offers::{Cursors, Reserves};
pub use options::{DatabaseOptions, EnvironmentOptions, PutFlags, SyncMode};
pub use probe::{Access, Probe, ReadTransaction};
pub use workload::{
    DatabaseKind, EnvironmentKind, Fill, Finish, KeyOrder, Keys, Nesting, PutKind, Workload,
};
