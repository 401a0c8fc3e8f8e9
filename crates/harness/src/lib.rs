//! Runs the same matrix of writes against every backend, each in its own process, and reports what
//! was measured.
//!
//! Data flows one way: workload, case, samples, statistics, results, report. Processes and clocks
//! are at the edge, in `worker` and `machine`; what computes and what draws is pure.
//!
//! | module | what it owns |
//! |---|---|
//! | `cli` | the command lines of the benches and of the program `harness` |
//! | `backends` | the backends there are, and their programs |
//! | `links` | the same program with its functions in another order |
//! | `machine` | host, core, engine builds |
//! | `worker` | running workers, and the check of what they wrote |
//! | `behaviour` | what backends do with awkward input and when killed |
//! | `calibrate` | the instrument measures itself |
//! | `compare` | scheduling and analysis of a comparison |
//! | `counts` | instructions, allocations, system calls |
//! | `facts` | facts about bindings beside speed |
//! | `interrupt` | Ctrl-C and SIGTERM |
//! | `selection` | which cases are measured |
//! | `suites` | named selections of cases |
//! | `launches` | a case sampled over several launches |
//! | `random` | orders and padding |
//! | `record` | what all results files hold |
//! | `progress` | how far a run is |
//!
//! Public is what the programs in `benches` and `src/bin` call, and what a test needs to put a misbehaving
//! worker in the place of a good one.

#![deny(unsafe_code)]
#![expect(
    unreachable_pub,
    reason = "the modules are private: `pub` says what a module offers to the others here"
)]

/// A line on standard error, whose reader may have gone.
macro_rules! note {
    ($($text:tt)*) => { crate::cli::output::note(&(format!($($text)*) + "\n")) };
}

mod backends;
mod behaviour;
mod calibrate;
mod cli;
mod compare;
mod counts;
mod facts;
mod interrupt;
mod launches;
mod links;
mod machine;
mod progress;
mod random;
mod record;
mod selection;
mod suites;
#[cfg(test)]
mod tests;
mod worker;

pub use backends::{Backends, Kind, Programs};
pub use cli::compare::main as compare;
pub use cli::counts::main as counts;
pub use cli::link_orders::main as link_orders;
pub use cli::program::main as program;
pub use cli::supply::Supply;
pub use cli::write::main as write;
