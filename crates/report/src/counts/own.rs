//! A binding's own instructions: what it executes beyond raw FFI on the same engine.

use write_backend::Workload;

use crate::groups::Group;
use crate::view::{Role, View};
use records::schema::{BackendRecord, CaseRecord};
use statistics::CostLine;

/// What a backend executes beyond its control, as a line over the batch size.
#[derive(Debug, Clone, PartialEq)]
pub struct OwnInstructions<'run> {
    /// The backend.
    pub backend: &'run str,
    /// The workloads, which differ in the batch size alone.
    pub group: Group,
    /// Instructions per put, and per transaction besides: begin and finish.
    pub line: CostLine,
}

/// Instructions per transaction.
#[must_use]
pub fn instructions(case: &CaseRecord) -> Option<f64> {
    case.counts.as_ref()?.instructions_per_transaction
}

/// What `case` executes beyond the control of its backend, in instructions per transaction.
#[must_use]
pub fn beyond_control(view: &View<'_>, case: &CaseRecord) -> Option<f64> {
    Some(instructions(case)? - instructions(view.control_of(case)?)?)
}

/// The lines of all bindings, for each group of workloads that differ in the batch size alone and have
/// at least two of them.
#[must_use]
pub fn lines<'run>(view: &View<'run>) -> Vec<OwnInstructions<'run>> {
    let groups = view.groups_over(&["batch_size"]);
    let bindings = view.backends().iter().copied().filter(|it| it.control.is_some());
    let pairs = bindings.flat_map(|it| groups.iter().map(move |group| (it, group)));
    let line = |(backend, group): (&'run BackendRecord, &Group)| {
        let cases = view.cases_of(&backend.id, &group.workloads);
        let points: Vec<(f64, f64)> = cases
            .filter_map(|case| Some((case.workload.batch_size as f64, beyond_control(view, case)?)))
            .collect();
        let line = CostLine::through(&points)?;
        Some(OwnInstructions { backend: &backend.id, group: group.clone(), line })
    };
    pairs.filter_map(line).collect()
}

/// Instructions of the reference over those of the loop in C, where both are there.
#[must_use]
pub fn over_c(view: &View<'_>) -> Vec<(Workload, f64)> {
    let in_c: Vec<&str> = view.with_role(Role::LoopInC).map(|it| it.id.as_str()).collect();
    let ratio = |workload: &Workload| {
        let c = in_c.iter().find_map(|id| instructions(view.case(id, workload)?))?;
        Some((*workload, instructions(view.case(view.reference(), workload)?)? / c))
    };
    view.workloads().iter().filter_map(ratio).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use records::testing::Run;

    /// heed needs 61 instructions per transaction and 25 per put more than its control.
    #[test]
    fn a_line_has_a_part_per_transaction_and_a_part_per_put() {
        let names = [1, 10, 100].map(|size| format!("commit-n{size}-v4-k4-sequential-nosync"));
        let names = names.each_ref().map(String::as_str);
        let run = Run::counts().workloads(&names).backend("raw-ffi", None, 1.0);
        let mut results = run.backend("heed", Some("raw-ffi"), 1.0).build();
        for case in &mut results.cases {
            let size = case.workload.batch_size as f64;
            let own = if case.backend == "heed" { 61.0 + 25.0 * size } else { 0.0 };
            let counts = case.counts.as_mut().unwrap();
            counts.instructions_per_transaction = Some(1000.0 * size + own);
        }
        let lines = lines(&View::new(&results));
        let [OwnInstructions { backend: "heed", line, .. }] = lines.as_slice() else {
            panic!("{lines:?}")
        };
        assert!((line.per_put - 25.0).abs() < 1e-9 && line.off < 1e-9, "{line:?}");
        assert!((line.per_transaction - 61.0).abs() < 1e-9, "{line:?}");
    }
}
