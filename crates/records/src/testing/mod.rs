//! What tests of results need.
//!
//! | module | what it owns |
//! |---|---|
//! | [`fixtures`] | a stored file of each kind and version, and the values in it |
//! | [`strategies`] | results that a run can have, for property tests |

pub mod fixtures;
pub mod strategies;
