//! What a witness program is asked and what it says: one JSON object per line.
//!
//! A witness program shows what a backend does and is never timed. Its first argument names what it is
//! started for, and it ends with that or with its standard input.
//!
//! | argument | reads | says |
//! |---|---|---|
//! | [`COUNT`] | one [`CountRequest`] | one [`CountReply`] |
//! | [`IDENTITY`] | nothing | a [`Hello`](crate::protocol::Hello) |
//! | [`RECORDS`] | nothing | a record for each conformance case |
//! | [`WRITE`] DIR MODE NUMBER | nothing | [`Wrote`] until it is killed |
//! | [`CHECK`] DIR | a [`Question`] | [`Opened`], then [`Found`] |

use serde::{Deserialize, Serialize};

use crate::protocol::Prepare;

/// Count the Rust heap allocations of one case.
pub const COUNT: &str = "--count";
/// Say who the program is.
pub const IDENTITY: &str = "--identity";
/// Perform the conformance cases.
pub const RECORDS: &str = "--records";
/// Commit batches until the end, which is a signal. Directory, sync mode and the first batch's number
/// follow.
pub const WRITE: &str = "--write";
/// Look at what a killed writer left in the directory that follows.
pub const CHECK: &str = "--check";

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

/// What a writer says.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Wrote {
    /// The environment is open.
    Open,
    /// The commit of the batch with this number returned without an error.
    Batch(u64),
}

/// A checker has the environment open and waits for its question.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub struct Opened;

/// What a checker is asked when the writer is dead.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub struct Question {
    /// The last batch that was reported; 0 when none was.
    pub reported: u64,
}

/// What is in the environment.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Found {
    /// The batch that the environment names as its last.
    pub last: u64,
    /// How many reported batches are missing or not whole.
    pub lost: u64,
    /// How many batches that nobody reported are there in part.
    pub partial: u64,
    /// What exactly is wrong with the first of them.
    pub wrong: Option<String>,
    /// Why a further batch could not be written, or was not there when it had been.
    pub refused: Option<String>,
}
