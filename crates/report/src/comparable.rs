//! Whether two runs can be compared: what was measured, of which versions, built and set up how.

use std::collections::BTreeSet;
use std::fmt;

use write_backend::protocol::Profile;

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
    found.differ("format", &a.schema, &b.schema);
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

fn named(text: Option<&String>) -> &str {
    text.map_or(NONE, String::as_str)
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
    found.differ("target", &a.host.target, &b.host.target);
    found.differ("Rust compiler", &a.host.rustc, &b.host.rustc);
    found.differ("Rust flags", &a.host.rustflags, &b.host.rustflags);
    found.differ("CFLAGS", named(x.cflags.as_ref()), named(y.cflags.as_ref()));
    let counters = |run: &Results| run.counters.clone().unwrap_or_default();
    let (x, y) = (counters(a), counters(b));
    found.differ("valgrind", named(x.valgrind.as_ref()), named(y.valgrind.as_ref()));
    found.differ("strace", named(x.strace.as_ref()), named(y.strace.as_ref()));
    found.differ("C library", named(x.libc.as_ref()), named(y.libc.as_ref()));
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

/// Backends that only one has, and versions and builds of those that both have.
fn backends(a: &Results, b: &Results, found: &mut Found) {
    let ids = |one: &Results, other: &Results| {
        let is_there = |id: &str| other.backends.iter().any(|it| it.id == id);
        let only: Vec<&str> =
            one.backends.iter().map(|it| it.id.as_str()).filter(|id| !is_there(id)).collect();
        if only.is_empty() { NONE.to_owned() } else { only.join(", ") }
    };
    found.differ("backends that only it has", &ids(a, b), &ids(b, a));
    for one in &a.backends {
        let Some(other) = b.backends.iter().find(|it| it.id == one.id) else { continue };
        let mut differ = |what: &str, value: fn(&BackendRecord) -> String| {
            found.differ(format!("{what} of {}", one.id), &value(one), &value(other));
        };
        differ("binding", |it| named(it.binding_version.as_ref()).to_owned());
        differ("engine", |it| {
            let version = named(it.engine_version.as_ref());
            format!("{version} of {}", named(it.engine_crate_version.as_ref()))
        });
        differ("control", |it| named(it.control.as_ref()).to_owned());
        differ("profile", |it| match it.profile {
            Profile::Debug => "debug".to_owned(),
            Profile::Release => "release".to_owned(),
        });
        differ("engine build", build);
        differ("alignment", |it| if it.is_aligned() { "yes" } else { "no" }.to_owned());
    }
}

fn build(backend: &BackendRecord) -> String {
    let build = &backend.engine_build;
    let word = |value: Option<bool>, yes: &str, no: &str| match value {
        Some(true) => yes.to_owned(),
        Some(false) => no.to_owned(),
        None => "unknown".to_owned(),
    };
    [
        word(build.bundled, "bundled", "system library"),
        build.optimisation.clone().unwrap_or_else(|| "unknown".to_owned()),
        word(build.assertions, "assertions on", "NDEBUG"),
        build.compiler.clone().unwrap_or_else(|| "unknown".to_owned()),
    ]
    .join(", ")
}

#[cfg(test)]
mod tests {
    use super::*;
    use records::testing;

    type Change = fn(&mut Results);

    fn found(change: impl Fn(&mut Results)) -> Vec<String> {
        let a = testing::first_format();
        let mut b = a.clone();
        change(&mut b);
        let words = |it: Mismatch| format!("{}: {} | {}", it.what, it.a, it.b);
        mismatches(&a, &b).into_iter().map(words).collect()
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
        let cases: [(&str, Change); 14] = [
            ("map size: 10485760 | 1", |it| it.options.map_size = 1),
            ("file system: ext4 | xfs", |it| it.options.file_system = "xfs".to_owned()),
            ("confidence: 0.95 | 0.9", |it| it.options.confidence = 0.9),
            ("rounds of a launch: 25 | 1", |it| it.options.rounds = 1),
            ("workers bound to a core: yes | no", |it| it.options.core = None),
            ("Rust flags: -C x | -C y", |it| it.host.rustflags = "-C y".to_owned()),
            ("CFLAGS: -O3 -DNDEBUG | none", |it| it.options.cflags = None),
            ("valgrind: valgrind-3.19.0 | none", |it| it.counters = None),
            ("binding of owned-buffer: 0.8.0 | 9", |it| {
                it.backends[1].binding_version = Some("9".to_owned());
            }),
            ("engine of raw-ffi: 0.9.21 of 0.8.0 | 0.9.99 of 0.8.0", |it| {
                it.backends[0].engine_version = Some("0.9.99".to_owned());
            }),
            ("profile of owned-buffer: debug | release", |it| {
                it.backends[1].profile = Profile::Release;
            }),
            ("bundled, -O3, NDEBUG, GNU C17 12.2.0 | bundled, -O3, assertions on,", |it| {
                it.backends[0].engine_build.assertions = Some(true);
            }),
            ("workloads that only it has: 1: commit-n10-v64-k16-random-sync | none", |it| {
                it.cases.truncate(3);
                it.cases.drain(..2);
            }),
            ("backends that only it has: owned-buffer | none", |it| it.backends.truncate(1)),
        ];
        for (expected, change) in cases {
            let found = found(change);
            assert!(found[0].contains(expected), "{expected}: {found:?}");
        }
    }
}
