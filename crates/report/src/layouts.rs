//! Which way of drawing link orders is like what users build? Stored log ratios in, tables out.

use std::collections::BTreeSet;

use write_backend::Workload;

use crate::groups::WorkloadTable;
use crate::table::{Column, Section, Table};
use crate::units;
use records::trials::{LayoutTrial, Layouts, Origin};
use statistics::{median, winsorised};

/// How far from the mean a build may lie, in spreads.
const SPREADS: f64 = 2.0;

/// Mean and luck of a set of layouts, estimated as a comparison does.
#[derive(Debug, Clone, Copy)]
struct Moments {
    mean: f64,
    /// Winsorised, and without the noise of launches; by chance it may be negative.
    variance: f64,
}

impl Moments {
    /// `None` for fewer than two.
    fn of(layouts: &[&Layouts]) -> Option<Self> {
        let logs: Vec<f64> = layouts.iter().flat_map(|it| it.log_ratios.iter().copied()).collect();
        let errors = layouts.iter().flat_map(|it| &it.errors);
        let noise = median(errors.map(|error| error.powi(2)).collect())?;
        let (mean, variance) = winsorised(&logs).ok().filter(|_| logs.len() > 1)?;
        Some(Self { mean, variance: variance - noise })
    }

    /// How many ratios of `layouts` lie within the mean and twice the luck, with the noise that each of
    /// them has, of how many.
    fn hold(&self, layouts: &[&Layouts]) -> Inside {
        let luck = self.variance.max(0.0);
        let is_inside = |(log, error): &(&f64, &f64)| {
            (**log - self.mean).abs() <= SPREADS * (luck + error.powi(2)).sqrt()
        };
        let found = || layouts.iter().flat_map(|it| it.log_ratios.iter().zip(&it.errors));
        Inside { inside: found().filter(is_inside).count(), all: found().count() }
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

/// The root of the mean variance. The mean is formed first: for one backend the
/// difference may be negative by chance.
fn spread(moments: &[Moments]) -> String {
    let sum: f64 = moments.iter().map(|it| it.variance).sum();
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
    let numbers = ["Luck", "Real builds", "Inside"].map(Column::right);
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
        "Overheads of all bindings in many layouts of the same sources, {} of each. Luck: the spread of an \
         overhead over link orders that were drawn in this way; Real builds: that over builds as users make \
         them; both Winsorised and without the noise of launches. Inside: how many overheads of a single \
         real build lie within the mean over link orders and twice the luck, give or take the noise of that \
         build's own launches. \"As in a run\" is what `compare` does. Seed {}.",
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
    Section::new("Real builds within twice the luck", "", table)
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
        // Winsorised: mean 0.1, standard deviation 0.05 over 0.824, of which 0.03 is noise.
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
                build("far", &[0.23]),
            ],
        };
        let text = markdown(&sections(&trial));
        let row =
            "| shift  | abort  |        10 |         4 | 5.28 % |     10.98 % | 2 of 3 (67 %) |";
        assert!(text.contains(row), "{text}");
        assert!(text.contains("| near  | 2 of 2 (100 %) |"), "{text}");
        assert!(text.contains("| far   |   0 of 1 (0 %) |"), "{text}");
    }
}
