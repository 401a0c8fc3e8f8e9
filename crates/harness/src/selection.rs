//! Which cases are measured: lists of values for each axis, and a filter on case names.

use regex::Regex;
use write_backend::{Finish, KeyOrder, PutKind, SyncMode, Workload};

use crate::registry::{self, BACKENDS, Backend};

/// The batch sizes of the benchmark this project grew from.
const BATCH_SIZES: [usize; 3] = [1, 10, 100];
/// Its value sizes, in bytes.
const VALUE_SIZES: [usize; 4] = [4, 8, 64, 256];
/// Its key size, in bytes.
const KEY_SIZE: usize = 4;

/// Values for each axis of the matrix; every combination is a workload, and every workload is run
/// with every backend.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Selection {
    /// The backends, in the order of the registry.
    pub backends: Vec<&'static Backend>,
    /// How transactions end.
    pub finishes: Vec<Finish>,
    /// What a commit waits for.
    pub syncs: Vec<SyncMode>,
    /// Key orders.
    pub orders: Vec<KeyOrder>,
    /// Key sizes in bytes.
    pub key_sizes: Vec<usize>,
    /// Puts per transaction.
    pub batch_sizes: Vec<usize>,
    /// Value sizes in bytes.
    pub value_sizes: Vec<usize>,
}

impl Default for Selection {
    /// All backends over the matrix of the benchmark this project grew from.
    fn default() -> Self {
        Self {
            backends: BACKENDS.iter().collect(),
            finishes: Finish::ALL.to_vec(),
            syncs: vec![SyncMode::NoSync],
            orders: vec![KeyOrder::Sequential],
            key_sizes: vec![KEY_SIZE],
            batch_sizes: BATCH_SIZES.to_vec(),
            value_sizes: VALUE_SIZES.to_vec(),
        }
    }
}

impl Selection {
    /// Every combination, in the order of the tables.
    ///
    /// # Errors
    /// The reason why a combination is not possible.
    pub fn workloads(&self) -> Result<Vec<Workload>, String> {
        let mut workloads = Vec::new();
        for &finish in &self.finishes {
            for &sync in &self.syncs {
                for &key_order in &self.orders {
                    for &key_size in &self.key_sizes {
                        for &batch_size in &self.batch_sizes {
                            for &value_size in &self.value_sizes {
                                let workload = Workload {
                                    finish,
                                    sync,
                                    put: PutKind::Plain,
                                    key_order,
                                    key_size,
                                    batch_size,
                                    value_size,
                                };
                                workload.check()?;
                                workloads.push(workload);
                            }
                        }
                    }
                }
            }
        }
        Ok(workloads)
    }
}

/// A backend on a workload: what is measured.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Case {
    /// The backend.
    pub backend: &'static Backend,
    /// The workload.
    pub workload: Workload,
}

impl Case {
    /// The case's name, which filters are matched with: `WORKLOAD/BACKEND`.
    #[must_use]
    pub fn name(&self) -> String {
        format!("{}/{}", self.workload, self.backend.id)
    }
}

/// Chooses cases by name.
#[derive(Debug, Clone)]
pub enum Filter {
    /// All cases.
    All,
    /// Cases whose name the expression is found in, as Criterion understands its filter.
    Matching(Regex),
    /// The one case of that name.
    Exact(String),
}

impl Filter {
    /// A filter from the command line.
    ///
    /// # Errors
    /// When `pattern` is not a regular expression.
    pub fn parse(pattern: Option<&str>, exact: bool) -> Result<Self, String> {
        match pattern {
            None => Ok(Self::All),
            Some(name) if exact => Ok(Self::Exact(name.to_owned())),
            Some(pattern) => Regex::new(pattern)
                .map(Self::Matching)
                .map_err(|error| format!("the filter is no regular expression: {error}")),
        }
    }

    /// Whether the filter lets a case of this name through.
    #[must_use]
    pub fn admits(&self, name: &str) -> bool {
        match self {
            Self::All => true,
            Self::Matching(regex) => regex.is_match(name),
            Self::Exact(exact) => exact == name,
        }
    }
}

/// The cases of a selection that a filter lets through, by workload.
///
/// ```
/// use harness::selection::{Filter, Selection, cases};
/// let filter = Filter::parse(Some("commit-n100.*/heed"), false).unwrap();
/// let found = cases(&Selection::default(), &filter).unwrap();
/// assert_eq!(found.len(), 4);
/// assert_eq!(found[0].name(), "commit-n100-v4-k4-sequential-nosync/heed");
/// ```
///
/// # Errors
/// When a combination is not possible, or no case is left: then the message lists what there is.
pub fn cases(selection: &Selection, filter: &Filter) -> Result<Vec<Case>, String> {
    let workloads = selection.workloads()?;
    let all = workloads.iter().flat_map(|workload| {
        selection.backends.iter().map(|&backend| Case { backend, workload: *workload })
    });
    let found: Vec<Case> = all.filter(|case| filter.admits(&case.name())).collect();
    if found.is_empty() {
        let workloads: Vec<String> = workloads.iter().map(Workload::to_string).collect();
        let backends: Vec<&str> = selection.backends.iter().map(|backend| backend.id).collect();
        return Err(format!(
            "the filter matches none of the cases WORKLOAD/BACKEND\n  backends: {}\n  workloads:\n    {}",
            backends.join(", "),
            workloads.join("\n    ")
        ));
    }
    Ok(found)
}

/// The backends of the given ids, each once, in the order of the registry.
///
/// # Errors
/// When there is no backend of such an id.
pub fn backends(ids: &[String]) -> Result<Vec<&'static Backend>, String> {
    for id in ids {
        registry::find(id)?;
    }
    Ok(BACKENDS.iter().filter(|backend| ids.iter().any(|id| id == backend.id)).collect())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_default_is_the_matrix_of_the_seed_with_every_backend() {
        let cases = cases(&Selection::default(), &Filter::All).unwrap();
        assert_eq!(cases.len(), 2 * 3 * 4 * BACKENDS.len());
        assert_eq!(cases[0].name(), "abort-n1-v4-k4-sequential-nosync/raw-ffi");
    }

    #[test]
    fn a_filter_without_a_match_lists_what_there_is() {
        let filter = Filter::parse(Some("n1000"), false).unwrap();
        let message = cases(&Selection::default(), &filter).unwrap_err();
        assert!(message.contains("lmdb-rkv") && message.contains("abort-n1-v4-k4"), "{message}");
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
    fn an_impossible_combination_is_named() {
        let selection =
            Selection { key_sizes: vec![1], batch_sizes: vec![300], ..Default::default() };
        assert!(selection.workloads().unwrap_err().contains("at most 256"));
    }

    #[test]
    fn backends_come_once_and_in_order() {
        let ids = ["heed", "raw-ffi", "heed"].map(str::to_owned);
        let found: Vec<&str> = backends(&ids).unwrap().iter().map(|backend| backend.id).collect();
        assert_eq!(found, ["raw-ffi", "heed"]);
        assert!(backends(&["sled".to_owned()]).is_err());
    }
}
