//! What the workspace is made of, as far as cargo alone can say it. Licences and sources are the business
//! of `cargo deny check licenses bans sources`, which reads `deny.toml` too.

use std::fs;

use records::looked_up::advisories::{Advisories, Advisory};
use records::store;
use serde_json::Value;

use super::built::root;
use crate::backends::metadata::cargo;

/// What cargo says of all packages that the lock file names, on whatever platform they are used.
fn packages() -> Vec<Value> {
    let mut command = cargo();
    command.args(["metadata", "--format-version", "1", "--locked", "--all-features"]);
    let output = command.current_dir(root()).output().expect("cargo");
    let metadata: Value = serde_json::from_slice(&output.stdout).expect("JSON");
    metadata["packages"].as_array().expect("a list").clone()
}

#[test]
fn nothing_banned_is_there() {
    let text = fs::read_to_string(root().join("deny.toml")).expect("a file");
    let bans = text.split("[bans]").nth(1).expect("bans").split("\n[").next().expect("their text");
    let (_, denied) = bans.split_once("\ndeny = [").expect("a list");
    let banned: Vec<&str> = denied
        .lines()
        .filter_map(|line| line.split_once("{ name = \"")?.1.split('"').next())
        .collect();
    assert!(!banned.is_empty(), "{bans}");
    for package in packages() {
        let name = package["name"].as_str().expect("a name");
        assert!(!banned.contains(&name), "{name} is banned in deny.toml");
    }
}

/// A version is part of a result.
#[test]
fn what_a_backend_measures_is_pinned() {
    let mut pinned = 0;
    let packages = packages();
    for package in packages.iter().filter(|package| !package["metadata"]["backend"].is_null()) {
        let wanted = package["dependencies"].as_array().expect("a list");
        // Packages of the workspace have no source, and of what is built beside nothing is measured.
        let is_measured = |one: &&Value| one["source"].is_string() && one["kind"].is_null();
        for one in wanted.iter().filter(is_measured) {
            let version = one["req"].as_str().expect("a version");
            assert!(version.starts_with('='), "{}: {} {version}", package["name"], one["name"]);
            pinned += 1;
        }
    }
    assert!(pinned > 0, "no backend uses a binding");
}

/// The list is dated, and what it says was read for the versions that were locked then.
#[test]
fn no_advisory_applies_that_is_not_accepted() {
    let path = root().join("results/facts/advisories.json");
    let found: Advisories = store::read(&path).expect("a file of advisories");
    let accepted = fs::read_to_string(root().join("deny.toml")).expect("a file");
    // That a binding is no longer maintained is shown, and no reason not to measure it.
    let counts = |it: &&Advisory| it.applies_to_locked_version && it.kind != "unmaintained";
    for advisory in found.advisories.iter().filter(counts) {
        assert!(accepted.contains(&advisory.id), "{} applies to {}", advisory.id, advisory.name);
    }
}
