//! The description of a backend in its manifest, `[package.metadata.backend]`, or of several:
//! `[[package.metadata.backend]]`.

use std::collections::BTreeMap;
use std::path::Path;

use anyhow::{Context as _, bail, ensure};
use serde::Deserialize;
use write_backend::DataFormat;

use super::backend::{Backend, Engine, Origin, Package};
use super::metadata::{self, Metadata};

const HOME: &str = "crates/backends";
/// How the names of a backend's programs begin, where they begin alike: of the timed one, and of the one
/// that shows what the backend does.
const WORKER: &str = "backend-";
const WITNESS: &str = "witness-";

#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
struct Table {
    id: String,
    program: Option<String>,
    control: Option<String>,
    engine_version: Option<String>,
    #[serde(default)]
    data_format: DataFormat,
    #[serde(default = "last")]
    order: u32,
    colour: Option<String>,
    #[serde(default)]
    reference: bool,
    #[serde(default)]
    counts_only: bool,
}

fn last() -> u32 {
    u32::MAX
}

/// The backends among the workspace's packages: those in the backends' folder, and what else describes one.
pub(super) fn of_workspace(metadata: &Metadata, root: &Path) -> anyhow::Result<Vec<Backend>> {
    let home = root.join(HOME);
    let is_backend = |package: &&metadata::Package| {
        described(package).is_some() || package.manifest_path.starts_with(&home)
    };
    let found = metadata.members().filter(is_backend);
    let found: Vec<_> =
        found.map(|package| backends(package, metadata, false)).collect::<Result<_, _>>()?;
    Ok(found.concat())
}

pub(super) fn of_package(metadata: &Metadata, manifest: &Path) -> anyhow::Result<Vec<Backend>> {
    match metadata.members().find(|package| package.manifest_path == manifest) {
        Some(package) => backends(package, metadata, true),
        None => bail!("{}: it describes a workspace, not a package", manifest.display()),
    }
}

fn described(package: &metadata::Package) -> Option<&serde_json::Value> {
    package.metadata.get("backend")
}

fn backends(
    package: &metadata::Package,
    metadata: &Metadata,
    is_outside: bool,
) -> anyhow::Result<Vec<Backend>> {
    let folder = package.manifest_path.parent().unwrap_or(&package.manifest_path);
    let backends = || {
        let described = described(package).context(
            "its Cargo.toml has no [package.metadata.backend]; needed is at least `id`, and \
             `engine_version` unless the backend stores nothing",
        )?;
        let several = described.as_array().map_or(std::slice::from_ref(described), Vec::as_slice);
        let tables = several.iter().map(Table::deserialize).collect::<Result<Vec<_>, _>>();
        let tables = tables.context("[package.metadata.backend]")?;
        let first = tables.first().map(|table| table.id.clone()).unwrap_or_default();
        let one = |table| backend(table, &first, package, metadata, is_outside);
        tables.into_iter().map(one).collect()
    };
    anyhow::Result::<Vec<Backend>>::with_context(backends(), || folder.display().to_string())
}

fn backend(
    table: Table,
    first: &str,
    package: &metadata::Package,
    metadata: &Metadata,
    is_outside: bool,
) -> anyhow::Result<Backend> {
    let worker = table.program.unwrap_or_else(|| package.name.clone());
    let programs: Vec<&str> = package.programs().collect();
    ensure!(
        programs.contains(&worker.as_str()),
        "it has no program `{worker}` ({}): the timed worker of {}",
        if worker == package.name { "src/main.rs" } else { "`program` names it" },
        table.id
    );
    let witness = format!("{WITNESS}{}", worker.strip_prefix(WORKER).unwrap_or(&worker));
    let backend = Backend {
        id: table.id,
        control: table.control,
        engine: table.engine_version.map_or(Engine::None, Engine::Version),
        data_format: table.data_format,
        order: table.order,
        colour: table.colour,
        is_reference: table.reference,
        counts_only: table.counts_only,
        origin: Origin::Package(Package {
            id: package.id.clone(),
            first: first.to_owned(),
            manifest: package.manifest_path.clone(),
            worker,
            witness: programs.contains(&witness.as_str()).then_some(witness),
            is_outside,
        }),
        versions: versions(metadata, package),
    };
    check(&backend).map_err(anyhow::Error::msg)?;
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
    let is_allowed = |c: char| c.is_ascii_lowercase() || c.is_ascii_digit() || "-_.@:".contains(c);
    if !id.is_empty() && id.chars().all(is_allowed) {
        return Ok(());
    }
    Err(format!("the id `{id}` must be of lower-case letters, digits and -_.@:"))
}

fn is_colour(text: &str) -> bool {
    let digits = text.strip_prefix('#').unwrap_or_default();
    digits.len() == 6 && digits.chars().all(|c| c.is_ascii_hexdigit())
}
