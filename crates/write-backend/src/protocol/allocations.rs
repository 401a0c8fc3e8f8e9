//! What the harness asks of a program that counts Rust heap allocations, and what it answers: one line
//! each.

use serde::{Deserialize, Serialize};

use crate::protocol::Prepare;

/// The argument that asks a program for the answer to one [`CountRequest`].
pub const COUNT: &str = "--count";

/// Count one case.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct CountRequest {
    /// What to open and what to write.
    pub prepare: Prepare,
    /// How many transactions to run before counting: the first ones build the tree.
    pub warm_up: u64,
    /// How many transactions to count; after them as many again, twice over.
    pub transactions: u64,
}

/// The answer.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(tag = "reply", rename_all = "lowercase")]
pub enum CountReply {
    /// What was counted.
    Counted {
        /// Of the transactions asked for.
        once: Allocated,
        /// Of twice as many.
        twice: Allocated,
    },
    /// It could not be done.
    Failed {
        /// Why.
        reason: String,
    },
}

/// Heap allocations of Rust code. A reallocation is an allocation of the new size.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Allocated {
    /// How many.
    pub allocations: u64,
    /// How many bytes were asked for.
    pub bytes: u64,
}
