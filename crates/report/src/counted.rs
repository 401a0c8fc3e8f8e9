//! What was counted beside what was timed: the counts of the same run, joined by case.

use crate::counts::own::{beyond_control, instructions};
use crate::summary::{Overheads, overheads};
use crate::units;
use crate::view::View;
use records::builds::{self, BuildDifference, Part};
use records::schema::{CaseRecord, Counts};
use statistics::Verdict;
use write_backend::Workload;

/// What makes the counts of a run.
const COMMAND: &str = "`cargo bench -p harness --bench counts`";

/// The counts of a run, or why there are none that belong to its times.
#[derive(Debug, Clone)]
pub struct Counted<'run>(Result<&'run View<'run>, String>);

impl<'run> Counted<'run> {
    /// The counts that belong to the times of `timed`. Those of programs that were built from other
    /// crates or in another way do not: what was counted is not what was timed.
    #[must_use]
    pub fn new(timed: &View<'_>, counts: Option<&'run View<'run>>) -> Self {
        let Some(counts) = counts else {
            return Self(Err(format!("this run has no counts; {COMMAND} makes them")));
        };
        let [timed, counted] = [timed, counts].map(|view| builds::of_results(view.results));
        let differences = builds::differences(&timed, &counted);
        let is_other = |it: &&BuildDifference| matches!(it.part, Part::Versions | Part::Engine);
        Self(match differences.iter().find(is_other) {
            Some(other) => {
                let BuildDifference { what, a, b, .. } = other;
                Err(format!("the counts are of another build ({what}: {b}, timed with {a})"))
            }
            None => Ok(counts),
        })
    }

    /// What was counted for the case.
    #[must_use]
    pub fn counts(&self, case: &CaseRecord) -> Option<&'run Counts> {
        self.0.as_ref().ok()?.case(&case.backend, &case.workload)?.counts.as_ref()
    }

    /// For which bindings time and instructions say opposite things, in one line; `None` where for none.
    #[must_use]
    pub fn disagreements(&self, timed: &View<'_>) -> Option<String> {
        let counts = self.0.as_ref().ok()?;
        let instructions = |row: &Overheads<'_>| {
            let beyond = |(workload, _): &(Workload, Verdict)| {
                let case = counts.case(row.backend, workload)?;
                let own = instructions(case)?;
                Some((own / (own - beyond_control(counts, case)?)).ln())
            };
            let logs: Vec<f64> = row.verdicts.iter().filter_map(beyond).collect();
            (!logs.is_empty()).then(|| (logs.iter().sum::<f64>() / logs.len() as f64).exp())
        };
        let disagree = |row: &Overheads<'_>| {
            let interval = row.interval.filter(|it| !it.contains(1.0))?;
            let counted = instructions(row)?;
            let is_opposite = (counted - 1.0) * (interval.low - 1.0) < 0.0;
            let [time, counted] = [row.mean, counted].map(units::change);
            let title = &row.group.title;
            is_opposite.then(|| {
                format!("{} ({title}): {time} in time, {counted} in instructions", row.backend)
            })
        };
        let found: Vec<String> = overheads(timed).iter().filter_map(disagree).collect();
        (!found.is_empty()).then(|| {
            format!(
                "Time and instructions disagree in sign, over raw FFI on the same LMDB: {}. Instructions \
                 are the same in every link order and on other machines; the sign of the time need not be.",
                found.join("; ")
            )
        })
    }

    /// Why some cells of these cases hold `-`, in one line; `None` where none does.
    #[must_use]
    pub fn absent(&self, cases: &[&CaseRecord]) -> Option<String> {
        if let Err(reason) = &self.0 {
            return Some(format!("`-` under Alloc and Instr: {reason}."));
        }
        let is_whole = |case: &&&CaseRecord| {
            self.counts(case).is_some_and(|counts| {
                counts.rust_bytes_per_transaction.is_some()
                    && counts.instructions_per_transaction.is_some()
            })
        };
        let lacking = cases.len() - cases.iter().filter(is_whole).count();
        (lacking > 0).then(|| {
            format!(
                "`-` under Alloc or Instr: not counted in this run ({lacking} of {} cases); \
                 {COMMAND} says why.",
                cases.len()
            )
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use records::schema::Results;
    use records::testing::Run;

    #[test]
    fn time_and_instructions_of_opposite_signs_are_named() {
        let run = |run: Run, factor: f64| -> Results {
            run.backend("raw-ffi", None, 1.0).backend("heed", Some("raw-ffi"), factor).build()
        };
        let words = |time: f64, instructions: f64| {
            let (timed, counts) = (run(Run::compare(), time), run(Run::counts(), instructions));
            let [timed, counts] = [&timed, &counts].map(View::new);
            Counted::new(&timed, Some(&counts)).disagreements(&timed)
        };
        let found = words(0.95, 1.5).unwrap();
        assert!(
            found.contains("heed (abort, nosync): -5.") && found.contains(" in time, +"),
            "{found}"
        );
        assert_eq!([words(1.05, 1.5), words(0.95, 0.5)], [None, None]);
    }
}
