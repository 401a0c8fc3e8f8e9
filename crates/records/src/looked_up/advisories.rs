//! The file of known vulnerabilities and warnings of the crates, as a list of a day has them.

use serde::{Deserialize, Serialize};

use crate::invalid::{Invalid, a_day, each, not_empty};
use crate::store::Stored;

/// The version of the format.
pub const SCHEMA: u32 = 1;

/// All of them.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Advisories {
    /// [`SCHEMA`].
    #[serde(default = "first")]
    pub schema: u32,
    /// The list that was looked through.
    pub list: String,
    /// The day of that list.
    pub list_date: String,
    /// What it says of the crates here, also where the version that is locked is not affected.
    pub advisories: Vec<Advisory>,
}

/// One entry.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Advisory {
    /// Its number in the list.
    pub id: String,
    /// The crate.
    #[serde(rename = "crate")]
    pub name: String,
    /// Which of the crates that facts are about bring it with them, on any system; the crate itself
    /// is not among them.
    #[serde(default)]
    pub used_by: Vec<String>,
    /// Whether the version that is locked here is affected.
    pub applies_to_locked_version: bool,
    /// `vulnerability`, `unsound` or `unmaintained`.
    #[serde(default)]
    pub kind: String,
    /// What it is about.
    pub title: String,
}

fn first() -> u32 {
    SCHEMA
}

impl Advisory {
    /// Whether it is about the crate called `name`, or about something that crate brings with it.
    #[must_use]
    pub fn concerns(&self, name: &str) -> bool {
        self.name == name || self.used_by.iter().any(|user| user == name)
    }
}

impl Stored for Advisories {
    const KIND: &'static str = "list of advisories";
    const SCHEMA: u32 = SCHEMA;

    fn check(&self) -> Result<(), Invalid> {
        not_empty("list", &self.list)?;
        a_day("list_date", &self.list_date)?;
        each("advisories", &self.advisories, |it| {
            not_empty("id", &it.id)?;
            not_empty("crate", &it.name)?;
            not_empty("title", &it.title)
        })
    }
}
