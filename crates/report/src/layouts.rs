//! Which way of drawing link orders is like what users build? Stored log ratios in, tables out.

use std::collections::BTreeSet;

use write_backend::Workload;

use crate::groups::WorkloadTable;
use crate::table::{Column, Section, Table};
use crate::units;
use records::trials::{LayoutTrial, Layouts, Origin};

/// How far from the mean a build may lie, in spreads.
const SPREADS: f64 = 2.0;

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
    fn of(layouts: &[&Layouts]) -> Option<Self> {
        let logs = || layouts.iter().flat_map(|it| &it.log_ratios);
        let count = logs().count() as f64;
        if count < 2.0 {
            return None;
        }
        let mean = logs().sum::<f64>() / count;
        let squares: f64 = logs().map(|log| (log - mean).powi(2)).sum();
        let errors = layouts.iter().flat_map(|it| &it.errors);
        let noise = errors.map(|error| error.powi(2)).sum::<f64>() / count;
        Some(Self { mean, variance: squares / (count - 1.0), noise })
    }

    /// How many ratios of `layouts` lie within the mean and twice the spread (with the noise that both
    /// have), of how many.
    fn hold(&self, layouts: &[&Layouts]) -> Inside {
        let reach = SPREADS * self.variance.sqrt();
        let logs: Vec<f64> = layouts.iter().flat_map(|it| it.log_ratios.clone()).collect();
        let inside = logs.iter().filter(|log| (*log - self.mean).abs() <= reach).count();
        Inside { inside, all: logs.len() }
    }
}

#[derive(Debug, Clone, Copy, Default)]
struct Inside {
    inside: usize,
    all: usize,
}

impl Inside {
    fn sum(parts: impl Iterator<Item = Self>) -> Self {
        parts.fold(Self::default(), |sum, it| Self {
            inside: sum.inside + it.inside,
            all: sum.all + it.all,
        })
    }

    fn words(self) -> String {
        let share = 100.0 * self.inside as f64 / self.all.max(1) as f64;
        format!("{} of {} ({share:.0} %)", self.inside, self.all)
    }
}

/// The root of the mean variance that is not noise. The mean is formed first: for one backend the
/// difference may be negative by chance.
fn spread(moments: &[Moments]) -> String {
    let sum: f64 = moments.iter().map(|it| it.variance - it.noise).sum();
    format!("{:.2} %", 100.0 * (sum.max(0.0) / moments.len().max(1) as f64).sqrt())
}

/// What the trial says of one method and workload: of each backend the drawn layouts and the built ones.
fn compared<'a>(
    trial: &'a LayoutTrial,
    method: &str,
    workload: &Workload,
) -> Vec<(Moments, Vec<&'a Layouts>)> {
    let here = || trial.layouts.iter().filter(|it| it.workload == *workload);
    let backends: BTreeSet<&str> = here().map(|it| it.backend.as_str()).collect();
    let of = |backend: &str| {
        let mine = || here().filter(move |it| it.backend == backend);
        let drawn: Vec<&Layouts> =
            mine().filter(|it| matches!(&it.origin, Origin::Method(it) if it == method)).collect();
        let built = mine().filter(|it| matches!(it.origin, Origin::Build(_))).collect();
        Some((Moments::of(&drawn)?, built))
    };
    backends.into_iter().filter_map(of).collect()
}

/// Two tables: spreads by method and workload, and builds inside the mean and twice the spread.
#[must_use]
pub fn sections(trial: &LayoutTrial) -> [Section; 2] {
    let names = |wanted: fn(&Origin) -> Option<&String>| {
        let mut names: Vec<&str> = Vec::new();
        for name in trial.layouts.iter().filter_map(|it| wanted(&it.origin)) {
            if !names.contains(&name.as_str()) {
                names.push(name);
            }
        }
        names
    };
    let methods = names(|it| if let Origin::Method(name) = it { Some(name) } else { None });
    let builds = names(|it| if let Origin::Build(name) = it { Some(name) } else { None });
    let mut workloads: Vec<Workload> = Vec::new();
    for layouts in &trial.layouts {
        if !workloads.contains(&layouts.workload) {
            workloads.push(layouts.workload);
        }
    }
    [spreads(trial, &methods, &workloads), by_build(trial, &methods, &builds, &workloads)]
}

fn spreads(trial: &LayoutTrial, methods: &[&str], workloads: &[Workload]) -> Section {
    let numbers = ["Spread", "Real builds", "Inside"].map(Column::right);
    let mut table = WorkloadTable::new(workloads, &[], [Column::left("Method")], numbers);
    for method in methods {
        for workload in workloads {
            let found = compared(trial, method, workload);
            let drawn: Vec<Moments> = found.iter().map(|(drawn, _)| *drawn).collect();
            let built: Vec<Moments> =
                found.iter().filter_map(|(_, built)| Moments::of(built)).collect();
            let inside = Inside::sum(found.iter().map(|(drawn, built)| drawn.hold(built)));
            if !found.is_empty() {
                table.row([*method], workload, [spread(&drawn), spread(&built), inside.words()]);
            }
        }
    }
    let about = format!(
        "Overheads of all bindings in many layouts of the same sources, {} of each. Spread: the standard \
         deviation of an overhead over link orders that were drawn in this way; Real builds: that over \
         builds as users make them; both without the noise of launches. Inside: how many overheads of a \
         single real build lie within the mean over link orders and twice their spread. Seed {}.",
        units::counted(trial.launches, "launch", "launches"),
        trial.seed
    );
    Section::new("Link orders and real builds", about, table.table)
}

fn by_build(
    trial: &LayoutTrial,
    methods: &[&str],
    builds: &[&str],
    workloads: &[Workload],
) -> Section {
    let numbers = methods.iter().map(|method| Column::right(*method));
    let mut table = Table::new([Column::left("Build")].into_iter().chain(numbers));
    for build in builds {
        let inside = |method: &&str| {
            let parts = workloads.iter().flat_map(|workload| compared(trial, method, workload));
            let is_it = |it: &&Layouts| it.origin == Origin::Build((*build).to_owned());
            let of = |(drawn, built): (Moments, Vec<&Layouts>)| {
                drawn.hold(&built.into_iter().filter(is_it).collect::<Vec<_>>())
            };
            Inside::sum(parts.map(of)).words()
        };
        table.row([(*build).to_owned()].into_iter().chain(methods.iter().map(inside)));
    }
    Section::new("Real builds inside twice the luck", "", table)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::table::markdown;
    use records::testing::{host, workload};

    #[test]
    fn spreads_are_without_noise_and_builds_are_counted() {
        let layouts = |origin, log_ratios: &[f64]| Layouts {
            origin,
            backend: "b".to_owned(),
            workload: workload("abort-n10-v4-k4-sequential-nosync"),
            log_ratios: log_ratios.to_vec(),
            errors: vec![0.03; log_ratios.len()],
        };
        let build = |name: &str, logs: &[f64]| layouts(Origin::Build(name.to_owned()), logs);
        // Mean 0.1, standard deviation 0.05, of which 0.03 is noise: 0.04 is left.
        let drawn = [0.05, 0.15, 0.05, 0.15, 0.1];
        let trial = LayoutTrial {
            schema: 1,
            started_unix: 0,
            host: host(),
            seed: 1,
            launches: 10,
            layouts: vec![
                layouts(Origin::Method("shift".to_owned()), &drawn),
                build("near", &[0.19, 0.01]),
                build("far", &[0.21]),
            ],
        };
        let text = markdown(&sections(&trial));
        let row =
            "| shift  | abort  |        10 |         4 | 4.00 % |     10.60 % | 2 of 3 (67 %) |";
        assert!(text.contains(row), "{text}");
        assert!(text.contains("| near  | 2 of 2 (100 %) |"), "{text}");
        assert!(text.contains("| far   |   0 of 1 (0 %) |"), "{text}");
    }
}
