//! Data that somebody looked up, each file with where it is from: the benchmark this project grew
//! from, facts about bindings that no program can collect, advisories. Nothing of it is measured.

use std::path::Path;

use crate::store::{StoreError, read_if_there};

pub mod advisories;
pub mod by_hand;
pub mod seed;

use advisories::Advisories;
use by_hand::ByHand;
use seed::Seed;

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
    use serde_json::Value;

    use super::*;
    use crate::store::{Stored, parse};
    use crate::testing::with;

    #[test]
    fn what_is_not_there_is_absent_and_what_cannot_be_read_is_named() {
        let directory = tempfile::tempdir().unwrap();
        assert_eq!(load(directory.path()).unwrap(), LookedUp::default());
        std::fs::create_dir_all(directory.path().join("seed")).unwrap();
        std::fs::write(directory.path().join(file::SEED), "{").unwrap();
        let message = load(directory.path()).unwrap_err().to_string();
        assert!(message.contains("seed.json") && message.contains("line 1"), "{message}");
    }

    fn refused<T: Stored + std::fmt::Debug>(value: &T, pointer: &str, other: &str) -> String {
        let text = with(&serde_json::to_string(value).unwrap(), pointer, other);
        parse::<T>(text.as_bytes(), Path::new("f.json")).unwrap_err().to_string()
    }

    #[test]
    fn what_has_no_source_or_cannot_be_is_refused_by_name() {
        let json = serde_json::to_value(seed::stored()).unwrap();
        let first = &json["tables"][0]["rows"][0];
        for (pointer, value, expected) in [
            (
                "/tables/1/rows/3/mean_us",
                "-1",
                "tables[1].rows[3].mean_us: -1: it must be a finite",
            ),
            ("/tables/0/rows/1", &first.to_string(), "tables[0].rows[1].batch_size: it is there"),
            ("/source", r#""""#, "source: an empty text: it must be a text that is not empty"),
            ("/schema", "2", "schema: this table of published numbers was written in format 2"),
        ] {
            let message = refused(&seed::stored(), pointer, value);
            assert!(message.starts_with(&format!("f.json: {expected}")), "{message}");
        }
        let json: Value = serde_json::to_value(by_hand::stored()).unwrap();
        let first = json["features"][0].to_string();
        for (pointer, value, expected) in [
            ("/features/2/source", r#""""#, "features[2].source: an empty text"),
            ("/features/0/crate", r#"" ""#, "features[0].crate: an empty text"),
            ("/unsafe_calls/1/checked", r#""today""#, "unsafe_calls[1].checked: `today`"),
            ("/features/1", &first, "features[1].feature: it is there already"),
        ] {
            let message = refused(&by_hand::stored(), pointer, value);
            assert!(message.starts_with(&format!("f.json: {expected}")), "{message}");
        }
    }

    #[test]
    fn other_fields_of_advisories_are_left_alone_and_empty_ones_refused() {
        let text = r#"{"list": "L", "list_date": "2026-11-30", "advisories": [{"id": "A-1", "crate":
            "heed", "versions_affected": "< 1", "applies_to_locked_version": false, "title": "t"}]}"#;
        let read = |text: &str| parse::<Advisories>(text.as_bytes(), Path::new("f.json"));
        let found = read(text).unwrap();
        assert!(found.advisories[0].concerns("heed") && !found.advisories[0].concerns("lmdb-sys"));
        let message = refused(&found, "/advisories/0/title", r#""""#);
        assert!(message.starts_with("f.json: advisories[0].title: an empty text"), "{message}");
    }
}
