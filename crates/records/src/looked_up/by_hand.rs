//! The file of facts that no program can collect: each entry with its source and the day on which
//! somebody looked.

use std::collections::HashSet;

use serde::{Deserialize, Serialize};

use crate::check::once;
use crate::invalid::{Invalid, a_day, each, not_empty};
use crate::store::Stored;

/// The version of the format.
pub const SCHEMA: u32 = 1;

/// All of them.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct ByHand {
    /// [`SCHEMA`].
    pub schema: u32,
    /// What crates can do, where no case of the behaviour matrix shows it.
    pub features: Vec<FeatureEntry>,
    /// Which calls are `unsafe`.
    pub unsafe_calls: Vec<UnsafeEntry>,
    /// Days of releases that the registry's index does not have.
    pub released: Vec<ReleaseEntry>,
}

/// Something that a crate can do or not.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct FeatureEntry {
    /// The crate.
    #[serde(rename = "crate")]
    pub name: String,
    /// What.
    pub feature: Feature,
    /// Whether it can.
    pub has: Has,
    /// By which call, or why not.
    pub how: String,
    /// Where that stands.
    pub source: String,
    /// When somebody looked.
    pub checked: String,
}

/// Calls that need an `unsafe` block.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct UnsafeEntry {
    /// The crate.
    #[serde(rename = "crate")]
    pub name: String,
    /// The calls.
    pub calls: Vec<String>,
    /// Where they stand.
    pub source: String,
    /// When somebody looked.
    pub checked: String,
}

/// The day of a release.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct ReleaseEntry {
    /// The crate.
    #[serde(rename = "crate")]
    pub name: String,
    /// The version.
    pub version: String,
    /// The day.
    pub day: String,
    /// Where that stands.
    pub source: String,
    /// When somebody looked.
    pub checked: String,
}

/// Whether a crate can do something.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Has {
    /// It can.
    Yes,
    /// It cannot.
    No,
}

/// The features, their names in tables, and the case of the behaviour matrix that comes out as `done`
/// where one works, if a case shows it.
macro_rules! features {
    ($($value:ident $name:literal $case:expr => $meaning:literal,)+) => {
        /// What somebody who chooses asks for.
        #[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
        #[serde(rename_all = "kebab-case")]
        pub enum Feature {
            $(#[doc = $meaning] $value,)+
        }

        impl Feature {
            /// All, in the order of the tables.
            pub const ALL: [Self; [$($name,)+].len()] = [$(Self::$value,)+];

            /// Its name in a table.
            #[must_use]
            pub const fn name(self) -> &'static str {
                match self {
                    $(Self::$value => $name,)+
                }
            }

            /// The case of the behaviour matrix that comes out as `done` where it works; `None` where
            /// no case shows it.
            #[must_use]
            pub const fn case(self) -> Option<&'static str> {
                match self {
                    $(Self::$value => $case,)+
                }
            }
        }
    };
}

features! {
    NestedTransactions "nested transactions" Some("nested/commit") =>
        "A transaction within a transaction.",
    Append "append" Some("append/ascending") => "Puts in ascending order without a search.",
    Reserve "reserve" Some("reserve/filled") => "Space for a value that is written in place.",
    DuplicateKeys "duplicate keys" Some("duplicates/two-values") => "Several values of one key.",
    Resize "resize" Some("resize/grow") => "Another map size while the environment is open.",
    CursorPut "put at a cursor" None => "A put at a cursor.",
    CustomComparators "own key order" None => "An order of keys of one's own.",
    StaticReadTransactions "owned read transaction" None =>
        "A read transaction that owns its environment.",
    SendableReadTransactions "read on another thread" None =>
        "A read transaction that may go to another thread.",
    Encryption "encryption" None => "Pages encrypted on disk.",
}

impl Stored for ByHand {
    const KIND: &'static str = "file of facts typed by hand";
    const SCHEMA: u32 = SCHEMA;

    fn check(&self) -> Result<(), Invalid> {
        let traceable = |name: &str, source: &str, checked: &str| {
            not_empty("crate", name)?;
            not_empty("source", source)?;
            a_day("checked", checked)
        };
        let mut seen = HashSet::new();
        each("features", &self.features, |it| {
            traceable(&it.name, &it.source, &it.checked)?;
            not_empty("how", &it.how)?;
            once("feature", seen.insert((&it.name, it.feature)))
        })?;
        let mut seen = HashSet::new();
        each("unsafe_calls", &self.unsafe_calls, |it| {
            traceable(&it.name, &it.source, &it.checked)?;
            it.calls.iter().try_for_each(|call| not_empty("calls", call))?;
            once("crate", seen.insert(&it.name))
        })?;
        let mut seen = HashSet::new();
        each("released", &self.released, |it| {
            traceable(&it.name, &it.source, &it.checked)?;
            not_empty("version", &it.version)?;
            a_day("day", &it.day)?;
            once("version", seen.insert((&it.name, &it.version)))
        })
    }
}

/// The stored file.
///
/// # Panics
/// When it cannot be read.
#[cfg(any(test, feature = "testing"))]
#[must_use]
pub fn stored() -> ByHand {
    let text = include_bytes!("../../../../results/facts/by-hand.json");
    crate::store::parse(text, std::path::Path::new("by-hand.json")).unwrap()
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A cell that nobody filled would look like an answer.
    #[test]
    fn every_binding_has_an_entry_for_what_no_case_shows() {
        let by_hand = stored();
        for feature in Feature::ALL.iter().filter(|feature| feature.case().is_none()) {
            for name in ["lmdb-sys", "lmdb-rkv", "heed"] {
                let is_it = |it: &FeatureEntry| it.name == name && it.feature == *feature;
                assert!(by_hand.features.iter().any(is_it), "{name}: {feature:?}");
            }
        }
    }
}
