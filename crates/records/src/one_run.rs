//! Whether files are of one run: of one machine, one compiler, one version of everything.

use std::collections::HashMap;

use crate::facts::schema::Facts;
use crate::host::EngineBuild;
use crate::host::Host;
use crate::schema::BackendRecord;

/// What a file says about what must be the same in all files of a run: of what, and what it is.
pub type Claims = Vec<(String, String)>;

/// What a file measured on `host` says.
#[must_use]
pub fn of_host(host: &Host) -> Claims {
    let claims = [
        ("the processor", &host.cpu),
        ("the target", &host.target),
        ("the compiler", &host.rustc),
        ("RUSTFLAGS", &host.rustflags),
    ];
    claims.map(|(what, value)| (what.to_owned(), value.clone())).into()
}

/// What the `backends` of a file say; with `cflags` their engines were built in another way than
/// those of the other files.
#[must_use]
pub fn of_backends(backends: &[BackendRecord], cflags: Option<&str>) -> Claims {
    let built = cflags.map_or(String::new(), |cflags| format!(" with CFLAGS `{cflags}`"));
    let mut claims = Claims::new();
    for backend in backends {
        let BackendRecord { id, binding_version, engine_crate_version, engine_version, .. } =
            backend;
        let versions = versions(binding_version.as_deref(), engine_crate_version.as_deref());
        let engine = engine_version.as_deref().unwrap_or("-").to_owned();
        let build = build(&backend.engine_build);
        claims.push((format!("the version of {id}"), versions));
        claims.push((format!("the LMDB of {id}"), engine));
        claims.push((format!("the engine build of {id}{built}"), build));
    }
    claims
}

/// What `facts` say.
#[must_use]
pub fn of_facts(facts: &Facts) -> Claims {
    let claims = facts.crates.iter().map(|it| {
        let what = format!("the version of {}", it.backend);
        (what, versions(Some(&it.version), Some(&it.engine_crate_version)))
    });
    claims.collect()
}

/// Where `files`, each with its name and its claims, contradict each other.
#[must_use]
pub fn mixtures<'a>(files: impl IntoIterator<Item = (&'a str, &'a Claims)>) -> Vec<String> {
    let mut known: HashMap<&str, (&str, &str)> = HashMap::new();
    let mut found = Vec::new();
    for (file, claims) in files {
        for (what, value) in claims {
            let (first, here) = *known.entry(what).or_insert((file, value));
            if here != value {
                found.push(format!("{file}: {what} is {value}, in {first} {here}: not one run"));
            }
        }
    }
    found
}

fn versions(binding: Option<&str>, engine: Option<&str>) -> String {
    format!("{} on engine {}", binding.unwrap_or("-"), engine.unwrap_or("-"))
}

/// All that was seen of an engine's build.
fn build(build: &EngineBuild) -> String {
    let is = |value: Option<bool>, yes: &str, no: &str| match value {
        Some(true) => yes.to_owned(),
        Some(false) => no.to_owned(),
        None => "-".to_owned(),
    };
    let text = |value: &Option<String>| value.clone().unwrap_or_else(|| "-".to_owned());
    let words = [
        is(build.bundled, "bundled", "system library"),
        text(&build.optimisation),
        is(build.assertions, "assertions on", "NDEBUG"),
        text(&build.compiler),
    ];
    words.join(", ")
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::testing::fixtures;

    fn differences(change: impl Fn(&mut crate::schema::Results)) -> Vec<String> {
        let claims = |results: &crate::schema::Results| {
            let backends = of_backends(&results.backends, results.options.cflags.as_deref());
            [of_host(&results.host), backends].concat()
        };
        let mut other = fixtures::results();
        change(&mut other);
        let [one, two] = [claims(&fixtures::results()), claims(&other)];
        mixtures([("a.json", &one), ("b.json", &two)])
    }

    #[test]
    fn every_difference_is_named() {
        assert_eq!(differences(|_| {}), Vec::<String>::new());
        let found = differences(|it| {
            it.host.rustc = "rustc 1.91.0".to_owned();
            it.host.rustflags.clear();
            it.backends[0].engine_version = Some("0.9.70".to_owned());
            it.backends[0].engine_build.optimisation = Some("-O2".to_owned());
        });
        assert_eq!(
            found,
            [
                "b.json: the compiler is rustc 1.91.0, in a.json rustc 1.90.0: not one run",
                "b.json: RUSTFLAGS is , in a.json -C x: not one run",
                "b.json: the LMDB of raw-ffi is 0.9.70, in a.json 0.9.21: not one run",
                "b.json: the engine build of raw-ffi with CFLAGS `-O3 -DNDEBUG` is bundled, -O2, \
                 NDEBUG, GNU C17 12.2.0, in a.json bundled, -O3, NDEBUG, GNU C17 12.2.0: not one run",
            ]
        );
    }

    #[test]
    fn facts_are_of_the_versions_that_were_measured() {
        let build = serde_json::json!({ "seconds": [1.0], "bytes": 1 });
        let facts = |version: &str| {
            let facts = serde_json::json!({
                "schema": 1, "producer": "facts", "started_unix": 1,
                "host": fixtures::results().host, "empty": build,
                "crates": [{
                    "backend": "raw-ffi", "name": "lmdb-sys", "version": version,
                    "engine_crate": "lmdb-sys", "engine_crate_version": "0.8.0",
                    "edition": "2015", "dependencies": [], "unsafe_in_program": 1,
                    "unsafe_in_adapter": 1, "build": build
                }]
            });
            of_facts(&serde_json::from_value(facts).unwrap())
        };
        let measured = of_backends(&fixtures::results().backends, None);
        let with = |facts: &Claims| mixtures([("a.json", &measured), ("facts.json", facts)]);
        assert_eq!(with(&facts("0.8.0")), Vec::<String>::new());
        assert_eq!(
            with(&facts("0.9.0")),
            ["facts.json: the version of raw-ffi is 0.9.0 on engine 0.8.0, in a.json 0.8.0 on \
              engine 0.8.0: not one run"]
        );
    }

    #[test]
    fn equal_flags_build_another_engine() {
        let found = differences(|it| {
            it.options.cflags = None;
            it.backends[0].engine_build.optimisation = Some("-O2".to_owned());
        });
        assert_eq!(found, Vec::<String>::new());
    }
}
