//! Whether what was measured was built alike: in one place for publishing, for differences of runs, for
//! counts beside times, and for the gate of counts.

use write_backend::protocol::Profile;

use crate::behaviour::Behaviour;
use crate::facts::Facts;
use crate::host::{EngineBuild, Host};
use crate::schema::{BackendRecord, Results};

/// What stands for a text that is not there.
const NONE: &str = "none";

/// What a property of a build is about.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Part {
    /// The processor.
    Processor,
    /// The target, the Rust compiler and its flags.
    Rust,
    /// The `CFLAGS` that the user gave.
    CFlags,
    /// What else was set outside the workspace.
    Settings,
    /// The versions of a binding and its engine's crate, and what LMDB says of itself.
    Versions,
    /// Whether a worker was compiled with debug assertions.
    Profile,
    /// The builds that launches take turns with.
    Turns,
    /// How an engine was compiled: compiler, optimisation, assertions, bundled or not.
    Engine,
    /// Whether functions are aligned.
    Alignment,
    /// The programs that counted, and the C library.
    Counters,
}

/// A property of a build.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Property {
    part: Part,
    what: String,
    value: String,
}

/// A property that two builds do not share.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct BuildDifference {
    /// What it is about.
    pub part: Part,
    /// What it is, for example `engine build of heed`.
    pub what: String,
    /// What it is in the first.
    pub a: String,
    /// What it is in the second.
    pub b: String,
}

/// How the programs of a results file were built and counted.
#[must_use]
pub fn of_results(results: &Results) -> Vec<Property> {
    let mut found = of_host(&results.host);
    let counters = results.counters.clone().unwrap_or_default();
    let settings = results.options.settings.join("; ");
    let settings = (!settings.is_empty()).then_some(settings);
    for (part, what, value) in [
        (Part::CFlags, "CFLAGS", &results.options.cflags),
        (Part::Settings, "settings from outside", &settings),
        (Part::Counters, "valgrind", &counters.valgrind),
        (Part::Counters, "strace", &counters.strace),
        (Part::Counters, "C library", &counters.libc),
    ] {
        found.push(property(part, what, text(value.as_ref())));
    }
    if results.cases.iter().any(|case| case.time.is_some()) {
        let builds = results.options.builds.join(", ");
        let builds = if builds.is_empty() { "one" } else { &builds };
        found.push(property(Part::Turns, "builds in turn", builds.to_owned()));
    }
    found.extend(of_backends(&results.backends));
    found
}

/// The same of a behaviour file.
#[must_use]
pub fn of_behaviour(found: &Behaviour) -> Vec<Property> {
    [of_host(&found.host), of_backends(&found.backends)].concat()
}

/// The same of a file of facts.
#[must_use]
pub fn of_facts(facts: &Facts) -> Vec<Property> {
    let versions = facts.crates.iter().flat_map(|it| {
        let pairs = [("binding", &it.version), ("engine crate", &it.engine_crate_version)];
        pairs.map(|(what, value)| {
            property(Part::Versions, &format!("{what} of {}", it.backend), value.clone())
        })
    });
    of_host(&facts.host).into_iter().chain(versions).collect()
}

/// The same of anything that was measured on `host`.
#[must_use]
pub fn of_host(host: &Host) -> Vec<Property> {
    vec![
        property(Part::Processor, "processor", host.cpu.clone()),
        property(Part::Rust, "target", host.target.clone()),
        property(Part::Rust, "Rust compiler", host.rustc.clone()),
        property(Part::Rust, "Rust flags", host.rustflags.clone()),
    ]
}

fn of_backends(backends: &[BackendRecord]) -> Vec<Property> {
    let of = |backend: &BackendRecord| {
        let build = &backend.engine_build;
        let profile = if backend.profile == Profile::Debug { "debug" } else { "release" };
        let aligned = if backend.is_aligned() { "yes" } else { "no" };
        [
            (Part::Versions, "binding", text(backend.binding_version.as_ref())),
            (Part::Versions, "engine crate", text(backend.engine_crate_version.as_ref())),
            (Part::Versions, "engine", text(backend.engine_version.as_ref())),
            (Part::Profile, "profile", profile.to_owned()),
            (Part::Engine, "engine build", words(build)),
            (Part::Alignment, "alignment", aligned.to_owned()),
        ]
        .map(|(part, what, value)| property(part, &format!("{what} of {}", backend.id), value))
    };
    backends.iter().flat_map(of).collect()
}

/// How an engine was built, in words.
#[must_use]
pub fn words(build: &EngineBuild) -> String {
    let word = |value: Option<bool>, yes: &str, no: &str| match value {
        Some(true) => yes.to_owned(),
        Some(false) => no.to_owned(),
        None => "unknown".to_owned(),
    };
    let text = |value: &Option<String>| value.clone().unwrap_or_else(|| "unknown".to_owned());
    let words = [
        word(build.bundled, "bundled", "system library"),
        text(&build.optimisation),
        word(build.assertions, "assertions on", "NDEBUG"),
        text(&build.compiler),
    ];
    words.into_iter().chain(build.switches.clone()).collect::<Vec<_>>().join(", ")
}

/// Where two builds differ in what both say of themselves; empty where they are alike.
#[must_use]
pub fn differences(a: &[Property], b: &[Property]) -> Vec<BuildDifference> {
    let other = |one: &Property| b.iter().find(|it| it.what == one.what && it.value != one.value);
    let differ = a.iter().filter_map(|one| Some((one.clone(), other(one)?.value.clone())));
    differ
        .map(|(Property { part, what, value: a }, b)| BuildDifference { part, what, a, b })
        .collect()
}

fn property(part: Part, what: &str, value: String) -> Property {
    Property { part, what: what.to_owned(), value }
}

fn text(value: Option<&String>) -> String {
    value.cloned().unwrap_or_else(|| NONE.to_owned())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::testing::Run;

    #[test]
    fn every_difference_is_named() {
        type Change = fn(&mut Results);
        let cases: [(Part, &str, Change); 12] = [
            (Part::Settings, "settings from outside: none | RUSTFLAGS=-g; x", |it| {
                it.options.settings = vec!["RUSTFLAGS=-g".to_owned(), "x".to_owned()];
            }),
            (
                Part::Engine,
                "engine build of heed: bundled, -O3, NDEBUG, GNU C17 12.2.0 | bundled, -O3, NDEBUG, GNU \
                 C17 12.2.0, -march=native",
                |it| it.backends[2].engine_build.switches = Some("-march=native".to_owned()),
            ),
            (Part::Processor, "processor: Some CPU | x", |it| it.host.cpu = "x".to_owned()),
            (Part::Rust, "Rust flags: -C x | ", |it| it.host.rustflags.clear()),
            (Part::CFlags, "CFLAGS: none | -O3", |it| it.options.cflags = Some("-O3".to_owned())),
            (Part::Counters, "valgrind: none | valgrind-3", |it| {
                it.counters.get_or_insert_default().valgrind = Some("valgrind-3".to_owned());
            }),
            (Part::Versions, "binding of heed: 0.8.0 | none", |it| {
                it.backends[2].binding_version = None;
            }),
            (Part::Versions, "engine of raw-ffi: 0.9.21 | none", |it| {
                it.backends[0].engine_version = None;
            }),
            (Part::Profile, "profile of heed: release | debug", |it| {
                it.backends[2].profile = Profile::Debug;
            }),
            (
                Part::Engine,
                "engine build of raw-ffi: bundled, -O3, NDEBUG, GNU C17 12.2.0 | bundled, -O3, \
                 assertions on, GNU C17 12.2.0",
                |it| it.backends[0].engine_build.assertions = Some(true),
            ),
            (Part::Turns, "builds in turn: one | 16 units, thin LTO", |it| {
                it.options.builds = ["16 units", "thin LTO"].map(str::to_owned).to_vec();
            }),
            (Part::Alignment, "alignment of raw-ffi: yes | no", |it| {
                it.backends[0].put_alignment = Some(16);
            }),
        ];
        let a = of_results(&Run::whole().build());
        assert_eq!(differences(&a, &a), []);
        for (part, expected, change) in cases {
            let found = differences(&a, &of_results(&Run::whole().edit(change).build()));
            let [BuildDifference { part: found, what, a, b }] = &found[..] else {
                panic!("{found:?}")
            };
            assert_eq!((*found, format!("{what}: {a} | {b}")), (part, expected.to_owned()));
        }
        // What only one of them says is no difference.
        assert_eq!(differences(&a, &of_host(&Run::whole().build().host)), []);
    }
}
