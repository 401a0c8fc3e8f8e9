//! The command lines of the benches.
//!
//! | module | what it owns |
//! |---|---|
//! | [`arguments`] | the options that all benches share |
//! | [`write`] | the Criterion bench `write` |

pub mod arguments;
pub mod write;
