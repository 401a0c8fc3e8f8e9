//! The data of one published run.

use std::path::{Path, PathBuf};

use crate::behaviour::Behaviour;
use crate::calibration::Calibration;
use crate::facts::schema::Facts;
use crate::host::Host;
#[cfg(doc)]
use crate::published::file;
use crate::schema::Results;
use crate::trials::{Agreement, LayoutTrial};

/// One published run.
#[derive(Debug, Clone, PartialEq)]
pub struct Published {
    /// The name under which the machine was published.
    pub host: String,
    /// The day, as `2026-11-30`.
    pub date: String,
    /// [`file::COMPARE`].
    pub compare: Option<Results>,
    /// [`file::EQUAL_FLAGS`].
    pub equal_flags: Option<Results>,
    /// [`file::COUNTS`].
    pub counts: Option<Results>,
    /// [`file::CALIBRATION`].
    pub calibration: Option<Calibration>,
    /// [`file::PRECISE_CALIBRATION`].
    pub precise_calibration: Option<Calibration>,
    /// [`file::BEHAVIOUR`].
    pub behaviour: Option<Behaviour>,
    /// [`file::FACTS`].
    pub facts: Option<Facts>,
    /// [`file::AGREEMENT`].
    pub agreement: Option<Agreement>,
    /// [`file::LINK_ORDERS`].
    pub link_orders: Option<LayoutTrial>,
}

impl Published {
    /// Where the run is, seen from the directory of all results: `xeon-vm/2026-11-30`.
    #[must_use]
    pub fn place(&self) -> PathBuf {
        Path::new(&self.host).join(&self.date)
    }

    /// A run without data.
    #[must_use]
    pub fn empty(host: &str, date: &str) -> Self {
        Self {
            host: host.to_owned(),
            date: date.to_owned(),
            compare: None,
            equal_flags: None,
            counts: None,
            calibration: None,
            precise_calibration: None,
            behaviour: None,
            facts: None,
            agreement: None,
            link_orders: None,
        }
    }

    /// The comparison whose times are shown: as shipped, or else with equal flags.
    #[must_use]
    pub fn timed(&self) -> Option<&Results> {
        self.compare.as_ref().or(self.equal_flags.as_ref())
    }

    /// The results file that says most of the run.
    #[must_use]
    pub fn results(&self) -> Option<&Results> {
        self.timed().or(self.counts.as_ref())
    }

    /// The machine, from whatever file is there.
    #[must_use]
    pub fn machine(&self) -> Option<&Host> {
        let calibration = self.calibration.as_ref().or(self.precise_calibration.as_ref());
        (self.results().map(|it| &it.host))
            .or(calibration.map(|it| &it.host))
            .or(self.behaviour.as_ref().map(|it| &it.host))
            .or(self.facts.as_ref().map(|it| &it.host))
    }

    /// Whether anything was published.
    #[must_use]
    pub const fn has_data(&self) -> bool {
        self.compare.is_some()
            || self.equal_flags.is_some()
            || self.counts.is_some()
            || self.calibration.is_some()
            || self.precise_calibration.is_some()
            || self.behaviour.is_some()
            || self.facts.is_some()
            || self.agreement.is_some()
            || self.link_orders.is_some()
    }
}
