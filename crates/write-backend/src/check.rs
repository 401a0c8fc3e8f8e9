//! Is what was claimed to be written there? Run by another process than the one that wrote, on an
//! environment that no process has open.

use std::fmt::Write as _;

use crate::backend::{EnvironmentInfo, WriteBackend};
use crate::batch::Batch;
use crate::encoding::Encoding;
use crate::error::BackendError;
use crate::options::EnvironmentOptions;
use crate::protocol::Prepared;
use crate::workload::{Finish, Workload};

/// What an environment must hold.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Expected<'a> {
    /// What was run.
    pub workload: &'a Workload,
    /// The seed that its batch was made with.
    pub seed: u64,
    /// What the worker made of the values.
    pub encoding: Encoding,
    /// How many transactions were run to their finish.
    pub transactions: u64,
}

impl Expected<'_> {
    /// How many of the transactions must have left a trace: LMDB numbers each commit that wrote
    /// something, and no other transaction.
    fn commits(&self, rewrites_equal_values: bool) -> u64 {
        match self.workload.finish {
            Finish::Abort => 0,
            Finish::Commit if rewrites_equal_values => self.transactions,
            Finish::Commit => self.transactions.min(1),
        }
    }
}

/// Compares what a worker asked its binding for with the environment that it got: a binding that
/// drops the sync mode would otherwise look fast.
///
/// # Errors
/// A sentence that names the mode asked for and the one found.
pub fn environment(asked: &EnvironmentOptions, found: &Prepared) -> Result<(), String> {
    let map = |writable| if writable { "a writable map" } else { "a read-only map" };
    if let Some(sync) = found.sync.filter(|sync| *sync != asked.sync) {
        return Err(format!("sync mode {} was asked for, the environment has {sync}", asked.sync));
    }
    if found.writable_map.is_some_and(|writable| writable != asked.writable_map) {
        let [asked, found] = [asked.writable_map, !asked.writable_map].map(map);
        return Err(format!("{asked} was asked for, the environment has {found}"));
    }
    Ok(())
}

/// Compares the environment that `backend` has opened with `expected`: after commits exactly the keys
/// and values of the batch and as many transaction ids as commits; after aborts nothing.
///
/// # Errors
/// A sentence that says what was expected and what is there.
pub fn verify<B: WriteBackend>(
    backend: &B,
    expected: &Expected<'_>,
) -> Result<EnvironmentInfo, String> {
    let said = |error: BackendError| error.to_string();
    let info = backend.info().map_err(said)?;
    let commits = expected.commits(B::REWRITES_EQUAL_VALUES);
    if info.last_transaction != commits {
        return Err(format!(
            "{commits} commits were claimed, LMDB counted {}",
            info.last_transaction
        ));
    }
    let batch = Batch::new(expected.workload, expected.seed).shaped(expected.encoding);
    let pairs = if commits == 0 { Vec::new() } else { batch.pairs() };
    if info.entries != pairs.len() as u64 {
        return Err(format!("{} pairs must be there, found {}", pairs.len(), info.entries));
    }
    // The keys of a batch differ, so with the right number of pairs and every key there, no other
    // key can be.
    for (index, (key, value)) in pairs.iter().enumerate() {
        let found = backend.get(key).map_err(said)?;
        let value = expected.encoding.stored(value);
        if found.as_deref() != Some(&*value) {
            return Err(difference(index, key, &value, found.as_deref()));
        }
    }
    Ok(info)
}

fn difference(index: usize, key: &[u8], value: &[u8], found: Option<&[u8]>) -> String {
    let found = match found {
        None => "nothing".to_owned(),
        Some(found) if found == key => "its own key".to_owned(),
        Some(found) => format!("{} byte(s) {}", found.len(), hex(found)),
    };
    format!(
        "key {index} ({}) must hold {} byte(s) {}, found {found}",
        hex(key),
        value.len(),
        hex(value)
    )
}

/// The first bytes in hexadecimal.
fn hex(bytes: &[u8]) -> String {
    const SHOWN: usize = 16;
    let mut text = String::from("0x");
    for byte in bytes.iter().take(SHOWN) {
        // Writing to a string cannot fail.
        let _ = write!(text, "{byte:02x}");
    }
    if bytes.len() > SHOWN {
        text.push_str("..");
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn differences_say_what_is_there() {
        assert_eq!(
            difference(3, &[0, 0, 0, 3], &[1, 2], None),
            "key 3 (0x00000003) must hold 2 byte(s) 0x0102, found nothing"
        );
        assert!(difference(0, &[9], &[1], Some(&[9])).ends_with("found its own key"));
        assert!(difference(0, &[9], &[1], Some(&[1; 20])).ends_with("01.."));
    }
}
