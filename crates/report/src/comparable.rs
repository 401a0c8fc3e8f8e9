//! Whether two runs can be compared: what was measured, of which versions, built and set up how.

use std::collections::BTreeSet;
use std::fmt;

use records::builds::{self, Part};
use records::schema::{BackendRecord, Results};

/// How many workloads are named where more are in one run only.
const NAMED: usize = 3;
/// What stands for a text that is not there.
const NONE: &str = "none";

/// Something in which two runs differ, so that a difference of their numbers may come from it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Mismatch {
    /// What it is.
    pub what: String,
    /// What it is in the first run.
    pub a: String,
    /// What it is in the second run.
    pub b: String,
}

/// All of them; empty where the two can be compared.
#[must_use]
pub fn mismatches(a: &Results, b: &Results) -> Vec<Mismatch> {
    let mut found = Found::default();
    workloads(a, b, &mut found);
    setting(a, b, &mut found);
    backends(a, b, &mut found);
    found.0
}

impl fmt::Display for Mismatch {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { what, a, b } = self;
        write!(f, "{what}: A {a}, B {b}")
    }
}

#[derive(Default)]
struct Found(Vec<Mismatch>);

impl Found {
    fn differ<T: fmt::Display + ?Sized>(&mut self, what: impl Into<String>, a: &T, b: &T) {
        let (a, b) = (a.to_string(), b.to_string());
        if a != b {
            self.0.push(Mismatch { what: what.into(), a, b });
        }
    }
}

fn setting(a: &Results, b: &Results, found: &mut Found) {
    let (x, y) = (&a.options, &b.options);
    found.differ("map size", &x.map_size, &y.map_size);
    found.differ("writable map", &x.writable_map, &y.writable_map);
    found.differ("file system", &x.file_system, &y.file_system);
    found.differ("confidence", &x.confidence, &y.confidence);
    found.differ("rounds of a launch", &x.rounds, &y.rounds);
    let bound = |core: Option<usize>| if core.is_some() { "yes" } else { "no" };
    found.differ("workers bound to a core", bound(x.core), bound(y.core));
}

/// Workloads that only one of the two has.
fn workloads(a: &Results, b: &Results, found: &mut Found) {
    let names = |run: &Results| -> BTreeSet<String> {
        run.cases.iter().map(|case| case.workload.to_string()).collect()
    };
    let (x, y) = (names(a), names(b));
    let only = |one: &BTreeSet<String>, other: &BTreeSet<String>| {
        let only: Vec<&str> = one.difference(other).map(String::as_str).collect();
        let more = if only.len() > NAMED { ", ..." } else { "" };
        match only.len() {
            0 => NONE.to_owned(),
            count => format!("{count}: {}{more}", only[..count.min(NAMED)].join(", ")),
        }
    };
    found.differ("workloads that only it has", &only(&x, &y), &only(&y, &x));
}

/// Backends that only one has, other controls, and builds that are not alike.
fn backends(a: &Results, b: &Results, found: &mut Found) {
    let ids = |one: &Results, other: &Results| {
        let only: Vec<&str> = one
            .backends
            .iter()
            .map(|it| it.id.as_str())
            .filter(|id| other.backend(id).is_none())
            .collect();
        if only.is_empty() { NONE.to_owned() } else { only.join(", ") }
    };
    found.differ("backends that only it has", &ids(a, b), &ids(b, a));
    for one in &a.backends {
        let Some(other) = b.backend(&one.id) else { continue };
        let control = |it: &BackendRecord| it.control.clone().unwrap_or_else(|| NONE.to_owned());
        found.differ(format!("control of {}", one.id), &control(one), &control(other));
    }
    let builds = builds::differences(&builds::of_results(a), &builds::of_results(b));
    // Two processors are compared on purpose.
    let builds = builds.into_iter().filter(|it| it.part != Part::Processor);
    found.0.extend(builds.map(|it| Mismatch { what: it.what, a: it.a, b: it.b }));
}

#[cfg(test)]
mod tests {
    use super::*;
    use records::testing::Run;

    type Change = fn(&mut Results);

    fn found(change: impl Fn(&mut Results)) -> Vec<String> {
        let a = Run::whole().build();
        let mut b = a.clone();
        change(&mut b);
        mismatches(&a, &b).iter().map(Mismatch::to_string).collect()
    }

    #[test]
    fn a_run_can_be_compared_with_another_of_its_kind() {
        let same = found(|it| {
            it.started_unix += 1;
            it.host.name = "other".to_owned();
            it.host.cpu = "Other CPU".to_owned();
            it.options.seed = 1;
        });
        assert_eq!(same, Vec::<String>::new());
    }

    #[test]
    fn what_makes_numbers_incomparable_is_named_with_both_values() {
        let cases: [(&str, Change); 9] = [
            ("map size: A 10485760, B 1", |it| it.options.map_size = 1),
            ("file system: A ext4, B xfs", |it| it.options.file_system = "xfs".to_owned()),
            ("confidence: A 0.95, B 0.9", |it| it.options.confidence = 0.9),
            ("rounds of a launch: A 25, B 1", |it| it.options.rounds = 1),
            ("workers bound to a core: A yes, B no", |it| it.options.core = None),
            ("Rust flags: A -C x, B -C y", |it| it.host.rustflags = "-C y".to_owned()),
            ("control of heed: A raw-ffi@lmdb-master-sys, B none", |it| {
                it.backends[2].control = None;
            }),
            (
                "workloads that only it has: A 1: commit-n100-v256-k4-sequential-nosync, B none",
                |it| {
                    it.cases.truncate(it.cases.len() - 3);
                },
            ),
            ("backends that only it has: A heed, B none", |it| it.backends.truncate(2)),
        ];
        for (expected, change) in cases {
            assert_eq!(found(change), [expected]);
        }
    }
}
