//! Which way of drawing link orders is like what users build? Pure: log ratios in, a table out.

use std::collections::{BTreeMap, BTreeSet};
use std::fmt::{self, Write as _};

use crate::links::method::Method;

/// How far from the mean a build may lie, in spreads.
const SPREADS: f64 = 2.0;

/// Where a program's layout comes from.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum Origin {
    /// A link order.
    Order(Method),
    /// A build that a user might make, by its name.
    Real(&'static str),
}

/// The ratio of a backend to its control in one layout of both.
#[derive(Debug, Clone, PartialEq)]
pub struct Observation {
    /// Whose layout.
    pub origin: Origin,
    /// What was measured.
    pub workload: String,
    /// The backend.
    pub backend: String,
    /// The logarithm of the ratio, estimated over several launches.
    pub log_ratio: f64,
    /// The standard error of that estimate, from the launches of this layout alone.
    pub error: f64,
}

/// A method on a workload.
#[derive(Debug, Clone, PartialEq)]
pub struct Row {
    /// The method.
    pub method: Method,
    /// The workload.
    pub workload: String,
    /// The spread of a backend's ratio over link orders, as a part of 1: the root of the mean variance
    /// of all backends, without the part that the launches' own noise has in it.
    pub spread: f64,
    /// The same over the real builds.
    pub real_spread: f64,
    /// Ratios of real builds within the orders' mean and twice their spread (with the noise that both
    /// have).
    pub inside: usize,
    /// All ratios of real builds.
    pub real: usize,
}

/// The comparison.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct Report {
    /// Methods and workloads.
    pub rows: Vec<Row>,
    /// For each method and real build how many ratios lie inside, of how many.
    pub builds: BTreeMap<(Method, &'static str), (usize, usize)>,
}

/// Mean and variances of a set of layouts.
#[derive(Debug, Clone, Copy)]
struct Moments {
    mean: f64,
    /// As observed.
    variance: f64,
    /// The part of it that is noise of launches.
    noise: f64,
}

impl Moments {
    /// `None` for fewer than two.
    fn of(observations: &[&Observation]) -> Option<Self> {
        let count = observations.len() as f64;
        if count < 2.0 {
            return None;
        }
        let mean = observations.iter().map(|it| it.log_ratio).sum::<f64>() / count;
        let squares: f64 = observations.iter().map(|it| (it.log_ratio - mean).powi(2)).sum();
        let noise = observations.iter().map(|it| it.error.powi(2)).sum::<f64>() / count;
        Some(Self { mean, variance: squares / (count - 1.0), noise })
    }

    fn holds(&self, log_ratio: f64) -> bool {
        (log_ratio - self.mean).abs() <= SPREADS * self.variance.sqrt()
    }
}

/// The root of the mean variance that is not noise. The mean is formed first: for one backend the
/// difference may be negative by chance.
fn spread(moments: &[Moments]) -> f64 {
    let sum: f64 = moments.iter().map(|it| it.variance - it.noise).sum();
    (sum.max(0.0) / moments.len().max(1) as f64).sqrt()
}

/// Compares the methods in `observations` with the real builds in it.
#[must_use]
pub fn compare(observations: &[Observation]) -> Report {
    let workloads: BTreeSet<&str> = observations.iter().map(|it| &*it.workload).collect();
    let backends: BTreeSet<&str> = observations.iter().map(|it| &*it.backend).collect();
    let mut report = Report::default();
    for method in Method::ALL {
        for &workload in &workloads {
            let (mut orders, mut reals, mut inside, mut all) = (Vec::new(), Vec::new(), 0, 0);
            for &backend in &backends {
                let of = |wanted: &dyn Fn(Origin) -> bool| -> Vec<&Observation> {
                    let same = |it: &&Observation| it.workload == workload && it.backend == backend;
                    observations.iter().filter(same).filter(|it| wanted(it.origin)).collect()
                };
                let Some(drawn) = Moments::of(&of(&|it| it == Origin::Order(method))) else {
                    continue;
                };
                let real = of(&|it| matches!(it, Origin::Real(_)));
                orders.push(drawn);
                reals.extend(Moments::of(&real));
                for observation in real {
                    let Origin::Real(name) = observation.origin else { continue };
                    let holds = usize::from(drawn.holds(observation.log_ratio));
                    let build = report.builds.entry((method, name)).or_default();
                    *build = (build.0 + holds, build.1 + 1);
                    (inside, all) = (inside + holds, all + 1);
                }
            }
            if !orders.is_empty() {
                let (spread, real_spread) = (spread(&orders), spread(&reals));
                let workload = workload.to_owned();
                let row = Row { method, workload, spread, real_spread, inside, real: all };
                report.rows.push(row);
            }
        }
    }
    report
}

impl fmt::Display for Report {
    /// Two tables in Markdown.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(
            "| Method | Workload | Spread | Real builds | Inside |\n|---|---|--:|--:|--:|\n",
        )?;
        for Row { method, workload, spread, real_spread, inside, real } in &self.rows {
            let (spread, real_spread) = (100.0 * spread, 100.0 * real_spread);
            writeln!(
                f,
                "| {method} | {workload} | {spread:.2} % | {real_spread:.2} % | {inside} of {real} |"
            )?;
        }
        let methods: BTreeSet<Method> = self.builds.keys().map(|(method, _)| *method).collect();
        let names: BTreeSet<&str> = self.builds.keys().map(|(_, name)| *name).collect();
        f.write_str("\n| Build |")?;
        methods.iter().try_for_each(|method| write!(f, " {method} |"))?;
        writeln!(f, "\n|---|{}", "--:|".repeat(methods.len()))?;
        for name in names {
            let mut line = format!("| {name} |");
            for method in &methods {
                match self.builds.get(&(*method, name)) {
                    Some((inside, all)) => write!(line, " {inside} of {all} |")?,
                    None => line.push_str(" |"),
                }
            }
            writeln!(f, "{line}")?;
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn spreads_are_without_noise_and_builds_are_counted() {
        let observe = |origin, log_ratio: f64| Observation {
            origin,
            workload: "w".to_owned(),
            backend: "b".to_owned(),
            log_ratio,
            error: 0.03,
        };
        // Mean 0.1, standard deviation 0.05, of which 0.03 is noise: 0.04 is left.
        let orders =
            [0.05, 0.15, 0.05, 0.15, 0.1].map(|it| observe(Origin::Order(Method::Shift), it));
        let reals = [("near", 0.19), ("far", 0.21), ("near", 0.01)];
        let reals = reals.map(|(name, ratio)| observe(Origin::Real(name), ratio));
        let report = compare(&[&orders[..], &reals[..]].concat());
        let [row] = &report.rows[..] else { panic!("{report:?}") };
        assert!((row.spread - 0.04).abs() < 1e-9, "{row:?}");
        assert_eq!((row.inside, row.real), (2, 3));
        assert_eq!(report.builds[&(Method::Shift, "near")], (2, 2));
        assert_eq!(report.builds[&(Method::Shift, "far")], (0, 1));
        assert!(report.to_string().contains("| shift | w | 4.00 % |"), "{report}");
    }
}
