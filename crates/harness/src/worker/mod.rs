//! Worker programs as the harness sees them.
//!
//! | module | what it owns |
//! |---|---|
//! | [`session`] | one life of a worker program: start, requests with a time limit, end |
//! | [`failure`] | what can go wrong with it |
//! | `clock` | whether the time that it claims can be |
//! | [`child`] | a process that is spoken to and heard with a time limit, or run from start to end |
//! | [`launcher`] | what starts workers, as the schedulers see it |
//! | [`processes`] | workers that have a workload prepared, and the check of what they wrote |

pub mod child;
mod clock;
pub mod failure;
pub mod launcher;
pub mod processes;
pub mod session;

pub use failure::{Failure, Unmeasured};
pub use launcher::{Launcher, PreparedWorker, Wanted};
pub use processes::ProcessLauncher;
