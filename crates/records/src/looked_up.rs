//! Data that somebody looked up, each file with where it is from: the benchmark this project grew
//! from, facts about bindings that no program can collect, advisories. Nothing of it is measured.

use std::path::Path;

use crate::facts::advisories::Advisories;
use crate::facts::by_hand::ByHand;
use crate::seed::Seed;
use crate::store::{StoreError, read_if_there};

/// Where the files are, below the directory of all results.
pub mod file {
    /// The numbers of the benchmark this project grew from.
    pub const SEED: &str = "seed/seed.json";
    /// Facts about bindings, with their sources.
    pub const BY_HAND: &str = "facts/by-hand.json";
    /// Known vulnerabilities and warnings of the crates, from a list of a day.
    pub const ADVISORIES: &str = "facts/advisories.json";
}

/// All of it; what has no file is absent.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct LookedUp {
    /// [`file::SEED`].
    pub seed: Option<Seed>,
    /// [`file::BY_HAND`].
    pub by_hand: Option<ByHand>,
    /// [`file::ADVISORIES`].
    pub advisories: Option<Advisories>,
}

/// Reads all files below the directory `results`.
///
/// # Errors
/// When one is there and cannot be used: with the file and the field.
pub fn load(results: &Path) -> Result<LookedUp, StoreError> {
    Ok(LookedUp {
        seed: read_if_there(&results.join(file::SEED))?,
        by_hand: read_if_there(&results.join(file::BY_HAND))?,
        advisories: read_if_there(&results.join(file::ADVISORIES))?,
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_not_there_is_absent_and_what_cannot_be_read_is_named() {
        let directory = tempfile::tempdir().unwrap();
        assert_eq!(load(directory.path()).unwrap(), LookedUp::default());
        std::fs::create_dir_all(directory.path().join("seed")).unwrap();
        std::fs::write(directory.path().join(file::SEED), "{").unwrap();
        let message = load(directory.path()).unwrap_err().to_string();
        assert!(message.contains("seed.json") && message.contains("line 1"), "{message}");
    }
}
