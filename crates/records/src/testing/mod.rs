//! What tests of stored data need, here and in the crates above.
//!
//! | module | what it owns |
//! |---|---|
//! | [`run`] | the one builder of made-up runs |
//! | [`fixtures`] | a stored file of each kind and version, and the values in it |
//! | [`strategies`] | results that a run can have, for property tests |

pub mod fixtures;
pub mod run;
pub mod strategies;

pub use run::{Run, backend, host, workload};
