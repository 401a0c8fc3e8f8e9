//! Binding against binding, as a user sees them, and the split into binding and engine.

use write_backend::Workload;

use crate::answer::grid::{Band, Grid};
use crate::answer::matrix::{Cell, Columns, Pair, cells};
use crate::groups::Group;
use crate::units;
use crate::view::{Role, View};
use records::schema::BackendRecord;

/// The bindings among which somebody chooses: crates of their own, with or without a control in the run.
#[must_use]
pub fn choices<'run>(view: &View<'run>) -> Vec<&'run str> {
    let is_choice = |it: &&&BackendRecord| {
        matches!(view.role(it), Role::Binding | Role::Uncontrolled) && !view.is_variant(it)
    };
    view.backends().iter().filter(is_choice).map(|it| it.id.as_str()).collect()
}

/// Of `choices` the one whose times are the shortest, as a geometric mean over those of `workloads` that
/// all of them have; `None` where there are none.
#[must_use]
pub fn fastest<'a>(
    view: &View<'_>,
    choices: &[&'a str],
    workloads: &[Workload],
) -> Option<&'a str> {
    let median = |id: &str, it: &Workload| Some(view.case(id, it)?.time.as_ref()?.median_ns);
    let ratio = |id: &str, it: &Workload| Some(view.results.ratio(id, view.reference(), it)?.0);
    let value = |id: &str, it: &Workload| ratio(id, it).or_else(|| median(id, it));
    let is_common = |it: &&Workload| choices.iter().all(|id| value(id, it).is_some());
    let common: Vec<&Workload> = workloads.iter().filter(is_common).collect();
    let mean = |id: &str| common.iter().filter_map(|it| value(id, it)).map(f64::ln).sum::<f64>();
    let of = choices.iter().filter(|_| !common.is_empty());
    of.copied().min_by(|one, other| mean(one).total_cmp(&mean(other)))
}

/// The bindings over raw FFI on the same engine.
#[must_use]
pub fn controlled<'run>(view: &View<'run>) -> Vec<Pair<'run>> {
    view.with_role(Role::Binding)
        .filter_map(|it| Some((it.id.as_str(), it.control.as_deref()?)))
        .collect()
}

/// All that a run says of bindings and engines; `None` where it compares none.
#[must_use]
pub fn grid(view: &View<'_>, columns: &Columns) -> Option<Grid> {
    let groups = &columns.groups;
    let mut grid = columns.grid();
    grid.bands.extend(direct(view, groups));
    grid.bands.extend(alone(view, groups));
    grid.bands.extend(engines(view, groups));
    (!grid.bands.is_empty()).then_some(grid)
}

fn direct(view: &View<'_>, groups: &[Group]) -> Option<Band> {
    let choices = choices(view);
    let base = fastest(view, &choices, view.workloads()).filter(|_| choices.len() > 1)?;
    let others = choices.iter().filter(|id| **id != base);
    let pairs: Vec<Pair<'_>> = others.map(|id| (*id, base)).collect();
    Some(band(format!("Binding and LMDB together, % over {base}"), view, &pairs, groups))
}

fn alone(view: &View<'_>, groups: &[Group]) -> Option<Band> {
    let pairs = controlled(view);
    if pairs.is_empty() {
        return None;
    }
    let title = "Binding alone, % over raw FFI on the same LMDB".to_owned();
    let mut band = band(title, view, &pairs, groups);
    let luck = |group: &Group| {
        let lucks = pairs
            .iter()
            .filter_map(|(over, under)| view.results.luck_of_mean(over, under, &group.workloads));
        let (low, high) = units::extent(lucks.map(|it| it * 100.0))?;
        Some(format!("{low:.1}-{high:.1}"))
    };
    let lucks: Option<Vec<String>> = groups.iter().map(luck).collect();
    band.rows.extend(lucks.map(|it| ("luck".to_owned(), it)));
    Some(band)
}

fn engines(view: &View<'_>, groups: &[Group]) -> Option<Band> {
    let reference = view.reference();
    let controls: Vec<&BackendRecord> = view.with_role(Role::Control).collect();
    let pairs: Vec<Pair<'_>> = controls.iter().map(|it| (it.id.as_str(), reference)).collect();
    let base = version(view.backend(reference)?);
    let title = format!("LMDB alone, raw FFI on it, % over {base}");
    let mut band = band(title, view, &pairs, groups);
    for (row, control) in band.rows.iter_mut().zip(&controls) {
        let same = controls.iter().filter(|it| it.engine_version == control.engine_version).count();
        let crate_name = control.engine_crate.clone().filter(|_| same > 1);
        row.0 = crate_name.unwrap_or_else(|| version(control));
    }
    (!band.rows.is_empty()).then_some(band)
}

fn version(backend: &BackendRecord) -> String {
    format!("LMDB {}", backend.engine_version.as_deref().unwrap_or("?"))
}

fn band(title: String, view: &View<'_>, pairs: &[Pair<'_>], groups: &[Group]) -> Band {
    let texts = cells(view, pairs, groups);
    let row = |((over, _), cells): (&Pair<'_>, Vec<Cell>)| {
        ((*over).to_owned(), cells.iter().map(Cell::text).collect())
    };
    Band { title, rows: pairs.iter().zip(texts).map(row).collect() }
}

/// The median time of a transaction of the reference in each column, as a geometric mean.
#[must_use]
pub fn times(view: &View<'_>, groups: &[Group]) -> Band {
    let reference = view.reference();
    let time = |group: &Group| {
        let cases = view.cases_of(reference, &group.workloads);
        let logs: Vec<f64> =
            cases.filter_map(|case| Some(case.time.as_ref()?.median_ns.ln())).collect();
        let mean = (logs.iter().sum::<f64>() / logs.len() as f64).exp();
        units::or_absent((!logs.is_empty()).then_some(mean), units::time)
    };
    let row = (reference.to_owned(), groups.iter().map(time).collect());
    Band { title: "Time of a transaction (median)".to_owned(), rows: vec![row] }
}
