//! What crosses a pipe between the harness and a backend's programs: one JSON object per line.
//!
//! | module | whose messages |
//! |---|---|
//! | this one | the timed worker's |
//! | [`allocations`] | the program's that counts Rust heap allocations |
//! | [`behaviour`] | the program's that shows what a backend does |
//!
//! The timed worker reads requests on its standard input and writes one reply to each on its standard
//! output:
//!
//! ```text
//! harness                                  worker
//!   {"request":"hello"}                ->
//!                                      <-  {"reply":"hello","protocol":2,"backend":"heed",...}
//!   {"request":"prepare",...}          ->    opens the environment, makes the batch
//!                                      <-  {"reply":"prepared",...}
//!   {"request":"run","warm_up":2,"transactions":9}
//!                                      ->    the timed loop
//!                                      <-  {"reply":"ran","transactions":9,"elapsed_ns":13244}
//!   {"request":"close"}                ->    closes the environment
//!                                      <-  {"reply":"closed"}
//!   {"request":"verify",...}           ->    opens, checks, closes
//!                                      <-  {"reply":"verified",...}
//!   {"request":"finish"}               ->
//!                                      <-  {"reply":"finished"} and the program ends
//! ```
//!
//! `hello` may be sent at any time; `prepare` and `verify` only while nothing is prepared; `run` and
//! `close` only after `prepare`. A request that fails is answered with `failed` and the reason, and
//! leaves the worker as it was. A worker that meets the end of its input ends. Standard error is
//! free text for a person.
//!
//! Who sends `prepare` or `verify` promises that nobody changes the files in the directory except
//! through LMDB while the worker has it open: LMDB maps them into memory.

use std::collections::BTreeMap;
use std::path::PathBuf;

use serde::{Deserialize, Serialize};

use crate::data_format::DataFormat;
use crate::encoding::Encoding;
use crate::options::{EnvironmentOptions, SyncMode};
use crate::workload::Workload;

pub mod allocations;
pub mod behaviour;

/// The version of the protocol; a worker of another version is refused.
pub const PROTOCOL: u32 = 2;

/// The longest line that either side accepts, in bytes: enough for any path, too short for a
/// program that has lost its mind to fill the memory.
pub const MAX_LINE: usize = 64 * 1024;

/// What the harness asks.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(tag = "request", rename_all = "lowercase")]
pub enum Request {
    /// Who are you?
    Hello,
    /// Open an environment and make a workload's input.
    Prepare(Prepare),
    /// Run the timed loop.
    Run {
        /// How many transactions to run before the clock starts: after another worker had the core,
        /// the first ones find cold caches.
        warm_up: u64,
        /// How many transactions to time.
        transactions: u64,
    },
    /// Close the environment.
    Close,
    /// Put into a new environment what a workload finds there. Only the worker that checks is asked.
    Preload(Prepare),
    /// Check an environment that is closed.
    Verify(Verify),
    /// End the program.
    Finish,
}

/// What to open and what to write.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Prepare {
    /// An existing directory.
    pub directory: PathBuf,
    /// How the environment is opened.
    pub environment: EnvironmentOptions,
    /// What each transaction does.
    pub workload: Workload,
    /// The seed of the batch.
    pub seed: u64,
}

/// What to check.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Verify {
    /// The environment that was written, and how.
    #[serde(flatten)]
    pub written: Prepare,
    /// What the worker that wrote it makes of values.
    #[serde(default, skip_serializing_if = "Encoding::is_default")]
    pub encoding: Encoding,
    /// How many transactions were run to their finish.
    pub transactions: u64,
}

/// What a worker answers.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(tag = "reply", rename_all = "lowercase")]
pub enum Reply {
    /// To `hello`.
    Hello(Box<Hello>),
    /// To `prepare`.
    Prepared(Prepared),
    /// To `run`.
    Ran {
        /// How many transactions were timed.
        transactions: u64,
        /// What they took together, in nanoseconds.
        elapsed_ns: u64,
    },
    /// To `close`.
    Closed,
    /// To `preload`.
    Preloaded,
    /// To `verify`, when all is as it must be.
    Verified {
        /// The number of pairs found.
        entries: u64,
    },
    /// To `finish`.
    Finished,
    /// To any request: it could not be done.
    Failed {
        /// Why.
        reason: String,
    },
}

/// Who a worker is, as the program itself observes it.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Hello {
    /// [`PROTOCOL`] as the worker was compiled with it.
    pub protocol: u32,
    /// The id of its one backend.
    pub backend: String,
    /// The crate a user adds.
    pub binding: Option<Crate>,
    /// The crate whose C sources the engine is built from.
    pub engine_crate: Option<Crate>,
    /// What `mdb_version` returned.
    pub engine_version: Option<String>,
    /// The format of what it writes, where neither its folder nor its control says it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub data_format: Option<DataFormat>,
    /// What it makes of the values that it is handed.
    #[serde(default, skip_serializing_if = "Encoding::is_default")]
    pub encoding: Encoding,
    /// `release` or `debug`: whether the worker was compiled with debug assertions.
    pub profile: Profile,
    /// The puts that it offers, by the names of [`PutKind`](crate::PutKind) or others: a worker may
    /// know more of them than its harness.
    pub puts: Vec<String>,
    /// The axes that it understands, of those that a workload need not mention, beside `put`. A worker that
    /// knows none writes the same batch in every transaction, to an empty environment with usual flags.
    #[serde(default)]
    pub axes: Vec<String>,
    /// The remainder of the address of `mdb_put` modulo 64; `None` without an engine.
    pub put_alignment: Option<u32>,
    /// The same for every timed loop, by the name `FINISH/PUT`. A program that cannot tell leaves
    /// its loops out.
    #[serde(default)]
    pub loop_alignment: BTreeMap<String, u32>,
}

/// A crate, or in another language what is its like.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Crate {
    /// Its name on the registry.
    pub name: String,
    /// Its version. A program that cargo builds does not state it: the harness asks cargo.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub version: Option<String>,
}

/// How a program was compiled.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Profile {
    /// Without debug assertions.
    Release,
    /// With debug assertions: nothing measured in it may be published.
    Debug,
}

/// The environment as the worker sees it after opening.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub struct Prepared {
    /// The sync mode that the open environment has; `None` without an engine.
    pub sync: Option<SyncMode>,
    /// Whether its map is writable; `None` without an engine.
    pub writable_map: Option<bool>,
    /// Whether its memory is left as it is found; `None` where that is not known.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub no_mem_init: Option<bool>,
    /// Whether the system was told not to read ahead; `None` where that is not known.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub no_read_ahead: Option<bool>,
}

#[cfg(test)]
mod tests {
    use super::*;

    /// As documented, one line each, whatever a path holds.
    #[test]
    fn requests_are_read_as_they_are_sent() {
        let prepare = Prepare {
            directory: PathBuf::from("a\nb"),
            environment: EnvironmentOptions::default(),
            workload: "commit-n1-v4-k4-random-nosync".parse().unwrap(),
            seed: u64::MAX,
        };
        for (request, begins) in [
            (Request::Hello, r#"{"request":"hello"}"#),
            (Request::Prepare(prepare.clone()), r#"{"request":"prepare","directory":"a\nb","#),
            (
                Request::Run { warm_up: 2, transactions: 9 },
                r#"{"request":"run","warm_up":2,"transactions":9}"#,
            ),
            (
                Request::Verify(Verify {
                    written: prepare,
                    encoding: Encoding::Bytes,
                    transactions: 9,
                }),
                r#"{"request":"verify","#,
            ),
        ] {
            let line = serde_json::to_string(&request).unwrap();
            assert!(line.starts_with(begins) && !line.contains('\n'), "{line}");
            assert_eq!(serde_json::from_str::<Request>(&line).unwrap(), request);
        }
    }
}
