//! Worker programs as the harness sees them.
//!
//! | module | what it owns |
//! |---|---|
//! | [`session`] | one life of a worker program: start, requests with a time limit, end |
//! | [`failure`] | what can go wrong with it |
//! | `clock` | whether the time that it claims can be |
//! | [`process`] | a program run from start to end |
//! | [`streams`] | what it says, line by line |
//! | [`launcher`] | a worker that has a workload prepared, and the check of what it wrote |

mod clock;
pub mod failure;
pub mod launcher;
pub mod process;
pub mod session;
pub mod streams;

pub use failure::{Failure, Unmeasured};
pub use launcher::{Launcher, PreparedWorker, ProcessLauncher};
pub use session::Session;
