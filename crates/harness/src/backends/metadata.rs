//! What cargo says of crates: `cargo metadata`, format 1 (the Cargo Book, "cargo metadata").

use std::collections::BTreeSet;
use std::ffi::OsString;
use std::path::PathBuf;
use std::process::Command;

use serde::Deserialize;

/// Cargo: the one that has started this program, or the one that is installed.
pub fn cargo() -> Command {
    Command::new(std::env::var_os("CARGO").unwrap_or_else(|| OsString::from("cargo")))
}

#[derive(Debug, Clone, Deserialize)]
pub struct Metadata {
    pub packages: Vec<Package>,
    /// The ids of the packages that were asked for: a workspace's members.
    #[serde(default)]
    pub workspace_members: Vec<String>,
    /// Who depends on whom; absent where it was not asked for.
    pub resolve: Option<Resolve>,
}

#[derive(Debug, Clone, Deserialize)]
pub struct Package {
    pub id: String,
    pub name: String,
    pub version: String,
    pub license: Option<String>,
    pub repository: Option<String>,
    pub edition: String,
    /// The oldest Rust that it states to compile with.
    pub rust_version: Option<String>,
    pub dependencies: Vec<Dependency>,
    #[serde(default)]
    pub manifest_path: PathBuf,
    #[serde(default)]
    pub targets: Vec<Target>,
    /// What its manifest says for other programs than cargo.
    #[serde(default)]
    pub metadata: serde_json::Value,
}

#[derive(Debug, Clone, Deserialize)]
pub struct Target {
    pub name: String,
    /// What it is; `bin` for a program.
    pub kind: Vec<String>,
}

impl Package {
    pub fn programs(&self) -> impl Iterator<Item = &str> {
        let is_program = |target: &&Target| target.kind.iter().any(|kind| kind == "bin");
        self.targets.iter().filter(is_program).map(|target| target.name.as_str())
    }
}

#[derive(Debug, Clone, Deserialize)]
pub struct Dependency {
    pub name: String,
    pub features: Vec<String>,
    pub uses_default_features: bool,
}

#[derive(Debug, Clone, Deserialize)]
pub struct Resolve {
    pub nodes: Vec<Node>,
}

#[derive(Debug, Clone, Deserialize)]
pub struct Node {
    pub id: String,
    pub deps: Vec<Edge>,
}

#[derive(Debug, Clone, Deserialize)]
pub struct Edge {
    pub pkg: String,
    /// What for: of `kind` null, for the crate itself; `build`, for its build script; `dev`, for its tests.
    pub dep_kinds: Vec<serde_json::Value>,
}

impl Metadata {
    pub fn read(bytes: &[u8]) -> Result<Self, serde_json::Error> {
        serde_json::from_slice(bytes)
    }

    /// The crate called `name`; `None` where there is none, or several versions of it.
    pub fn package(&self, name: &str) -> Option<&Package> {
        let mut found = self.packages.iter().filter(|package| package.name == name);
        found.next().filter(|_| found.next().is_none())
    }

    pub fn members(&self) -> impl Iterator<Item = &Package> {
        self.packages.iter().filter(|package| self.workspace_members.contains(&package.id))
    }

    /// Everything else that is compiled for the package with the id `start`, by itself or its build
    /// scripts; nobody's tests.
    pub fn compiled_for(&self, start: &str) -> Vec<&Package> {
        let Some(resolve) = &self.resolve else { return Vec::new() };
        let is_compiled = |edge: &&Edge| edge.dep_kinds.iter().any(|it| it["kind"] != "dev");
        let mut seen = BTreeSet::from([start]);
        let mut open = vec![start];
        while let Some(id) = open.pop() {
            let nodes = resolve.nodes.iter().filter(|node| node.id == id);
            for edge in nodes.flat_map(|node| &node.deps).filter(is_compiled) {
                if seen.insert(&edge.pkg) {
                    open.push(&edge.pkg);
                }
            }
        }
        seen.remove(start);
        self.packages.iter().filter(|package| seen.contains(package.id.as_str())).collect()
    }
}

#[cfg(test)]
mod tests {
    use serde_json::{Value, json};

    use super::*;

    fn metadata() -> Metadata {
        let package = |name| json!({ "id": name, "name": name, "version": "1.0.0", "edition": "2021", "dependencies": [] });
        let edge =
            |name, kind: Option<&str>| json!({ "pkg": name, "dep_kinds": [{ "kind": kind }] });
        let node = |id, deps: &[Value]| json!({ "id": id, "deps": deps });
        let nodes = [
            node("a", &[edge("b", None), edge("d", Some("dev"))]),
            node("b", &[edge("c", Some("build")), edge("a", None)]),
            node("d", &[edge("e", None)]),
        ];
        let packages = ["a", "b", "c", "d", "e"].map(package);
        let metadata = json!({ "packages": packages, "resolve": { "nodes": nodes } });
        Metadata::read(metadata.to_string().as_bytes()).unwrap()
    }

    #[test]
    fn what_tests_need_is_not_counted_and_what_build_scripts_need_is() {
        let metadata = metadata();
        let compiled = |id| -> Vec<&str> {
            metadata.compiled_for(id).iter().map(|package| package.name.as_str()).collect()
        };
        assert_eq!(compiled("a"), ["b", "c"]);
        assert!(compiled("nobody").is_empty());
    }

    #[test]
    fn several_versions_are_nobody() {
        let mut metadata = metadata();
        assert!(metadata.package("a").is_some());
        metadata.packages.push(metadata.packages[0].clone());
        assert!(metadata.package("a").is_none());
    }
}
