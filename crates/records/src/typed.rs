//! Data that was typed by hand, each file with where it is from: the benchmark this project grew
//! from, facts about bindings that no program can collect, advisories. Nothing of it is measured.

use std::path::Path;

use crate::facts::advisories::Advisories;
use crate::facts::by_hand::ByHand;
use crate::invalid::Invalid;
use crate::presence::optional;
use crate::published::is_date;
use crate::seed::Seed;
use crate::store::{self, StoreError};
use crate::stored::Stored;

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
pub struct Typed {
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
pub fn load(results: &Path) -> Result<Typed, StoreError> {
    Ok(Typed {
        seed: read(&results.join(file::SEED))?,
        by_hand: read(&results.join(file::BY_HAND))?,
        advisories: read(&results.join(file::ADVISORIES))?,
    })
}

fn read<T: Stored>(path: &Path) -> Result<Option<T>, StoreError> {
    optional(path)?.map(store::read).transpose()
}

/// Refuses text that says nothing.
///
/// # Errors
/// When `text` is empty.
pub fn some_text(field: &str, text: &str) -> Result<(), Invalid> {
    if text.trim().is_empty() { Err(Invalid::new(field, "must not be empty")) } else { Ok(()) }
}

/// Refuses what is no day.
///
/// # Errors
/// When `text` does not look like `2026-11-30`.
pub fn a_day(field: &str, text: &str) -> Result<(), Invalid> {
    if is_date(text) {
        Ok(())
    } else {
        Err(Invalid::new(field, format!("`{text}`: it must be a day such as 2026-11-30")))
    }
}

#[cfg(test)]
mod tests {
    use std::fs;

    use proptest::prelude::*;

    use super::*;

    #[test]
    fn what_is_not_there_is_absent_and_what_cannot_be_read_is_named() {
        let directory = tempfile::tempdir().unwrap();
        assert_eq!(load(directory.path()).unwrap(), Typed::default());
        fs::create_dir_all(directory.path().join("seed")).unwrap();
        fs::write(directory.path().join(file::SEED), "{").unwrap();
        let message = load(directory.path()).unwrap_err().to_string();
        assert!(message.contains("seed.json") && message.contains("line 1"), "{message}");
    }

    #[test]
    fn days_have_a_form() {
        assert!(a_day("checked", "2026-11-30").is_ok());
        assert_eq!(a_day("checked", "yesterday").unwrap_err().field, "checked");
    }

    proptest! {
        #[test]
        fn any_bytes_are_read_or_refused(bytes: Vec<u8>) {
            let _ = store::parse::<Seed>(&bytes, Path::new("f.json"));
            let _ = store::parse::<ByHand>(&bytes, Path::new("f.json"));
            let _ = store::parse::<Advisories>(&bytes, Path::new("f.json"));
        }
    }
}
