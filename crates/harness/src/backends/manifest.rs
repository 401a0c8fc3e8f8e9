//! The description of a backend in its manifest: `[package.metadata.backend]`.

use std::collections::BTreeMap;
use std::path::Path;

use serde::Deserialize;

use super::backend::{Backend, Engine, Origin, Package};
use super::found::FindError;
use super::metadata::{self, Metadata};

/// Where the folders of the workspace's backends lie.
const HOME: &str = "crates/backends";
/// Begins the name of a program that shows what a backend does.
const WITNESS: &str = "witness-";

#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
struct Table {
    id: String,
    control: Option<String>,
    engine_version: Option<String>,
    #[serde(default = "last")]
    order: u32,
    colour: Option<String>,
    #[serde(default)]
    reference: bool,
    #[serde(default)]
    counts_only: bool,
}

/// The place of a backend that does not ask for one.
fn last() -> u32 {
    u32::MAX
}

/// The backends among the workspace's packages.
pub(super) fn of_workspace(metadata: &Metadata, root: &Path) -> Result<Vec<Backend>, FindError> {
    let members = metadata.members();
    let home = root.join(HOME);
    let mut found = Vec::new();
    for package in members {
        if package.described("backend").is_some() || package.manifest_path.starts_with(&home) {
            found.push(backend(package, metadata, false)?);
        }
    }
    Ok(found)
}

/// The one backend that the package with the manifest `manifest` describes.
pub(super) fn of_package(metadata: &Metadata, manifest: &Path) -> Result<Backend, FindError> {
    let package = metadata.members().find(|package| package.manifest_path == manifest);
    match package {
        Some(package) => backend(package, metadata, true),
        None => {
            Err(wrong(manifest, "its manifest describes a workspace, not a package".to_owned()))
        }
    }
}

fn wrong(manifest: &Path, reason: String) -> FindError {
    let folder = manifest.parent().unwrap_or(manifest).to_owned();
    FindError::Manifest { folder, reason }
}

fn backend(
    package: &metadata::Package,
    metadata: &Metadata,
    is_outside: bool,
) -> Result<Backend, FindError> {
    let manifest = &package.manifest_path;
    let Some(described) = package.described("backend") else {
        let reason = "its Cargo.toml has no [package.metadata.backend]; needed is at least `id`, and \
                      `engine_version` unless the backend stores nothing";
        return Err(wrong(manifest, reason.to_owned()));
    };
    let table = Table::deserialize(described)
        .map_err(|error| wrong(manifest, format!("[package.metadata.backend]: {error}")))?;
    let programs: Vec<&str> = package.programs().collect();
    if !programs.contains(&package.name.as_str()) {
        let reason =
            format!("it has no program `{}` (src/main.rs): the timed worker", package.name);
        return Err(wrong(manifest, reason));
    }
    let witness = programs.iter().find(|name| name.starts_with(WITNESS));
    let engine = table.engine_version.map_or(Engine::None, Engine::Version);
    let backend = Backend {
        id: table.id,
        control: table.control,
        engine,
        order: table.order,
        colour: table.colour,
        is_reference: table.reference,
        counts_only: table.counts_only,
        origin: Origin::Package(Package {
            id: package.id.clone(),
            manifest: manifest.clone(),
            worker: package.name.clone(),
            witness: witness.map(|name| (*name).to_owned()),
            is_outside,
        }),
        versions: versions(metadata, package),
    };
    check(&backend).map_err(|reason| wrong(manifest, reason))?;
    Ok(backend)
}

/// The versions of the crates that are compiled for `package`; of several versions none is told.
fn versions(metadata: &Metadata, package: &metadata::Package) -> BTreeMap<String, String> {
    let mut versions = BTreeMap::new();
    let mut several = Vec::new();
    for other in metadata.compiled_for(&package.id) {
        let version = versions.insert(other.name.clone(), other.version.clone());
        several.extend(version.map(|_| &other.name));
    }
    for name in several {
        versions.remove(name);
    }
    versions
}

/// What can be seen in one description alone.
fn check(backend: &Backend) -> Result<(), String> {
    check_id(&backend.id)?;
    if backend.control.is_some() && !backend.stores() {
        return Err("`control` is given, but no `engine_version`: without an engine there is no \
                    overhead"
            .to_owned());
    }
    match &backend.colour {
        Some(colour) if !is_colour(colour) => {
            Err(format!("`colour` is `{colour}`: it must be like #0072b2"))
        }
        _ => Ok(()),
    }
}

/// An id stands in names of cases, after a slash, and in lists with commas.
pub(super) fn check_id(id: &str) -> Result<(), String> {
    let is_allowed = |c: char| c.is_ascii_lowercase() || c.is_ascii_digit() || "-_.@".contains(c);
    if !id.is_empty() && id.chars().all(is_allowed) {
        return Ok(());
    }
    Err(format!("the id `{id}` must be of lower-case letters, digits and -_.@"))
}

fn is_colour(text: &str) -> bool {
    let digits = text.strip_prefix('#').unwrap_or_default();
    digits.len() == 6 && digits.chars().all(|c| c.is_ascii_hexdigit())
}
