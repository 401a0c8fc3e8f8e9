//! A writer that may be killed at any moment, and the check of what it left.
//!
//! The writer commits numbered batches. Each replaces all pairs of one of [`batch::SLOTS`] slots, so
//! that the tree stays as large as it is, and pages are freed and used again, however long the
//! writer lives. With its pairs a batch stores how many there are and a checksum over them, and
//! its number under one key that all batches share. So the number under that key tells what every
//! slot must hold, down to the last byte.
//!
//! | module | what it owns |
//! |---|---|
//! | `batch` | the pairs of a batch |
//! | `check` | is what was reported there, and nothing in part? |

use std::path::Path;

use write_backend::protocol::behaviour::Wrote;
use write_backend::{BackendError, EnvironmentOptions, SyncMode, WriteBackend, WriteTransaction};

mod batch;
mod check;
#[cfg(test)]
mod tests;

use batch::Batch;
pub(crate) use check::Checker;

/// Opens the environment in `directory` and commits batches from `first` on, each reported to `say`
/// as soon as its commit has returned. Never ends by itself.
#[expect(unsafe_code, reason = "opening maps files that others could change")]
pub(crate) fn write<B: WriteBackend>(
    directory: &Path,
    sync: SyncMode,
    first: u64,
    say: &mut impl FnMut(Wrote) -> Result<(), String>,
) -> Result<(), String> {
    let options = EnvironmentOptions { sync, ..EnvironmentOptions::default() };
    // SAFETY: the directory was made for this writer and its checkers, which use LMDB alone.
    let backend = unsafe { B::open(directory, &options) }.map_err(|error| error.to_string())?;
    say(Wrote::Open)?;
    for number in first.. {
        commit(&backend, &Batch::new(number)).map_err(|error| error.to_string())?;
        say(Wrote::Batch(number))?;
    }
    Ok(())
}

/// Puts `batch` in one transaction and commits it.
fn commit<B: WriteBackend>(backend: &B, batch: &Batch) -> Result<(), BackendError> {
    let mut txn = backend.begin()?;
    for (key, value) in batch.pairs() {
        txn.put(key, value)?;
    }
    txn.commit()
}
