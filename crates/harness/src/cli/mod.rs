//! The command lines of the benches.
//!
//! | module | what it owns |
//! |---|---|
//! | [`arguments`] | the options that all benches share |
//! | [`calibrate`] | `compare --calibrate` |
//! | [`compare`] | the bench `compare` |
//! | [`counts`] | the bench `counts` |
//! | [`criterion_options`] | our options beside Criterion's |
//! | [`write`] | the Criterion bench `write` |

pub mod arguments;
pub mod calibrate;
pub mod compare;
pub mod counts;
pub mod criterion_options;
pub mod write;
