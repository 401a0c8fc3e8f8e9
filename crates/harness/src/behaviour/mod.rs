//! What each backend does with awkward input, and what is left when its process is killed.
//!
//! | module | what it owns |
//! |---|---|
//! | [`matrix`] | the records of the conformance cases |
//! | [`kills`] | writers that are killed at random moments, and checked |

pub mod kills;
pub mod matrix;
