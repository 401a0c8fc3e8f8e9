//! Runs the same matrix of writes against every backend, each in its own process, and reports what
//! was measured.
//!
//! Data flows one way: workload, case, samples, statistics, results, report. Processes and clocks
//! are at the edge, in [`worker`] and [`machine`]; what computes and what draws is pure.
//!
//! | module | what it owns |
//! |---|---|
//! | [`cli`] | the command lines of the benches |
//! | [`backends`] | the backends there are, and their programs |
//! | [`machine`] | host, core, engine builds |
//! | [`worker`] | running workers, and the check of what they wrote |
//! | [`behaviour`] | what backends do with awkward input and when killed |
//! | [`calibrate`] | the instrument measures itself |
//! | [`compare`] | scheduling and analysis of a comparison |
//! | [`counts`] | instructions, allocations, system calls |
//! | [`facts`] | facts about bindings beside speed |
//! | [`interrupt`] | Ctrl-C and SIGTERM |
//! | [`selection`] | which cases are measured |
//! | [`launches`] | a case sampled over several launches |
//! | [`links`] | the same program in other link orders |
//! | [`random`] | orders and padding |
//! | [`record`] | what all results files hold |
//! | [`progress`] | how far a run is |

pub mod backends;
pub mod behaviour;
pub mod calibrate;
pub mod cli;
pub mod compare;
pub mod counts;
pub mod facts;
pub mod interrupt;
pub mod launches;
pub mod links;
pub mod machine;
pub mod progress;
pub mod random;
pub mod record;
pub mod selection;
pub mod worker;
