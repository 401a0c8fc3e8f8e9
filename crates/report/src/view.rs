//! One view of a run, which feeds everything that is shown of it: cases by backend and workload, who is
//! what among the backends, workloads in groups.
//!
//! It knows a run's file and nothing else: which backend is a binding, a control or the reference does
//! not depend on what this program can measure today.

use std::collections::{BTreeSet, HashMap};

use write_backend::Workload;

use crate::groups::{Group, groups_over};
use records::published::{Published, REFERENCE_HOST};
use records::quality;
use records::schema::{BackendRecord, CaseRecord, Results};
use statistics::Interval;

/// What a backend is, as its run's file says it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Role {
    /// The one that all others are compared with.
    Reference,
    /// Raw FFI on another engine: the control of bindings on it.
    Control,
    /// It has a control, and so an overhead.
    Binding,
    /// A binding whose engine has no control in the run: it has a ratio and no overhead.
    Uncontrolled,
    /// An engine without a Rust binding: the loop in C that raw FFI is compared with.
    LoopInC,
    /// It stores nothing.
    WithoutLmdb,
    /// Its engine is no LMDB: its own control is all that its time is shown over.
    OtherFamily,
}

/// A results file, ready to be asked.
#[derive(Debug, Clone)]
pub struct View<'run> {
    /// The file.
    pub results: &'run Results,
    backends: Vec<&'run BackendRecord>,
    /// Who has cases, in the order of tables: last those whose worker could not even say who it is, so
    /// that there is no record of it.
    ids: Vec<&'run str>,
    workloads: Vec<Workload>,
    cases: HashMap<(&'run str, Workload), &'run CaseRecord>,
}

impl<'run> View<'run> {
    /// The view of `results`.
    #[must_use]
    pub fn new(results: &'run Results) -> Self {
        let mut workloads = Vec::new();
        let mut known = BTreeSet::new();
        let mut cases = HashMap::new();
        for case in &results.cases {
            if known.insert(case.workload) {
                workloads.push(case.workload);
            }
            cases.insert((case.backend.as_str(), case.workload), case);
        }
        let mut backends: Vec<&BackendRecord> = results.backends.iter().collect();
        backends.sort_by_key(|backend| backend.order);
        let mut ids: Vec<&str> = backends.iter().map(|backend| backend.id.as_str()).collect();
        for case in &results.cases {
            if !ids.contains(&case.backend.as_str()) {
                ids.push(&case.backend);
            }
        }
        Self { results, backends, ids, workloads, cases }
    }

    /// All backends, in the order of tables.
    #[must_use]
    pub fn backends(&self) -> &[&'run BackendRecord] {
        &self.backends
    }

    /// The backend called `id`.
    #[must_use]
    pub fn backend(&self, id: &str) -> Option<&'run BackendRecord> {
        self.backends.iter().find(|backend| backend.id == id).copied()
    }

    /// The backends with a role.
    pub fn with_role(&self, role: Role) -> impl Iterator<Item = &'run BackendRecord> {
        self.backends.iter().copied().filter(move |backend| self.role(backend) == role)
    }

    /// The id of the backend that all others are compared with, or what stands for it in a sentence.
    #[must_use]
    pub fn reference(&self) -> &'run str {
        self.results.reference().unwrap_or("the reference")
    }

    /// Whether its engine and that of the reference are of one family; without a reference all are.
    fn is_of_family(&self, backend: &BackendRecord) -> bool {
        let reference = self.results.reference();
        reference.is_none_or(|reference| self.results.one_family([reference, &backend.id]))
    }

    /// What `backend` is.
    #[must_use]
    pub fn role(&self, backend: &BackendRecord) -> Role {
        if backend.reference {
            Role::Reference
        } else if !self.is_of_family(backend) {
            Role::OtherFamily
        } else if backend.control.is_some() {
            Role::Binding
        } else if backend.engine_version.is_none() {
            Role::WithoutLmdb
        } else if backend.is_loop_in_c() {
            Role::LoopInC
        } else if backend.binding == backend.engine_crate {
            Role::Control
        } else {
            Role::Uncontrolled
        }
    }

    /// Whether `backend` is no crate of its own but the crate of its control, called in another way.
    #[must_use]
    pub fn is_variant(&self, backend: &BackendRecord) -> bool {
        let control = backend.control.as_ref().and_then(|control| self.backend(control));
        control.is_some_and(|control| control.binding == backend.binding)
    }

    /// All workloads, in the order of the file.
    #[must_use]
    pub fn workloads(&self) -> &[Workload] {
        &self.workloads
    }

    /// The case of a backend on a workload.
    #[must_use]
    pub fn case(&self, backend: &str, workload: &Workload) -> Option<&'run CaseRecord> {
        self.cases.get(&(backend, *workload)).copied()
    }

    /// All cases: workload by workload, the backends of each in the order of tables.
    pub fn cases(&self) -> impl Iterator<Item = &'run CaseRecord> {
        self.cases_on(&self.workloads)
    }

    /// The cases of these workloads.
    pub fn cases_on(&self, workloads: &[Workload]) -> impl Iterator<Item = &'run CaseRecord> {
        workloads
            .iter()
            .flat_map(|workload| self.ids.iter().filter_map(|id| self.case(id, workload)))
    }

    /// The cases of one backend on these workloads.
    pub fn cases_of(
        &self,
        backend: &str,
        workloads: &[Workload],
    ) -> impl Iterator<Item = &'run CaseRecord> {
        workloads.iter().filter_map(move |workload| self.case(backend, workload))
    }

    /// The case of a backend's control on the same workload.
    #[must_use]
    pub fn control_of(&self, case: &CaseRecord) -> Option<&'run CaseRecord> {
        self.case(self.backend(&case.backend)?.control.as_ref()?, &case.workload)
    }

    /// The noise floor of a workload.
    #[must_use]
    pub fn noise_floor(&self, workload: &Workload) -> Option<Interval> {
        self.backends.iter().find_map(|backend| self.case(&backend.id, workload)?.noise_floor)
    }

    /// All workloads in groups that agree in all axes but those of `over`.
    #[must_use]
    pub fn groups_over(&self, over: &[&str]) -> Vec<Group> {
        groups_over(&self.workloads, over)
    }
}

/// A published run with the views of its files.
#[derive(Debug)]
pub struct RunView<'run> {
    /// The run.
    pub run: &'run Published,
    /// Times and ratios, engines as their crates ship them.
    pub compare: Option<View<'run>>,
    /// The same with all engines compiled with equal flags.
    pub equal_flags: Option<View<'run>>,
    /// Counts.
    pub counts: Option<View<'run>>,
}

impl<'run> RunView<'run> {
    /// The view of `run`.
    #[must_use]
    pub fn new(run: &'run Published) -> Self {
        let view = |results: &'run Option<Results>| results.as_ref().map(View::new);
        let (compare, equal_flags) = (view(&run.compare), view(&run.equal_flags));
        Self { run, compare, equal_flags, counts: view(&run.counts) }
    }

    /// The comparison whose times are shown: as shipped, or else with equal flags.
    #[must_use]
    pub fn timed(&self) -> Option<&View<'run>> {
        self.compare.as_ref().or(self.equal_flags.as_ref())
    }

    /// Where the run is below the directory of all results: `xeon-vm/2026-11-30`. With slashes on every
    /// system, so that the same data gives the same documents.
    #[must_use]
    pub fn place(&self) -> String {
        format!("{}/{}", self.run.host, self.run.date)
    }

    /// What the run is called.
    #[must_use]
    pub fn name(&self) -> String {
        format!("{}, {}", self.run.host, self.run.date)
    }
}

/// The newest run of the reference machine for which `find` finds something, and what it found; where that
/// machine has none, the newest of another.
pub fn of_reference<'a, T>(
    runs: &'a [RunView<'a>],
    find: impl Fn(&'a RunView<'a>) -> Option<T>,
) -> Option<(&'a RunView<'a>, T)> {
    let is_mine = |view: &&RunView<'_>| view.run.host == REFERENCE_HOST;
    let mine = runs.iter().rev().filter(is_mine);
    let others = runs.iter().rev().filter(|view| !is_mine(view));
    mine.chain(others).find_map(|view| Some((view, find(view)?)))
}

/// The comparison of the reference machine that documents show: the newest with the whole default
/// matrix, or else the newest.
#[must_use]
pub fn shown_comparison<'a>(runs: &'a [RunView<'a>]) -> Option<(&'a RunView<'a>, &'a View<'a>)> {
    let whole = |it: &'a RunView<'a>| {
        it.compare.as_ref().filter(|view| quality::has_default_matrix(view.results))
    };
    of_reference(runs, whole).or_else(|| of_reference(runs, |it| it.compare.as_ref()))
}

#[cfg(test)]
mod tests {
    use super::Role::{Binding, Control, LoopInC, Reference, Uncontrolled, WithoutLmdb};
    use super::*;
    use records::testing::Run;

    #[test]
    fn roles_follow_from_the_file() {
        let run = Run::whole()
            .backend("owned-buffer", Some("raw-ffi"), 1.4)
            .backend("null", None, 0.01)
            .backend("c-reference", None, 1.0)
            .backend("brought", None, 1.2)
            .edit(|run| {
                run.backends[3].binding = run.backends[0].binding.clone();
                run.backends[4].engine_version = None;
                run.backends[5].binding = None;
                run.backends[6].engine_crate = None;
            })
            .build();
        let view = View::new(&run);
        let roles: Vec<Role> = view.backends().iter().map(|it| view.role(it)).collect();
        assert_eq!(
            roles,
            [Reference, Control, Binding, Binding, WithoutLmdb, LoopInC, Uncontrolled]
        );
        let variants = view.backends().iter().filter(|it| view.is_variant(it));
        assert_eq!(variants.map(|it| it.id.as_str()).collect::<Vec<_>>(), ["owned-buffer"]);
    }
}
