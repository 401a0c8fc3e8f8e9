//! Whether two runs can be compared: what was measured, of which versions, built and set up how.

use std::collections::BTreeSet;
use std::fmt;

use records::builds::{self, Part};
use records::schema::Results;

/// How many are named where more are in one run only.
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
    let mut found = Vec::new();
    let mut differ = |what: String, [a, b]: [String; 2]| {
        if a != b {
            found.push(Mismatch { what, a, b });
        }
    };
    differ("workloads that only it has".to_owned(), only(&workloads(a), &workloads(b)));
    differ("backends that only it has".to_owned(), only(&ids(a), &ids(b)));
    let settings = setting(a).into_iter().zip(setting(b));
    settings.for_each(|((what, a), (_, b))| differ(what.to_owned(), [a, b]));
    for one in &a.backends {
        let Some(other) = b.backend(&one.id) else { continue };
        let controls = [one, other].map(|it| it.control.clone().unwrap_or_else(|| NONE.to_owned()));
        differ(format!("control of {}", one.id), controls);
        let orders =
            [one, other].map(|it| if it.one_link_order.is_some() { "one" } else { "random" });
        differ(format!("link orders of {}", one.id), orders.map(str::to_owned));
    }
    let builds = builds::differences(&builds::of_results(a), &builds::of_results(b));
    // Two processors are compared on purpose.
    let builds = builds.into_iter().filter(|it| it.part != Part::Processor);
    found.extend(builds.map(|it| Mismatch { what: it.what, a: it.a, b: it.b }));
    found
}

impl fmt::Display for Mismatch {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { what, a, b } = self;
        write!(f, "{what}: A {a}, B {b}")
    }
}

fn setting(run: &Results) -> [(&'static str, String); 6] {
    let options = &run.options;
    [
        ("map size", options.map_size.to_string()),
        ("writable map", options.writable_map.to_string()),
        ("file system", options.file_system.clone()),
        ("confidence", options.confidence.to_string()),
        ("rounds of a launch", options.rounds.to_string()),
        ("workers bound to a core", if options.core.is_some() { "yes" } else { "no" }.to_owned()),
    ]
}

fn workloads(run: &Results) -> BTreeSet<String> {
    run.cases.iter().map(|case| case.workload.to_string()).collect()
}

fn ids(run: &Results) -> BTreeSet<String> {
    run.backends.iter().map(|backend| backend.id.clone()).collect()
}

/// What only one of the two has: how many, and the first of them.
fn only(a: &BTreeSet<String>, b: &BTreeSet<String>) -> [String; 2] {
    [(a, b), (b, a)].map(|(one, other)| {
        let only: Vec<&str> = one.difference(other).map(String::as_str).collect();
        let more = if only.len() > NAMED { ", ..." } else { "" };
        match only.len() {
            0 => NONE.to_owned(),
            count => format!("{count}: {}{more}", only[..count.min(NAMED)].join(", ")),
        }
    })
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
        let cases: [(&str, Change); 6] = [
            ("link orders of heed: A random, B one", |it| {
                it.backends[2].one_link_order = Some("asked for".to_owned());
            }),
            ("map size: A 10485760, B 1", |it| it.options.map_size = 1),
            ("workers bound to a core: A yes, B no", |it| it.options.core = None),
            ("Rust flags: A -C x, B -C y", |it| it.host.rustflags = "-C y".to_owned()),
            ("control of heed: A raw-ffi@lmdb-master-sys, B none", |it| {
                it.backends[2].control = None;
            }),
            ("backends that only it has: A 1: heed, B none", |it| it.backends.truncate(2)),
        ];
        for (expected, change) in cases {
            assert_eq!(found(change), [expected]);
        }
    }
}
