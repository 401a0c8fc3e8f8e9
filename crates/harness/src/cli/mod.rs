//! The command lines of the benches.
//!
//! | module | what it owns |
//! |---|---|
//! | [`arguments`] | the options that all benches share |
//! | [`compare`] | the bench `compare` |
//! | [`criterion_options`] | our options beside Criterion's |
//! | [`write`] | the Criterion bench `write` |

pub mod arguments;
pub mod compare;
pub mod criterion_options;
pub mod write;
