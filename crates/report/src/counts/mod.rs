//! What was counted: its tables, and the gate that compares it with a stored count.
//!
//! | module | what it owns |
//! |---|---|
//! | [`tables`] | the tables of a count |
//! | [`overhead`] | what a binding adds to the counts of its control |
//! | [`check`] | the gate |

pub mod check;
pub mod overhead;
pub mod tables;
