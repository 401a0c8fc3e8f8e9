//! Worker programs as the harness sees them.

pub mod child;
mod clock;
pub mod failure;
pub mod launcher;
pub mod processes;
pub mod session;
mod states;

pub use failure::{Failure, Unmeasured};
pub use launcher::{Launcher, PreparedWorker, Wanted};
pub use processes::ProcessLauncher;
