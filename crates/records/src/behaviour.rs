//! The fields of a behaviour file. `results/FORMAT.md` describes the same for its readers.

use std::collections::HashSet;

use serde::{Deserialize, Serialize};
use write_backend::SyncMode;
use write_backend::protocol::behaviour::Outcome;

use crate::check::{backends, once, started};
use crate::host::Host;
use crate::invalid::{Invalid, at_most, check, each, not_empty};
use crate::schema::BackendRecord;
use crate::store::Stored;

/// The version of the format.
pub const SCHEMA: u32 = 2;

/// Everything that a run found out.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Behaviour {
    /// [`SCHEMA`] of the program that wrote the file.
    pub schema: u32,
    /// `behaviour`.
    pub producer: String,
    /// When the run started: seconds since 1970-01-01 00:00 UTC.
    pub started_unix: u64,
    /// Whether the run came to its end.
    pub complete: bool,
    /// Where it ran.
    pub host: Host,
    /// The type of the file system of the environments.
    pub file_system: String,
    /// The seed of the moments at which writers were killed.
    pub seed: u64,
    /// Who was looked at.
    pub backends: Vec<BackendRecord>,
    /// What each did in each case.
    pub cases: Vec<BehaviourCase>,
    /// What killed writers left.
    pub kills: Vec<Kills>,
    /// What could not be found out, and why.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub failures: Vec<String>,
}

/// One case.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct BehaviourCase {
    /// Its stable name, `subject/input`.
    pub case: String,
    /// What it means for a user.
    pub means: String,
    /// What each backend did.
    pub seen: Vec<Seen>,
}

/// What one backend did in a case.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Seen {
    /// The backend's id.
    pub backend: String,
    /// What happened.
    #[serde(flatten)]
    pub outcome: Outcome,
    /// Whether that is what is declared for this backend.
    pub as_expected: bool,
    /// Why it does something else than the others, where that is declared.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub differs_because: Option<String>,
    /// What that means for a user.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub for_the_user: Option<String>,
}

impl Seen {
    /// Whether something else happened than what is declared. What could not be checked on a machine
    /// is no surprise.
    #[must_use]
    pub fn is_surprise(&self) -> bool {
        !self.as_expected && !matches!(self.outcome, Outcome::NotChecked { .. })
    }
}

/// What killed writers of one backend left, in one sync mode.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Kills {
    /// The writers' backend.
    pub backend: String,
    /// What their commits waited for.
    pub sync: SyncMode,
    /// The backend that looked at what was left.
    pub checked_by: String,
    /// How many writers were killed.
    pub kills: u64,
    /// How many of them before they had said that the environment was open.
    pub while_opening: u64,
    /// How many times the checker had the environment open while the writer was killed.
    pub watched: u64,
    /// How many batches were reported in all.
    pub reported: u64,
    /// How many times the batch that was being written was there, whole: committed, and the report
    /// cut off. In all other cases nothing of it was there.
    pub committed_unreported: u64,
    /// How many reported batches were missing or not whole.
    pub lost: u64,
    /// How many batches that nobody reported were there in part.
    pub partial: u64,
    /// How many times the environment could not be opened or read.
    pub unreadable: u64,
    /// How many times it took no further batch.
    pub refused: u64,
    /// The first few things that were wrong.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub wrong: Vec<String>,
}

impl Kills {
    /// Nothing killed yet.
    #[must_use]
    pub fn none(backend: &str, sync: SyncMode, checked_by: &str) -> Self {
        Self {
            backend: backend.to_owned(),
            sync,
            checked_by: checked_by.to_owned(),
            kills: 0,
            while_opening: 0,
            watched: 0,
            reported: 0,
            committed_unreported: 0,
            lost: 0,
            partial: 0,
            unreadable: 0,
            refused: 0,
            wrong: Vec::new(),
        }
    }

    /// Whether every writer left what it must.
    #[must_use]
    pub fn is_sound(&self) -> bool {
        [self.lost, self.partial, self.unreadable, self.refused] == [0; 4]
    }
}

impl Stored for Behaviour {
    const KIND: &'static str = "behaviour file";
    const SCHEMA: u32 = SCHEMA;

    fn check(&self) -> Result<(), Invalid> {
        let is_own = self.producer == "behaviour";
        check(is_own, "producer", format!("`{}`", self.producer), "behaviour")?;
        started(self.started_unix)?;
        backends(&self.backends)?;
        let known = |id: &String| {
            let is_known = self.backends.iter().any(|backend| backend.id == *id);
            check(is_known, "backend", format!("`{id}`"), "one of `backends`")
        };
        let mut names = HashSet::new();
        each("cases", &self.cases, |case| {
            not_empty("case", &case.case)?;
            once("case", names.insert(&case.case))?;
            let mut seen = HashSet::new();
            each("seen", &case.seen, |it| {
                known(&it.backend)?;
                once("backend", seen.insert(&it.backend))
            })
        })?;
        each("kills", &self.kills, |it| {
            known(&it.backend)?;
            it.check()
        })
    }
}

impl Kills {
    /// What was found of killed writers cannot be more than was killed.
    fn check(&self) -> Result<(), Invalid> {
        not_empty("checked_by", &self.checked_by)?;
        for (name, part) in [
            ("while_opening", self.while_opening),
            ("watched", self.watched),
            ("committed_unreported", self.committed_unreported),
            ("unreadable", self.unreadable),
            ("refused", self.refused),
        ] {
            at_most(name, part, self.kills, "kills")?;
        }
        at_most("lost", self.lost, self.reported, "reported")
    }
}
