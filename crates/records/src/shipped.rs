//! Whether what was measured is what users get: engines as their crates ship them, or all with the flags
//! that the label names, and nothing set elsewhere.

use crate::host::EngineBuild;
use crate::schema::{BackendRecord, Results};

/// What the workspace itself sets for C compilers.
const OWN: &str = "-falign-functions=64";

/// Why it is not, one sentence each; empty where it is.
#[must_use]
pub fn deviations(results: &Results) -> Vec<String> {
    let options = &results.options;
    let mut found = Vec::new();
    if !options.settings.is_empty() {
        let settings = options.settings.join("; ");
        found
            .push(format!("Set outside the workspace, so that others build otherwise: {settings}"));
    }
    let engines = || results.backends.iter().filter(|it| it.engine_version.is_some());
    let joined = |words: Vec<String>| (!words.is_empty()).then(|| words.join(", "));
    found.extend(match &options.cflags {
        None => {
            let switched = |it: &BackendRecord| {
                Some(format!("{} with {}", it.id, it.engine_build.switches.as_ref()?))
            };
            joined(engines().filter_map(switched).collect())
                .map(|words| format!("Engines not compiled as shipped: {words}"))
        }
        Some(cflags) => {
            let without = engines().filter(|it| !was_built_with(&it.engine_build, cflags));
            joined(without.map(|it| it.id.clone()).collect()).map(|ids| {
                format!("CFLAGS `{cflags}` were set for the run and are not seen in the engines of {ids}")
            })
        }
    });
    found
}

/// Whether those of `cflags` that change code are seen in `build`. What a build does not show speaks
/// against nothing.
fn was_built_with(build: &EngineBuild, cflags: &str) -> bool {
    let words = || cflags.split_whitespace();
    let level = words().rfind(|word| word.starts_with("-O"));
    let is_level = |level| build.optimisation.as_deref().is_none_or(|it| it == level);
    let asserts = words().any(|word| word == "-DNDEBUG") && build.assertions == Some(true);
    let switches = build.switches.as_deref().unwrap_or_default();
    let is_there = |word: &str| word == OWN || switches.split_whitespace().any(|it| it == word);
    let changes_code = |word: &&str| word.starts_with("-f") || word.starts_with("-m");
    // Without an optimisation seen, nothing of the compiler's line was.
    let is_seen = build.optimisation.is_some();
    level.is_none_or(is_level)
        && !asserts
        && (!is_seen || words().filter(changes_code).all(is_there))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::quality::{marks, refusals};
    use crate::testing::Run;

    #[test]
    fn what_is_not_as_shipped_is_said_and_not_published() {
        type Change = fn(&mut Results);
        let cases: [(&str, Change); 5] = [
            (
                "Set outside the workspace, so that others build otherwise: HOST_CFLAGS=-g; x",
                |it| {
                    it.options.settings = vec!["HOST_CFLAGS=-g".to_owned(), "x".to_owned()];
                },
            ),
            ("Engines not compiled as shipped: heed with -march=native", |it| {
                it.backends[2].engine_build.switches = Some("-march=native".to_owned());
            }),
            ("`-O2` were set for the run and are not seen in the engines of raw-ffi, ", |it| {
                it.options.cflags = Some("-O2".to_owned());
            }),
            ("are not seen in the engines of heed", |it| {
                it.options.cflags = Some("-O3 -DNDEBUG -fno-plt".to_owned());
                for backend in &mut it.backends[..2] {
                    backend.engine_build.switches = Some("-fno-plt -fx".to_owned());
                }
            }),
            ("are not seen in the engines of heed", |it| {
                it.options.cflags = Some("-O2 -DNDEBUG -O3".to_owned());
                it.backends[2].engine_build.assertions = Some(true);
            }),
        ];
        for (expected, change) in cases {
            for run in [Run::whole(), Run::whole().edit(|it| it.producer = "counts".to_owned())] {
                let run = run.edit(change).build();
                let says = |texts: Vec<String>| texts.iter().any(|it| it.contains(expected));
                assert!(says(marks(&run)), "{expected}: {:?}", marks(&run));
                assert!(says(refusals(&run)), "{expected}: {:?}", refusals(&run));
            }
        }
        let equal = |it: &mut Results| it.options.cflags = Some(format!("-O3 -DNDEBUG {OWN}"));
        assert!(deviations(&Run::whole().edit(equal).build()).is_empty());
    }
}
