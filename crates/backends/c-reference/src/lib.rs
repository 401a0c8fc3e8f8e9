//! `c-reference`: the measured loop written in C over the library of lmdb-sys.
//!
//! It is no backend, since nobody writes to LMDB from Rust this way: it is the floor that `raw-ffi`
//! is held against. Its worker speaks the protocol of all workers; only the loop is C, and nothing
//! of Rust runs between two of its calls.

mod environment;
mod worker;

pub use worker::main;

/// The id of this row of the counts table.
pub const ID: &str = "c-reference";
