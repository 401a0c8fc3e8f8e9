//! The comparison: which backend is faster, by how much, and is that real?
//!
//! | module | what it owns |
//! |---|---|
//! | [`plan`] | what is started when, drawn at random |
//! | [`scheduler`] | carries the plan out, launch by launch |
//! | [`analysis`] | launches in, records out |

pub mod analysis;
pub mod plan;
pub mod scheduler;
