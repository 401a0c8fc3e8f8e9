//! What cargo says of crates: `cargo metadata`, format 1 (the Cargo Book, "cargo metadata").

use std::collections::{BTreeSet, HashMap};

use serde::Deserialize;

/// What is read of it.
#[derive(Debug, Clone, Deserialize)]
pub struct Metadata {
    /// All crates.
    pub packages: Vec<Package>,
    /// Who depends on whom; absent where it was not asked for.
    pub resolve: Option<Resolve>,
}

/// A crate.
#[derive(Debug, Clone, Deserialize)]
pub struct Package {
    /// Its id, for [`Resolve`].
    pub id: String,
    /// Its name.
    pub name: String,
    /// Its version.
    pub version: String,
    /// Its licence expression.
    pub license: Option<String>,
    /// Its repository.
    pub repository: Option<String>,
    /// The edition of Rust it is written in.
    pub edition: String,
    /// The oldest Rust that it states to compile with.
    pub rust_version: Option<String>,
    /// What its manifest asks for.
    pub dependencies: Vec<Dependency>,
}

/// What a manifest asks for.
#[derive(Debug, Clone, Deserialize)]
pub struct Dependency {
    /// The crate.
    pub name: String,
    /// The features that are named.
    pub features: Vec<String>,
    /// Whether the default ones are wanted too.
    pub uses_default_features: bool,
}

/// Who depends on whom.
#[derive(Debug, Clone, Deserialize)]
pub struct Resolve {
    /// One node for each crate.
    pub nodes: Vec<Node>,
}

/// What one crate depends on.
#[derive(Debug, Clone, Deserialize)]
pub struct Node {
    /// The crate's id.
    pub id: String,
    /// What it depends on.
    pub deps: Vec<Edge>,
}

/// A dependency.
#[derive(Debug, Clone, Deserialize)]
pub struct Edge {
    /// The other crate's id.
    pub pkg: String,
    /// What for; the same crate may be needed for several things.
    pub dep_kinds: Vec<Kind>,
}

/// What a crate is needed for.
#[derive(Debug, Clone, Deserialize)]
pub struct Kind {
    /// `null`: for itself; `build`: for its build script; `dev`: for its tests.
    pub kind: Option<String>,
}

impl Metadata {
    /// Reads cargo's output.
    ///
    /// # Errors
    /// When it is something else.
    pub fn read(bytes: &[u8]) -> Result<Self, serde_json::Error> {
        serde_json::from_slice(bytes)
    }

    /// The crate called `name`; `None` where there is none, or several versions of it.
    #[must_use]
    pub fn package(&self, name: &str) -> Option<&Package> {
        let mut found = self.packages.iter().filter(|package| package.name == name);
        found.next().filter(|_| found.next().is_none())
    }

    /// Everything else that is compiled for the crate called `name`, by itself or its build scripts,
    /// as `name version`; nobody's tests.
    #[must_use]
    pub fn compiled_for(&self, name: &str) -> BTreeSet<String> {
        let (Some(start), Some(resolve)) = (self.package(name), &self.resolve) else {
            return BTreeSet::new();
        };
        let nodes: HashMap<&str, &Node> =
            resolve.nodes.iter().map(|node| (node.id.as_str(), node)).collect();
        let mut seen = BTreeSet::from([start.id.as_str()]);
        let mut open = vec![start.id.as_str()];
        while let Some(id) = open.pop() {
            let edges = nodes.get(id).into_iter().flat_map(|node| &node.deps);
            for edge in edges.filter(|edge| edge.is_compiled()) {
                if seen.insert(&edge.pkg) {
                    open.push(&edge.pkg);
                }
            }
        }
        let others = self.packages.iter().filter(|package| package.id != start.id);
        let compiled = others.filter(|package| seen.contains(package.id.as_str()));
        compiled.map(|package| format!("{} {}", package.name, package.version)).collect()
    }
}

impl Edge {
    fn is_compiled(&self) -> bool {
        self.dep_kinds.iter().any(|it| it.kind.as_deref() != Some("dev"))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn metadata() -> Metadata {
        let package = |name: &str| {
            format!(
                r#"{{"id": "{name}#1", "name": "{name}", "version": "1.0.0", "license": "MIT",
                "repository": null, "edition": "2021", "rust_version": null, "dependencies": []}}"#
            )
        };
        let node = |name: &str, deps: &str| format!(r#"{{"id": "{name}#1", "deps": [{deps}]}}"#);
        let edge = |name: &str, kind: &str| {
            format!(r#"{{"pkg": "{name}#1", "dep_kinds": [{{"kind": {kind}}}]}}"#)
        };
        let packages = ["a", "b", "c", "d", "e"].map(package).join(",");
        let nodes = [
            node("a", &[edge("b", "null"), edge("d", "\"dev\"")].join(",")),
            node("b", &[edge("c", "\"build\""), edge("a", "null")].join(",")),
            node("c", ""),
            node("d", &edge("e", "null")),
            node("e", ""),
        ]
        .join(",");
        let text = format!(r#"{{"packages": [{packages}], "resolve": {{"nodes": [{nodes}]}}}}"#);
        Metadata::read(text.as_bytes()).unwrap()
    }

    #[test]
    fn what_tests_need_is_not_counted_and_what_build_scripts_need_is() {
        let compiled: Vec<String> = metadata().compiled_for("a").into_iter().collect();
        assert_eq!(compiled, ["b 1.0.0", "c 1.0.0"]);
        assert!(metadata().compiled_for("nobody").is_empty());
    }

    #[test]
    fn several_versions_are_nobody() {
        let mut metadata = metadata();
        assert!(metadata.package("a").is_some());
        metadata.packages.push(metadata.packages[0].clone());
        assert!(metadata.package("a").is_none());
    }
}
