//! What the workspace is made of: every crate in the lock file has a licence that `deny.toml` allows, comes
//! from the registry, and is not banned. `cargo deny` says the same where it is installed; this needs
//! cargo alone. Advisories are not looked for: their database is not part of the workspace. What was
//! found in it must be about the versions that are locked.

use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;
use std::process::Command;

use serde::Deserialize;

/// Where crates may come from.
const REGISTRY: &str = "registry+https://github.com/rust-lang/crates.io-index";

#[derive(Debug, Deserialize)]
struct Metadata {
    packages: Vec<Package>,
}

#[derive(Debug, Deserialize)]
struct Package {
    name: String,
    version: String,
    license: Option<String>,
    source: Option<String>,
}

/// What is used of `results/facts/advisories.json`.
#[derive(Debug, Deserialize)]
struct Facts {
    packages_looked_up: usize,
    binding_crates_without_advisory: BTreeMap<String, String>,
    advisories: Vec<Advisory>,
}

#[derive(Debug, Deserialize)]
struct Advisory {
    id: String,
    #[serde(rename = "crate")]
    name: String,
    /// Of the version that was looked at; `None` where the lock file has no such crate.
    locked_version: Option<String>,
    applies_to_locked_version: bool,
    /// The binding crates that bring it along.
    used_by: BTreeSet<String>,
}

fn workspace() -> &'static Path {
    Path::new(concat!(env!("CARGO_MANIFEST_DIR"), "/../.."))
}

/// All packages that the lock file names, on whatever platform they are used.
fn packages() -> Vec<Package> {
    let output = Command::new(env!("CARGO"))
        .args(["metadata", "--format-version", "1", "--locked", "--all-features"])
        .current_dir(workspace())
        .output()
        .unwrap();
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    serde_json::from_slice::<Metadata>(&output.stdout).unwrap().packages
}

/// The strings of the list `key` in `deny.toml`; comments end lines, as there are no `#` in strings.
fn list(key: &str) -> Vec<String> {
    let text = std::fs::read_to_string(workspace().join("deny.toml")).unwrap();
    let start = format!("{key} = [");
    let lines = text.lines().skip_while(|line| *line != start).skip(1);
    let lines = lines.take_while(|line| *line != "]");
    let code = lines.map(|line| line.split('#').next().unwrap_or_default());
    code.filter_map(|line| line.split('"').nth(1)).map(str::to_owned).collect()
}

/// Whether an SPDX licence expression (SPDX 2.3, annex D) is satisfied by `allowed` licences. A slash is
/// an old way to write OR; an exception to a licence only ever permits more.
fn is_allowed(expression: &str, allowed: &[String]) -> bool {
    let spaced = expression.replace('(', " ( ").replace(')', " ) ").replace('/', " OR ");
    let words: Vec<&str> = spaced.split_whitespace().collect();
    let mut rest = &words[..];
    let satisfied = any(&mut rest, allowed);
    satisfied && rest.is_empty()
}

/// `a OR b OR ...`
fn any(words: &mut &[&str], allowed: &[String]) -> bool {
    let mut satisfied = all(words, allowed);
    while let ["OR", rest @ ..] = words {
        *words = rest;
        satisfied |= all(words, allowed);
    }
    satisfied
}

/// `a AND b AND ...`, which binds tighter.
fn all(words: &mut &[&str], allowed: &[String]) -> bool {
    let mut satisfied = one(words, allowed);
    while let ["AND", rest @ ..] = words {
        *words = rest;
        satisfied &= one(words, allowed);
    }
    satisfied
}

/// A licence, or an expression in parentheses.
fn one(words: &mut &[&str], allowed: &[String]) -> bool {
    match words {
        ["(", rest @ ..] => {
            *words = rest;
            let satisfied = any(words, allowed);
            match words {
                [")", rest @ ..] => {
                    *words = rest;
                    satisfied
                }
                _ => false,
            }
        }
        [licence, "WITH", _, rest @ ..] | [licence, rest @ ..] => {
            *words = rest;
            allowed.iter().any(|known| known == licence)
        }
        [] => false,
    }
}

#[test]
fn every_crate_has_an_allowed_licence() {
    let allowed = list("allow");
    assert!(allowed.iter().any(|licence| licence == "MIT"), "{allowed:?}");
    for package in packages() {
        let Package { name, version, license, .. } = package;
        let license = license.unwrap_or_else(|| panic!("{name} {version} states no licence"));
        assert!(is_allowed(&license, &allowed), "{name} {version}: {license}");
    }
}

#[test]
fn every_crate_is_ours_or_the_registrys() {
    for Package { name, source, .. } in packages() {
        let ours = workspace().join("crates").join(&name).is_dir();
        assert!(
            source.as_deref() == Some(REGISTRY) || (source.is_none() && ours),
            "{name}: {source:?}"
        );
    }
}

#[test]
fn nothing_banned_is_there() {
    let banned = list("deny");
    assert!(!banned.is_empty());
    for package in packages() {
        assert!(!banned.contains(&package.name), "{} is banned in deny.toml", package.name);
    }
}

#[test]
fn stored_advisories_are_about_what_is_locked() {
    let text = std::fs::read(workspace().join("results/facts/advisories.json")).unwrap();
    let found: Facts = serde_json::from_slice(&text).unwrap();
    let packages = packages();
    let is_locked = |name: &str, version: &str| {
        packages.iter().any(|package| package.name == name && package.version == version)
    };
    for (name, version) in &found.binding_crates_without_advisory {
        assert!(is_locked(name, version), "{name} {version} is not locked: look it up again");
        assert!(found.advisories.iter().all(|it| it.name != *name), "{name} has an advisory");
    }
    let ignored = std::fs::read_to_string(workspace().join("deny.toml")).unwrap();
    for Advisory { id, name, locked_version, applies_to_locked_version, .. } in &found.advisories {
        let as_looked_at = match locked_version {
            Some(version) => is_locked(name, version),
            None => packages.iter().all(|package| package.name != *name),
        };
        assert!(as_looked_at, "{id}: {name} is locked at another version: look it up again");
        assert!(!applies_to_locked_version || ignored.contains(id), "{id} applies to {name}");
    }
    let foreign = packages.iter().filter(|package| package.source.is_some());
    let names: BTreeSet<&str> = foreign.map(|package| package.name.as_str()).collect();
    assert_eq!(names.len(), found.packages_looked_up, "crates came or went: look them up");
}

/// What the published facts found by compiling says the same.
#[test]
fn advisories_name_every_binding_that_brings_the_crate_along() {
    let text = std::fs::read(workspace().join("results/facts/advisories.json")).unwrap();
    let found: Facts = serde_json::from_slice(&text).unwrap();
    let runs = records::published::load(&workspace().join("results")).unwrap();
    let facts = runs.iter().rev().find_map(|run| run.facts.as_ref()).unwrap();
    let mut seen = 0;
    for advisory in found.advisories.iter().filter(|it| it.locked_version.is_some()) {
        let prefix = format!("{} ", advisory.name);
        for one in &facts.crates {
            if one.dependencies.iter().any(|dependency| dependency.starts_with(&prefix)) {
                assert!(advisory.used_by.contains(&one.name), "{}: {}", advisory.id, one.name);
                seen += 1;
            }
        }
    }
    assert!(seen > 0, "no advisory is about a dependency");
}

#[test]
fn licence_expressions_are_read_as_they_are_meant() {
    let allowed: Vec<String> = ["MIT", "Apache-2.0", "Unicode-3.0"].map(str::to_owned).to_vec();
    for good in [
        "MIT",
        "MIT/GPL-3.0",
        "GPL-3.0 OR MIT",
        "(MIT OR GPL-3.0) AND Unicode-3.0",
        "Apache-2.0 WITH LLVM-exception OR GPL-3.0",
    ] {
        assert!(is_allowed(good, &allowed), "{good}");
    }
    for bad in ["", "GPL-3.0", "MIT AND GPL-3.0", "(MIT OR GPL-3.0) AND GPL-3.0", "MIT MIT", "(MIT"]
    {
        assert!(!is_allowed(bad, &allowed), "{bad}");
    }
}
