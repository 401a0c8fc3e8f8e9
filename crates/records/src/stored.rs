//! The kinds of files that are stored, and what each of them may hold.

use std::collections::HashSet;

use serde::Serialize;
use serde::de::DeserializeOwned;

use crate::behaviour::{self as behaviour, Behaviour, Kills};
use crate::calibration::{self as calibration, Calibration, Layout, Slowed};
use crate::invalid::{
    Invalid, above_zero, at_most, check, confidence, each, not_empty, not_negative,
};
use crate::schema::{self, Results};
use crate::validate;

/// A value that has files of its own, with a version.
pub trait Stored: Serialize + DeserializeOwned {
    /// What messages call such a file.
    const KIND: &'static str;
    /// The version of the format that is written; newer ones are refused.
    const SCHEMA: u32;

    /// The version that the value states.
    fn schema(&self) -> u32;

    /// Refuses values that nothing can have been measured as.
    ///
    /// # Errors
    /// The first field that has such a value, and what is allowed.
    fn check(&self) -> Result<(), Invalid>;
}

impl Stored for Results {
    const KIND: &'static str = "results file";
    const SCHEMA: u32 = schema::SCHEMA;

    fn schema(&self) -> u32 {
        self.schema
    }

    fn check(&self) -> Result<(), Invalid> {
        validate::results(self)
    }
}

impl Stored for Calibration {
    const KIND: &'static str = "calibration";
    const SCHEMA: u32 = calibration::SCHEMA;

    fn schema(&self) -> u32 {
        self.schema
    }

    fn check(&self) -> Result<(), Invalid> {
        validate::started(self.started_unix)?;
        validate::texts::host(&self.host)?;
        confidence("confidence", self.confidence)?;
        if let Some(precision) = self.precision {
            above_zero("precision", precision)?;
        }
        not_negative("seconds", self.seconds)?;
        let equal = &self.equal;
        part("excluded", equal.excluded, equal.comparisons, "comparisons")
            .and_then(|()| not_negative("median_half_width", equal.median_half_width))
            .map_err(|invalid| invalid.within("equal"))?;
        each("slowed", &self.slowed, slowed)?;
        each("layout", &self.layout, layout)
    }
}

fn part(field: &str, part: usize, whole: usize, of: &str) -> Result<(), Invalid> {
    at_most(field, part as u64, whole as u64, of)
}

fn slowed(slowed: &Slowed) -> Result<(), Invalid> {
    part("excluded", slowed.excluded, slowed.comparisons, "comparisons")?;
    part("claimed", slowed.claimed, slowed.comparisons, "comparisons")?;
    above_zero("median_estimate", slowed.median_estimate)
}

fn layout(layout: &Layout) -> Result<(), Invalid> {
    not_empty("backend", &layout.backend)?;
    layout.workload.check().map_err(|problem| Invalid::new("workload", problem))?;
    for (index, ratio) in layout.ratios.iter().enumerate() {
        above_zero(&format!("ratios[{index}]"), *ratio)?;
    }
    not_negative("spread", layout.spread)?;
    part("outside", layout.outside, layout.ratios.len(), "ratios")
}

impl Stored for Behaviour {
    const KIND: &'static str = "behaviour file";
    const SCHEMA: u32 = behaviour::SCHEMA;

    fn schema(&self) -> u32 {
        self.schema
    }

    fn check(&self) -> Result<(), Invalid> {
        let is_own = self.producer == "behaviour";
        check(is_own, "producer", format!("`{}`", self.producer), "behaviour")?;
        validate::started(self.started_unix)?;
        validate::texts::host(&self.host)?;
        validate::backends(&self.backends)?;
        let ids: HashSet<&str> = self.backends.iter().map(|it| it.id.as_str()).collect();
        let mut names = HashSet::new();
        each("cases", &self.cases, |case| {
            not_empty("case", &case.case)?;
            let is_new = names.insert(&case.case);
            check(is_new, "case", format!("`{}`", case.case), "there once only")?;
            let mut seen = HashSet::new();
            each("seen", &case.seen, |it| {
                let is_known = ids.contains(it.backend.as_str()) && seen.insert(&it.backend);
                is_known_once(is_known, &it.backend)
            })
        })?;
        each("kills", &self.kills, |it| kills(it, &ids))
    }
}

fn is_known_once(is_so: bool, id: &str) -> Result<(), Invalid> {
    check(is_so, "backend", format!("`{id}`"), "one of `backends`, and there once only")
}

/// What was found of killed writers cannot be more than was killed.
fn kills(kills: &Kills, ids: &HashSet<&str>) -> Result<(), Invalid> {
    is_known_once(ids.contains(kills.backend.as_str()), &kills.backend)?;
    not_empty("checked_by", &kills.checked_by)?;
    for (name, part) in [
        ("while_opening", kills.while_opening),
        ("watched", kills.watched),
        ("committed_unreported", kills.committed_unreported),
        ("unreadable", kills.unreadable),
        ("refused", kills.refused),
    ] {
        at_most(name, part, kills.kills, "kills")?;
    }
    at_most("lost", kills.lost, kills.reported, "reported")
}
