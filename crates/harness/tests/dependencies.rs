//! What the workspace is made of: every crate comes from the registry, none is banned in `deny.toml`, and
//! what is measured is pinned. Licences and advisories are `cargo deny`'s: CONTRIBUTING.md says when.

use std::path::Path;
use std::process::Command;

use harness::backends::{Backends, Origin};
use serde::Deserialize;

/// Where crates may come from.
const REGISTRY: &str = "registry+https://github.com/rust-lang/crates.io-index";

#[derive(Debug, Deserialize)]
struct Metadata {
    packages: Vec<Package>,
}

#[derive(Debug, Deserialize)]
struct Package {
    id: String,
    name: String,
    source: Option<String>,
    dependencies: Vec<Dependency>,
}

#[derive(Debug, Deserialize)]
struct Dependency {
    name: String,
    source: Option<String>,
    req: String,
    kind: Option<String>,
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

#[test]
fn every_crate_is_ours_or_the_registrys() {
    for Package { id, name, source, .. } in packages() {
        let ours = source.is_none() && id.contains("/crates/");
        assert!(source.as_deref() == Some(REGISTRY) || ours, "{name}: {source:?}");
    }
}

#[test]
fn nothing_banned_is_there() {
    let text = std::fs::read_to_string(workspace().join("deny.toml")).unwrap();
    let list = text.lines().skip_while(|line| *line != "deny = [").take_while(|line| *line != "]");
    let banned: Vec<&str> = list.filter_map(|line| line.split('"').nth(1)).collect();
    assert!(!banned.is_empty());
    for package in packages() {
        assert!(!banned.contains(&package.name.as_str()), "{} is banned", package.name);
    }
}

/// A version is part of a result: a backend asks for exactly one of its binding and of its engine, which
/// are those of its dependencies that lead to LMDB.
#[test]
fn what_is_measured_is_pinned() {
    let packages = packages();
    let mut pinned = 0;
    for backend in Backends::of_workspace(workspace()).unwrap().all() {
        let Origin::Package(package) = &backend.origin else { unreachable!("a folder") };
        let package = packages.iter().find(|it| it.id == package.id).unwrap();
        let foreign = package.dependencies.iter().filter(|it| it.source.is_some());
        for Dependency { name, req, .. } in foreign.filter(|it| it.kind.is_none()) {
            assert!(req.starts_with('='), "{}: {name} must be pinned, not `{req}`", backend.id);
            pinned += 1;
        }
    }
    assert!(pinned > 0);
}
