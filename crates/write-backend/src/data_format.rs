//! Which files an engine writes and reads.

use std::fmt;

use serde::{Deserialize, Serialize};

/// The format of an engine's data file, such as `lmdb-3`: its family, a hyphen, and the version.
///
/// A file opens in engines of its own format alone, so it is checked by one of these. Only times of one
/// family are shown as ratios of each other. What does not name a format has `lmdb-1`: that of LMDB 0.9
/// (`MDB_DATA_VERSION` in its `mdb.c`).
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(try_from = "String")]
pub struct DataFormat(String);

impl DataFormat {
    /// Whose format it is: `lmdb` or another family of engines.
    #[must_use]
    pub fn family(&self) -> &str {
        self.0.split('-').next().unwrap_or_default()
    }

    /// Whether it is the one that need not be named.
    #[must_use]
    pub fn is_default(&self) -> bool {
        *self == Self::default()
    }
}

impl Default for DataFormat {
    fn default() -> Self {
        Self("lmdb-1".to_owned())
    }
}

impl TryFrom<String> for DataFormat {
    type Error = String;

    fn try_from(text: String) -> Result<Self, String> {
        let is_word = |word: &str| {
            !word.is_empty()
                && word.bytes().all(|it| it.is_ascii_lowercase() || it.is_ascii_digit())
        };
        match text.split_once('-') {
            Some((family, version)) if is_word(family) && is_word(version) => Ok(Self(text)),
            _ => {
                Err(format!("the data format `{text}` must be like lmdb-1: a family and a version"))
            }
        }
    }
}

impl fmt::Display for DataFormat {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str(&self.0)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_format_is_a_family_and_a_version() {
        let read = |text: &str| DataFormat::try_from(text.to_owned());
        assert_eq!(read("mdbx-3").unwrap().family(), "mdbx");
        assert!(read("lmdb-1").unwrap().is_default());
        for wrong in ["lmdb", "lmdb-", "-1", "LMDB-1", "lmdb-1-2", ""] {
            assert!(read(wrong).unwrap_err().contains("like lmdb-1"), "{wrong}");
        }
    }
}
