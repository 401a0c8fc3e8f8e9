//! Is what was claimed to be written there? Run by another process than the one that wrote, on an
//! environment that no process has open.

use std::fmt::Write as _;
use std::time::Duration;

use crate::backend::{EnvironmentInfo, WriteBackend};
use crate::batch::{Batch, Supply};
use crate::encoding::Encoding;
use crate::error::BackendError;
use crate::options::EnvironmentOptions;
use crate::protocol::Prepared;
use crate::workload::{Finish, Keys, Workload};

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
            Finish::Commit => self.transactions.min(match self.workload.keys {
                Keys::Again => 1,
                Keys::RandomExisting => {
                    let Workload { preload, batch_size, .. } = *self.workload;
                    preload.div_ceil(batch_size) as u64
                }
                Keys::Grow | Keys::RandomNew => u64::MAX,
            }),
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
    for (flag, asked, found) in [
        ("MDB_NOMEMINIT", asked.no_mem_init, found.no_mem_init),
        ("MDB_NORDAHEAD", asked.no_read_ahead, found.no_read_ahead),
    ] {
        if found.is_some_and(|found| found != asked) {
            let [asked, found] = [asked, !asked].map(|has| if has { "with" } else { "without" });
            return Err(format!("an environment {asked} {flag} was asked for, it is {found} it"));
        }
    }
    Ok(())
}

/// Compares the environment that `backend` has opened with `expected`: as many transaction ids as
/// commits and as many pairs as there must be; after commits all keys and values that were put; of what
/// was preloaded, and checked whole then, some thousand pairs.
///
/// # Errors
/// A sentence that says what was expected and what is there.
pub fn verify<B: WriteBackend>(
    backend: &B,
    expected: &Expected<'_>,
) -> Result<EnvironmentInfo, String> {
    let said = |error: BackendError| error.to_string();
    let info = backend.info().map_err(said)?;
    let Expected { workload, seed, encoding, transactions } = *expected;
    let (commits, earlier) =
        (expected.commits(B::REWRITES_EQUAL_VALUES), workload.earlier_transactions());
    if info.last_transaction != earlier + commits {
        let before =
            if earlier > 0 { format!(" after {earlier} earlier ones") } else { String::new() };
        return Err(format!(
            "{commits} commits were claimed{before}, LMDB counted {}",
            info.last_transaction
        ));
    }
    let entries = workload.entries(transactions);
    if info.entries != entries {
        return Err(format!("{entries} pairs must be there, found {}", info.entries));
    }
    // The keys of a batch differ, so with the right number of pairs and every key there, no other
    // key can be.
    if commits == 0 {
        return preload(backend, workload, SOME).map(|()| info);
    }
    let batch = Batch::new(workload, seed).shaped(encoding);
    let mut supply = Supply::new(workload, seed, encoding, &batch);
    let mut outcome = Ok(());
    supply.run(transactions, |pairs, _| {
        for (index, (key, value)) in pairs.iter().enumerate() {
            if outcome.is_ok() {
                outcome = holds(backend, index, key, &encoding.stored(value));
            }
        }
        Ok(Duration::ZERO)
    })?;
    outcome?;
    if workload.keys != Keys::RandomExisting {
        preload(backend, workload, SOME)?;
    }
    Ok(info)
}

/// How many preloaded pairs a check after a launch looks at, spread over all.
const SOME: u64 = 1000;

/// Looks whether what was preloaded for `workload` is there and as it was: `most` pairs, spread over all.
///
/// # Errors
/// A sentence that says what must be there and what is.
pub(crate) fn preload<B: WriteBackend>(
    backend: &B,
    workload: &Workload,
    most: u64,
) -> Result<(), String> {
    let step = (workload.preload as u64).div_ceil(most).max(1);
    for index in (0..workload.preload as u64).step_by(usize::try_from(step).unwrap_or(usize::MAX)) {
        let (key, value) = workload.preloaded(index);
        holds(backend, usize::try_from(index).unwrap_or(usize::MAX), &key, &value)?;
    }
    Ok(())
}

fn holds<B: WriteBackend>(
    backend: &B,
    index: usize,
    key: &[u8],
    value: &[u8],
) -> Result<(), String> {
    let found = backend.get(key).map_err(|error| error.to_string())?;
    if found.as_deref() == Some(value) {
        return Ok(());
    }
    Err(difference(index, key, value, found.as_deref()))
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
