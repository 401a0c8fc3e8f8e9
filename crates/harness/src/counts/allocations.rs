//! Rust heap allocations of a transaction, counted in a program of its own.

use std::path::Path;
use std::process::Command;
use std::time::Duration;

use crate::counts::place::Place;
use crate::counts::run::Plan;
use crate::worker::Failure;
use crate::worker::process;
use write_backend::protocol::allocations::{COUNT, CountReply, CountRequest};

/// Rust heap allocations per transaction.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Allocations {
    /// How many.
    pub allocations: f64,
    /// How many bytes they ask for.
    pub bytes: f64,
}

/// Counts in `program`, a counting worker, run in `place`.
///
/// # Errors
/// When the program fails or answers nonsense.
pub fn count(
    program: &Path,
    place: &Place,
    limit: Duration,
    plan: Plan,
) -> Result<Allocations, Failure> {
    let Plan { warm_up, transactions } = plan;
    let request = CountRequest { prepare: place.prepare().clone(), warm_up, transactions };
    let mut input = serde_json::to_vec(&request)
        .map_err(|error| Failure::Reported(format!("request: {error}")))?;
    input.push(b'\n');
    let mut command = Command::new(program);
    command.arg(COUNT).current_dir(place.path());
    let output = process::output(command, input, limit)?;
    match serde_json::from_slice(&output) {
        Ok(CountReply::Counted { once, twice }) => {
            let per = |once: u64, twice: u64| (twice as f64 - once as f64) / transactions as f64;
            Ok(Allocations {
                allocations: per(once.allocations, twice.allocations),
                bytes: per(once.bytes, twice.bytes),
            })
        }
        Ok(CountReply::Failed { reason }) => Err(Failure::Reported(reason)),
        Err(error) => {
            let line: String = String::from_utf8_lossy(&output).chars().take(200).collect();
            Err(Failure::Nonsense { line: format!("`{line}` ({error})"), stderr: String::new() })
        }
    }
}
