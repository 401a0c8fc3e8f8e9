//! What was found out about the instrument by measuring the same sources several times: whether runs
//! agree, and which way of drawing link orders is like what users build.

use serde::{Deserialize, Serialize};
use write_backend::Workload;

use crate::check::started;
use crate::host::Host;
use crate::invalid::{
    Invalid, above_zero, bounds, check, confidence, each, not_empty, not_negative,
};
use crate::schema::Results;
use crate::store::Stored;

/// The version of both formats.
pub const SCHEMA: u32 = 1;

/// The ratios of several runs of the same matrix.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Agreement {
    /// [`SCHEMA`] of the program that wrote it.
    pub schema: u32,
    /// When the first run started: seconds since 1970-01-01 00:00 UTC.
    pub started_unix: u64,
    /// The machine.
    pub host: Host,
    /// The confidence of all intervals.
    pub confidence: f64,
    /// The seed of each run.
    pub seeds: Vec<u64>,
    /// The ratios that all runs have.
    pub ratios: Vec<Repeated>,
}

/// A ratio in every run.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Repeated {
    /// The backend.
    pub backend: String,
    /// What it is compared with: its control, or the reference where it is a control.
    pub against: String,
    /// The workload.
    pub workload: Workload,
    /// Run by run estimate, lower and upper end of the interval.
    pub runs: Vec<[f64; 3]>,
}

impl Agreement {
    /// The ratios of `runs`: overheads, and of a control what it is compared with.
    ///
    /// # Errors
    /// Why these runs say nothing of others.
    pub fn of(runs: &[Results]) -> Result<Self, String> {
        let [first, others @ ..] = runs else { return Err("no runs".to_owned()) };
        if others.is_empty() {
            return Err("one run agrees with itself: at least two are needed".to_owned());
        }
        let seeds: Vec<u64> = runs.iter().map(|run| run.options.seed).collect();
        for (place, seed) in seeds.iter().enumerate() {
            if seeds[..place].contains(seed) {
                return Err(format!(
                    "two runs have the seed {seed}: with the same link orders they agree more than two \
                     builds do"
                ));
            }
        }
        let is_alike = |run: &Results| {
            run.host.cpu == first.host.cpu
                && run.options.confidence.to_bits() == first.options.confidence.to_bits()
        };
        if !others.iter().all(is_alike) {
            return Err("not all runs are of one machine and one confidence".to_owned());
        }
        let ratio = |run: &Results, backend: &str, workload: &Workload| {
            let case = run.case(backend, workload)?;
            let found = case.overhead.as_ref().or(case.relative.as_ref())?;
            Some((found.against.clone(), [found.estimate, found.low, found.high]))
        };
        let repeated = |case: &crate::schema::CaseRecord| {
            let of = |run| ratio(run, &case.backend, &case.workload);
            let found: Option<Vec<(String, [f64; 3])>> = runs.iter().map(of).collect();
            let (against, runs): (Vec<String>, Vec<[f64; 3]>) = found?.into_iter().unzip();
            let is_one = against.iter().all(|it| *it == against[0]);
            is_one.then(|| Repeated {
                backend: case.backend.clone(),
                against: against[0].clone(),
                workload: case.workload,
                runs,
            })
        };
        let ratios: Vec<Repeated> = first.cases.iter().filter_map(repeated).collect();
        if ratios.is_empty() {
            return Err("there is no ratio that all runs have".to_owned());
        }
        Ok(Self {
            schema: SCHEMA,
            started_unix: runs.iter().map(|run| run.started_unix).min().unwrap_or(0),
            host: first.host.clone(),
            confidence: first.options.confidence,
            seeds,
            ratios,
        })
    }
}

impl Stored for Agreement {
    const KIND: &'static str = "agreement of runs";
    const SCHEMA: u32 = SCHEMA;

    fn check(&self) -> Result<(), Invalid> {
        started(self.started_unix)?;
        confidence("confidence", self.confidence)?;
        each("ratios", &self.ratios, |it| {
            not_empty("backend", &it.backend)?;
            let (found, runs) = (it.runs.len(), self.seeds.len());
            check(found == runs && runs > 1, "runs", found, &format!("{runs}, one for each seed"))?;
            it.runs.iter().try_for_each(|[estimate, low, high]| {
                above_zero("runs", *estimate)?;
                bounds(*low, *high)
            })
        })
    }
}

/// The same sources in many layouts: link orders drawn in several ways, and builds that users make.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct LayoutTrial {
    /// [`SCHEMA`] of the program that wrote it.
    pub schema: u32,
    /// When it started: seconds since 1970-01-01 00:00 UTC.
    pub started_unix: u64,
    /// The machine.
    pub host: Host,
    /// The seed of all randomness.
    pub seed: u64,
    /// Launches of each program on each workload.
    pub launches: usize,
    /// What was measured.
    pub layouts: Vec<Layouts>,
}

/// The overhead of a backend on a workload in all layouts of one origin.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Layouts {
    /// Where they come from.
    pub origin: Origin,
    /// The backend.
    pub backend: String,
    /// The workload.
    pub workload: Workload,
    /// For each layout the natural logarithm of the overhead.
    pub log_ratios: Vec<f64>,
    /// The standard error of each, from the launches of that layout alone.
    pub errors: Vec<f64>,
}

/// Where layouts come from.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Origin {
    /// A way of drawing link orders.
    Method(String),
    /// A build as a user might make it.
    Build(String),
}

impl Stored for LayoutTrial {
    const KIND: &'static str = "comparison of link orders";
    const SCHEMA: u32 = SCHEMA;

    fn check(&self) -> Result<(), Invalid> {
        started(self.started_unix)?;
        each("layouts", &self.layouts, |it| {
            not_empty("backend", &it.backend)?;
            let (found, all) = (it.errors.len(), it.log_ratios.len());
            check(found == all, "errors", found, &format!("{all}, one for each log ratio"))?;
            it.errors.iter().try_for_each(|error| not_negative("errors", *error))?;
            let is_possible = it.log_ratios.iter().all(|log| log.is_finite());
            check(is_possible, "log_ratios", "no number", "finite numbers")
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::testing::Run;

    #[test]
    fn runs_that_say_nothing_of_others_are_refused() {
        let run = |seed| Run::whole().edit(|it| it.options.seed = seed).build();
        let found = Agreement::of(&[run(1), run(2)]).unwrap();
        assert_eq!((found.seeds.as_slice(), found.ratios.len()), (&[1, 2][..], 24 * 2));
        assert_eq!(found.ratios[1].against, "raw-ffi@lmdb-master-sys");
        assert_eq!(crate::store::check(&found), Ok(()));
        assert!(Agreement::of(&[run(1)]).unwrap_err().contains("at least two"));
        assert!(Agreement::of(&[run(1), run(1)]).unwrap_err().contains("the seed 1"));
        let mut other = run(3);
        other.host.cpu = "another".to_owned();
        assert!(Agreement::of(&[run(1), other]).unwrap_err().contains("one machine"));
        let mut none = run(4);
        none.cases.clear();
        assert!(Agreement::of(&[run(1), none]).unwrap_err().contains("no ratio"));
    }
}
