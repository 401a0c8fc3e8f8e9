//! What worker programs and the one that starts them say to each other, one JSON object per line.

use serde::{Deserialize, Serialize};

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
