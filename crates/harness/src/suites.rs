//! Suites: named selections of cases, each with the question that it answers. They are data, in
//! `suites.json`, and the first is the default.
//!
//! A block of a suite is a list of backends and lists of values for axes. Where it names no backends it
//! has all that there are, and where it does not name an axis the usual values. Options narrow what it
//! names, and replace what it leaves open.

use std::collections::{BTreeMap, BTreeSet};
use std::path::PathBuf;
use std::sync::{Arc, LazyLock};

use records::published::file;
use records::schema;
use serde::Deserialize;
use write_backend::{Axis, Value};

use crate::backends::Backend;
use crate::selection::{AxisValues, Selection};

static SUITES: LazyLock<Vec<Suite>> = LazyLock::new(|| {
    let found = serde_json::from_str(include_str!("../suites.json"));
    found.unwrap_or_else(|error| panic!("suites.json: {error}"))
});

#[derive(Debug, PartialEq, Eq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Suite {
    pub name: String,
    pub question: String,
    /// The axes whose values are compared with each other: see [`schema::Suite`].
    #[serde(default)]
    pub compares: Vec<String>,
    /// Folders of backends that take part in this suite alone, seen from the top of the workspace.
    #[serde(default)]
    pub backend_dirs: Vec<PathBuf>,
    blocks: Vec<Block>,
}

#[derive(Debug, PartialEq, Eq, Deserialize)]
#[serde(deny_unknown_fields)]
struct Block {
    #[serde(default)]
    backends: Vec<String>,
    #[serde(default, deserialize_with = "values")]
    axes: AxisValues,
}

fn values<'de, D: serde::Deserializer<'de>>(deserializer: D) -> Result<AxisValues, D::Error> {
    use serde::de::Error as _;
    let mut values = AxisValues::default();
    for (key, found) in BTreeMap::<String, Vec<serde_json::Value>>::deserialize(deserializer)? {
        let no_axis = || D::Error::custom(format!("`{key}` is no axis"));
        let axis = Axis::find(&key).ok_or_else(no_axis)?;
        let parse = |value: &serde_json::Value| {
            let text = value.as_str().map_or_else(|| value.to_string(), str::to_owned);
            axis.parse(&text).map_err(D::Error::custom)
        };
        values.ask(&key, found.iter().map(parse).collect::<Result<Vec<Value>, _>>()?);
    }
    Ok(values)
}

impl Suite {
    /// The suite called `name`.
    pub fn find(name: &str) -> Result<&'static Self, String> {
        let names =
            || SUITES.iter().map(|suite| suite.name.as_str()).collect::<Vec<_>>().join(", ");
        let found = SUITES.iter().find(|suite| suite.name == name);
        found.ok_or_else(|| format!("it must be one of {}", names()))
    }

    /// What is measured unless another is asked for.
    pub fn usual() -> &'static Self {
        &SUITES[0]
    }

    fn is_usual(&self) -> bool {
        self == Self::usual()
    }

    /// All of them, a line each.
    pub fn list() -> String {
        let width = SUITES.iter().map(|suite| suite.name.len()).max().unwrap_or(0);
        let line = |suite: &Suite| format!("{:width$}  {}\n", suite.name, suite.question);
        SUITES.iter().map(line).collect()
    }

    /// Its selections among `backends`, narrowed by the values `asked` for. A backend from outside that no
    /// suite names takes part in all of its blocks.
    pub fn selections(
        &self,
        backends: &[Arc<Backend>],
        asked: &AxisValues,
    ) -> Result<Vec<Selection>, String> {
        let named: BTreeSet<&String> = SUITES.iter().flat_map(Self::named).collect();
        let of_block = |block: &Block| {
            let is_in = |backend: &&Arc<Backend>| {
                block.backends.is_empty()
                    || block.backends.contains(&backend.id)
                    || backend.is_brought() && !named.contains(&backend.id)
            };
            let backends: Vec<_> = backends.iter().filter(is_in).cloned().collect();
            let values = block.axes.narrowed(asked).filter(|_| !backends.is_empty())?;
            Some(Selection { backends, values })
        };
        let found: Vec<Selection> = self.blocks.iter().filter_map(of_block).collect();
        if found.is_empty() {
            return Err(format!(
                "the options leave nothing of the suite {}: they must name some of its backends and \
                 values",
                self.name
            ));
        }
        Ok(found)
    }

    fn named(&self) -> impl Iterator<Item = &String> {
        self.blocks.iter().flat_map(|block| &block.backends)
    }

    /// The name of the file with what `producer` has found out about it.
    pub fn file(&self, producer: &str) -> String {
        match producer {
            _ if self.is_usual() => format!("{producer}.json"),
            "counts" => file::suite_counts(&self.name),
            _ => file::suite_times(&self.name),
        }
    }

    /// As files have it; `None` for the usual one. `narrowed`: whether options left a part of it out.
    pub fn record(&self, narrowed: bool) -> Option<schema::Suite> {
        let Self { name, question, compares, .. } = self;
        (!self.is_usual()).then(|| schema::Suite {
            name: name.clone(),
            question: question.clone(),
            compares: compares.clone(),
            narrowed,
        })
    }
}

#[cfg(test)]
mod tests {
    use std::collections::HashSet;

    use super::*;
    use crate::backends::testing;
    use crate::selection::{Case, Filter, cases};

    fn all() -> Vec<Arc<Backend>> {
        testing::backends().timed().cloned().collect()
    }

    fn asked(values: &[(&str, Value)]) -> AxisValues {
        let mut asked = AxisValues::default();
        for (key, value) in values {
            asked.ask(key, [*value]);
        }
        asked
    }

    #[test]
    fn suites_are_possible_and_no_case_is_in_two_blocks() {
        for suite in SUITES.iter() {
            assert!(suite.compares.iter().all(|key| Axis::find(key).is_some()), "{}", suite.name);
            let everything: Vec<Arc<Backend>> = if suite.is_usual() {
                all()
            } else {
                let ids: BTreeSet<&String> = suite.named().collect();
                ids.into_iter().map(|id| Arc::new(testing::backend(id, None, None))).collect()
            };
            let found = suite.selections(&everything, &AxisValues::default()).unwrap();
            let mut seen = HashSet::new();
            for selection in found {
                for case in cases(&[selection], &Filter::parse(None, false).unwrap()).unwrap() {
                    assert!(seen.insert(case.name()), "{}: {}", suite.name, case.name());
                }
            }
        }
    }

    #[test]
    fn options_narrow_what_a_suite_names_and_replace_what_it_leaves_open() {
        let suite = Suite::find("puts").unwrap();
        let names = |values: &[(&str, Value)]| -> Result<Vec<String>, String> {
            let found = suite.selections(&all(), &asked(values))?;
            let cases = cases(&found, &Filter::parse(None, false).unwrap())?;
            Ok(cases.iter().map(Case::name).collect())
        };
        let one = [("put", Value::Name("append")), ("value_size", Value::Number(64))];
        let found = names(&one).unwrap();
        assert_eq!(found[0], "abort-n100-v64-k4-sequential-nosync-append/raw-ffi@lmdb-rkv-sys");
        assert!(found.iter().any(|name| name.ends_with("/heed")), "{found:?}");
        let wider = [one[0], one[1], ("key_size", Value::Number(9))];
        assert!(names(&wider).unwrap()[0].starts_with("abort-n100-v64-k9-"));
        let refused = names(&[("batch_size", Value::Number(7))]).unwrap_err();
        assert!(refused.contains("leave nothing of the suite puts"), "{refused}");
        assert!(Suite::find("speed").unwrap_err().contains("seed, puts"));
    }
}
