//! The answer of a count: instructions beyond raw FFI, and allocations.

use crate::answer::grid::{Band, wrapped};
use crate::answer::matrix::Columns;
use crate::answer::screen::{failures, head, warnings};
use crate::counts::own::beyond_control;
use crate::counts::tables::without_twin;
use crate::groups::Group;
use crate::units::{count, or_absent, tenths};
use crate::view::{Role, View};
use records::schema::{BackendRecord, CaseRecord};

const LINES: usize = 34;

/// Two matrices under one head; `None` where nothing was counted.
#[must_use]
pub fn screen(view: &View<'_>, width: usize) -> Option<String> {
    let columns = Columns::of(&without_twin(view));
    let mut grid = columns.grid();
    let bindings: Vec<&BackendRecord> = view.with_role(Role::Binding).collect();
    let beyond =
        |case: &CaseRecord| Some(beyond_control(view, case)? / case.workload.batch_size as f64);
    grid.bands.push(band(
        "Instructions per put beyond raw FFI on the same LMDB",
        view,
        &bindings,
        &columns.groups,
        &beyond,
        tenths,
    ));
    let is_meant = |it: &&&BackendRecord| matches!(view.role(it), Role::Reference | Role::Binding);
    let own: Vec<&BackendRecord> = view.backends().iter().filter(is_meant).copied().collect();
    let allocations = |case: &CaseRecord| case.counts.as_ref()?.rust_allocations_per_transaction;
    grid.bands.push(band(
        "Allocations of Rust code per transaction",
        view,
        &own,
        &columns.groups,
        &allocations,
        count,
    ));
    grid.bands.retain(|band| !band.rows.is_empty());
    let text = format!(
        "{}{}{}{}\n{}",
        wrapped(&head(view), width),
        warnings(view, width),
        failures(view, width),
        wrapped(
            &format!("Begin and finish are shared among the puts{}.", columns.pooled_in_words()),
            width
        ),
        grid.text(width, LINES)
    );
    (!grid.bands.is_empty()).then_some(text)
}

fn band(
    title: &str,
    view: &View<'_>,
    backends: &[&BackendRecord],
    groups: &[Group],
    value: &dyn Fn(&CaseRecord) -> Option<f64>,
    text: fn(f64) -> String,
) -> Band {
    let mean = |id: &str, group: &Group| {
        let values: Vec<f64> = view.cases_of(id, &group.workloads).filter_map(value).collect();
        let mean = values.iter().sum::<f64>() / values.len() as f64;
        (!values.is_empty()).then_some(mean)
    };
    let mut rows = Vec::new();
    for backend in backends {
        let means: Vec<Option<f64>> = groups.iter().map(|group| mean(&backend.id, group)).collect();
        if means.iter().any(Option::is_some) {
            let cells = means.iter().map(|mean| or_absent(*mean, text)).collect();
            rows.push((backend.id.clone(), cells));
        }
    }
    Band { title: title.to_owned(), rows }
}
