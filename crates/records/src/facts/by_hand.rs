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

/// What somebody who chooses asks for.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Feature {
    /// A transaction within a transaction.
    NestedTransactions,
    /// Puts in ascending order without a search.
    Append,
    /// Space for a value that is written in place.
    Reserve,
    /// Several values of one key.
    DuplicateKeys,
    /// Another map size while the environment is open.
    Resize,
    /// A put at a cursor.
    CursorPut,
    /// An order of keys of one's own.
    CustomComparators,
    /// A read transaction that owns its environment.
    StaticReadTransactions,
    /// A read transaction that may go to another thread.
    SendableReadTransactions,
    /// Pages encrypted on disk.
    Encryption,
}

impl Feature {
    /// All, in the order of the tables.
    pub const ALL: [Self; 10] = [
        Self::NestedTransactions,
        Self::Append,
        Self::Reserve,
        Self::DuplicateKeys,
        Self::Resize,
        Self::CursorPut,
        Self::CustomComparators,
        Self::StaticReadTransactions,
        Self::SendableReadTransactions,
        Self::Encryption,
    ];

    /// Its name in a table, and the case of the behaviour matrix that comes out as `done` where it
    /// works, if one shows it.
    const fn known(self) -> (&'static str, Option<&'static str>) {
        match self {
            Self::NestedTransactions => ("nested transactions", Some("nested/commit")),
            Self::Append => ("append", Some("append/ascending")),
            Self::Reserve => ("reserve", Some("reserve/filled")),
            Self::DuplicateKeys => ("duplicate keys", Some("duplicates/two-values")),
            Self::Resize => ("resize", Some("resize/grow")),
            Self::CursorPut => ("put at a cursor", None),
            Self::CustomComparators => ("own key order", None),
            Self::StaticReadTransactions => ("owned read transaction", None),
            Self::SendableReadTransactions => ("read on another thread", None),
            Self::Encryption => ("encryption", None),
        }
    }

    /// Its name in a table.
    #[must_use]
    pub const fn name(self) -> &'static str {
        self.known().0
    }

    /// The case of the behaviour matrix that comes out as `done` where it works; `None` where no
    /// case shows it.
    #[must_use]
    pub const fn case(self) -> Option<&'static str> {
        self.known().1
    }
}

impl Stored for ByHand {
    const KIND: &'static str = "file of facts typed by hand";
    const SCHEMA: u32 = SCHEMA;

    fn check(&self) -> Result<(), Invalid> {
        let mut seen = HashSet::new();
        each("features", &self.features, |it| {
            known(&it.name)?;
            not_empty("how", &it.how)?;
            traceable(&it.source, &it.checked)?;
            once("feature", seen.insert((it.name.clone(), it.feature)))
        })?;
        let mut seen = HashSet::new();
        each("unsafe_calls", &self.unsafe_calls, |it| {
            known(&it.name)?;
            it.calls.iter().try_for_each(|call| not_empty("calls", call))?;
            traceable(&it.source, &it.checked)?;
            once("crate", seen.insert(it.name.clone()))
        })?;
        let mut seen = HashSet::new();
        each("released", &self.released, |it| {
            known(&it.name)?;
            not_empty("version", &it.version)?;
            a_day("day", &it.day)?;
            traceable(&it.source, &it.checked)?;
            once("version", seen.insert((it.name.clone(), it.version.clone())))
        })
    }
}

fn known(name: &str) -> Result<(), Invalid> {
    not_empty("crate", name)
}

fn traceable(source: &str, checked: &str) -> Result<(), Invalid> {
    not_empty("source", source)?;
    a_day("checked", checked)
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
    use std::path::Path;

    use super::*;
    use crate::store::parse;

    fn refused(change: fn(&mut ByHand)) -> String {
        let mut by_hand = stored();
        change(&mut by_hand);
        let bytes = serde_json::to_vec(&by_hand).unwrap();
        parse::<ByHand>(&bytes, Path::new("by-hand.json")).unwrap_err().to_string()
    }

    #[test]
    fn what_has_no_source_or_no_crate_is_refused_by_name() {
        let message = refused(|it| it.features[2].source.clear());
        assert_eq!(
            message,
            "by-hand.json: features[2].source: an empty text: it must be a text that is not empty"
        );
        let message = refused(|it| it.features[0].name.clear());
        assert_eq!(
            message,
            "by-hand.json: features[0].crate: an empty text: it must be a text that is not empty"
        );
        let message = refused(|it| it.unsafe_calls[1].checked = "today".to_owned());
        assert!(message.contains("unsafe_calls[1].checked: `today`"), "{message}");
        let message = refused(|it| it.features[1] = it.features[0].clone());
        assert!(message.contains("features[1].feature: it is there already"), "{message}");
    }

    /// A cell that nobody filled would look like an answer.
    #[test]
    fn every_binding_has_an_entry_for_what_no_case_shows() {
        let by_hand = stored();
        for feature in Feature::ALL.iter().filter(|feature| feature.case().is_none()) {
            for name in ["lmdb-sys", "lmdb-rkv", "heed"] {
                let is_it = |it: &&FeatureEntry| it.name == name && it.feature == *feature;
                assert!(by_hand.features.iter().any(|it| is_it(&it)), "{name}: {feature:?}");
            }
        }
    }
}
