//! Which cases are measured: lists of values for each axis, and a filter on case names.

use std::collections::{BTreeSet, HashMap};
use std::sync::Arc;

use regex::Regex;
use write_backend::{AXES, Axis, Value, Workload};

use crate::backends::{Backend, Backends};

/// Values asked for, by axis: none where the defaults are wanted.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct AxisValues([Vec<Value>; AXES.len()]);

impl AxisValues {
    pub fn asked(&self, key: &str) -> &[Value] {
        &self.0[place(key)]
    }

    pub fn wanted(&self, axis: &'static Axis) -> &[Value] {
        let asked = self.asked(axis.key);
        if asked.is_empty() { axis.defaults } else { asked }
    }

    /// These, narrowed by `asked`: of an axis that has values here those that were asked for too, and of any
    /// other those asked for. `None` where nothing is left.
    pub fn narrowed(&self, asked: &Self) -> Option<Self> {
        let mut found = asked.clone();
        for ((own, asked), found) in self.0.iter().zip(&asked.0).zip(&mut found.0) {
            if !own.is_empty() {
                let is_left = |value: &Value| asked.is_empty() || asked.contains(value);
                *found = own.iter().copied().filter(is_left).collect();
                if found.is_empty() {
                    return None;
                }
            }
        }
        Some(found)
    }

    /// Asks for `values` instead. One that is there twice counts once.
    pub fn ask(&mut self, key: &str, values: impl IntoIterator<Item = Value>) {
        let asked = &mut self.0[place(key)];
        asked.clear();
        for value in values {
            if !asked.contains(&value) {
                asked.push(value);
            }
        }
    }
}

fn place(key: &str) -> usize {
    let place = AXES.iter().position(|axis| axis.key == key);
    place.unwrap_or_else(|| panic!("`{key}` is no axis"))
}

/// Values for each axis of the matrix; every combination is a workload, and every workload is run
/// with every backend.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Selection {
    pub backends: Vec<Arc<Backend>>,
    pub values: AxisValues,
}

impl Selection {
    pub fn workloads(&self) -> Result<Vec<Workload>, String> {
        let workloads = Axis::product(|axis| self.values.wanted(axis).to_vec());
        workloads.iter().try_for_each(Workload::check)?;
        Ok(workloads)
    }
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Case {
    pub backend: Arc<Backend>,
    pub workload: Workload,
}

impl Case {
    /// The case's name, which filters are matched with: `WORKLOAD/BACKEND`.
    pub fn name(&self) -> String {
        format!("{}/{}", self.workload, self.backend.id)
    }
}

/// Chooses cases by name: an expression that is found in it, as Criterion understands its filter.
#[derive(Debug, Clone)]
pub struct Filter(Regex);

impl Filter {
    /// The filter `pattern`, which is the whole name where it is `exact`. Without one it admits all.
    pub fn parse(pattern: Option<&str>, exact: bool) -> Result<Self, String> {
        let pattern = pattern.unwrap_or_default();
        let whole = || format!("^{}$", regex::escape(pattern));
        let found = if exact { Regex::new(&whole()) } else { Regex::new(pattern) };
        found.map(Self).map_err(|error| format!("the filter is no regular expression: {error}"))
    }

    pub fn admits(&self, name: &str) -> bool {
        self.0.is_match(name)
    }
}

/// The cases of `selections` that a filter lets through, each once: by workload, the backends of each in
/// the order of tables.
pub fn cases(selections: &[Selection], filter: &Filter) -> Result<Vec<Case>, String> {
    let mut workloads: Vec<Workload> = Vec::new();
    let mut backends: HashMap<Workload, Vec<&Arc<Backend>>> = HashMap::new();
    for selection in selections {
        for workload in selection.workloads()? {
            let of_workload = backends.entry(workload).or_insert_with(|| {
                workloads.push(workload);
                Vec::new()
            });
            of_workload.extend(&selection.backends);
        }
    }
    let mut all = Vec::new();
    for &workload in &workloads {
        let mut backends = backends.remove(&workload).unwrap_or_default();
        backends.sort_by_key(|backend| (backend.order, &backend.id));
        backends.dedup();
        let case = |backend: &Arc<Backend>| Case { backend: Arc::clone(backend), workload };
        all.extend(backends.into_iter().map(case));
    }
    let found: Vec<Case> = all.into_iter().filter(|case| filter.admits(&case.name())).collect();
    if found.is_empty() {
        let workloads: Vec<String> = workloads.iter().map(Workload::to_string).collect();
        let backends: BTreeSet<&str> = selections
            .iter()
            .flat_map(|selection| selection.backends.iter().map(|backend| backend.id.as_str()))
            .collect();
        let backends: Vec<&str> = backends.into_iter().collect();
        return Err(format!(
            "the filter matches none of the cases WORKLOAD/BACKEND\n  backends: {}\n  workloads:\n    {}",
            backends.join(", "),
            workloads.join("\n    ")
        ));
    }
    Ok(found)
}

/// The backends of the given ids, each once, in the order of the tables; with them those that somebody
/// brings, who wants them measured.
pub fn named(backends: &Backends, ids: &[String]) -> Result<Vec<Arc<Backend>>, String> {
    for id in ids {
        backends.find(id)?;
    }
    let is_named = |backend: &&Arc<Backend>| {
        ids.contains(&backend.id) || !ids.is_empty() && backend.is_brought()
    };
    Ok(backends.all().filter(is_named).cloned().collect())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::backends::{Origin, testing};

    fn all() -> Selection {
        let backends = testing::backends().timed().cloned().collect();
        Selection { backends, values: AxisValues::default() }
    }

    #[test]
    fn the_default_is_the_matrix_of_the_seed_with_every_backend() {
        let cases = cases(&[all()], &Filter::parse(None, false).unwrap()).unwrap();
        assert_eq!(cases.len(), 2 * 3 * 4 * all().backends.len());
        assert_eq!(cases[0].name(), "abort-n1-v4-k4-sequential-nosync/raw-ffi");
    }

    #[test]
    fn filters_match_as_expressions_or_exactly() {
        let name = "commit-n1-v4-k4-sequential-nosync/heed";
        assert!(Filter::parse(Some("n1-.*heed$"), false).unwrap().admits(name));
        assert!(!Filter::parse(Some("n1-"), true).unwrap().admits(name));
        assert!(Filter::parse(Some(name), true).unwrap().admits(name));
        assert!(Filter::parse(Some("("), false).unwrap_err().contains("regular expression"));
    }

    #[test]
    fn backends_come_once_and_in_order_with_what_is_brought() {
        let brought = Backend {
            order: u32::MAX,
            origin: Origin::Program("worker".into()),
            ..testing::backend("brought", None, None)
        };
        let others = testing::backends();
        let all = others.all().map(|backend| (**backend).clone()).chain([brought]);
        let backends = Backends::new(all.collect()).unwrap();
        let named = |ids: &[&str]| {
            let ids: Vec<String> = ids.iter().map(|id| (*id).to_owned()).collect();
            let found = named(&backends, &ids)?;
            Ok(found.iter().map(|backend| backend.id.clone()).collect::<Vec<_>>())
        };
        assert_eq!(named(&["heed", "raw-ffi", "heed"]).unwrap(), ["raw-ffi", "heed", "brought"]);
        assert_eq!(named(&[]), Ok(vec![]));
        let refused: Result<_, String> = named(&["sled"]);
        assert!(refused.unwrap_err().contains("lmdb-rkv"));
    }
}
