//! What was counted beside what was timed: the counts of the same run, joined by case.

use std::collections::HashMap;

use write_backend::Workload;

use records::schema::{BackendRecord, CaseRecord, Counts, Results};

/// What makes the counts of a run.
const COMMAND: &str = "`cargo bench -p harness --bench counts`";

/// The counts of a run, by case.
#[derive(Debug, Clone)]
pub struct Counted<'run> {
    cases: HashMap<(&'run str, Workload), &'run Counts>,
    /// Why there is nothing at all.
    nothing: Option<String>,
}

impl<'run> Counted<'run> {
    /// The counts that belong to the times of `timed`. Those of programs that were built from other
    /// crates or in another way do not: what was counted is not what was timed.
    #[must_use]
    pub fn new(timed: &Results, counts: Option<&'run Results>) -> Self {
        let none = |reason| Self { cases: HashMap::new(), nothing: Some(reason) };
        let Some(counts) = counts else {
            return none(format!("this run has no counts; {COMMAND} makes them"));
        };
        let other = timed.backends.iter().find(|backend| {
            let twin = counts.backends.iter().find(|it| it.id == backend.id);
            twin.is_some_and(|twin| !is_same_build(backend, twin))
        });
        if let Some(other) = other {
            return none(format!("the counts are of another build of {}", other.id));
        }
        let cases = counts.cases.iter();
        let cases = cases
            .filter_map(|case| {
                Some(((case.backend.as_str(), case.workload), case.counts.as_ref()?))
            })
            .collect();
        Self { cases, nothing: None }
    }

    /// What was counted for the case.
    #[must_use]
    pub fn of(&self, case: &CaseRecord) -> Option<&'run Counts> {
        self.cases.get(&(case.backend.as_str(), case.workload)).copied()
    }

    /// Why some cells of these cases hold `-`, in one line; `None` where none does.
    #[must_use]
    pub fn absent(&self, cases: &[&CaseRecord]) -> Option<String> {
        if let Some(reason) = &self.nothing {
            return Some(format!("`-` under Alloc and Instr: {reason}."));
        }
        let is_whole = |case: &&CaseRecord| {
            self.of(case).is_some_and(|counts| {
                counts.rust_bytes_per_transaction.is_some()
                    && counts.instructions_per_transaction.is_some()
            })
        };
        let lacking = cases.iter().filter(|case| !is_whole(case)).count();
        (lacking > 0).then(|| {
            format!(
                "`-` under Alloc or Instr: not counted in this run ({lacking} of {} cases); \
                 {COMMAND} says why.",
                cases.len()
            )
        })
    }
}

/// Whether both were built from the same crates in the same way, as far as their files show it.
fn is_same_build(one: &BackendRecord, other: &BackendRecord) -> bool {
    one.binding_version == other.binding_version
        && one.engine_crate_version == other.engine_crate_version
        && one.engine_version == other.engine_version
        && one.engine_build == other.engine_build
}
