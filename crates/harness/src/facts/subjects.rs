//! The crates that facts are about: those of the backends whose folders say what was looked up.

use std::fs;
use std::path::{Path, PathBuf};

use anyhow::Context as _;
use records::looked_up::by_hand::{ByHand, SCHEMA};
use serde::Deserialize;
use serde::de::DeserializeOwned;
use serde_json::Value;

use crate::backends::{Backends, Origin};

/// The file in a backend's folder: what no program can find out of its crate.
const LOOKED_UP: &str = "looked-up.json";
/// The source of a program that does nothing: what every program costs.
pub const EMPTY: &str = include_str!("programs/empty.rs");

/// A crate that one adds to write to LMDB.
#[derive(Debug)]
pub struct Subject {
    /// The backend that stands for it in all tables.
    pub backend: String,
    pub engine_version: Option<String>,
    pub name: String,
    /// The crate that brings LMDB's C source; itself, or one it depends on.
    pub engine: String,
    /// The package here that depends on it, as cargo names it: its manifest says with which features.
    pub adapter: String,
    /// Its adapter's sources: files, and directories.
    pub sources: Vec<PathBuf>,
    /// The source of the smallest program that writes through it. The crate is called `binding`
    /// there.
    pub program: String,
    /// Programs that its types may make impossible, in one source.
    pub mistakes: Option<String>,
    looked_up: LookedUp,
}

#[derive(Debug, Clone, Deserialize)]
#[serde(deny_unknown_fields)]
struct LookedUp {
    #[serde(rename = "crate")]
    name: String,
    /// The crate that brings LMDB's C source.
    engine: String,
    /// Its smallest program, seen from the folder.
    #[serde(default = "smallest")]
    smallest: PathBuf,
    /// Mistakes, and what the compiler says to them, seen from the folder; there need not be any.
    #[serde(default = "mistakes")]
    mistakes: PathBuf,
    /// Its adapter's sources, seen from the folder.
    #[serde(default = "adapter")]
    adapter: Vec<PathBuf>,
    features: Vec<Value>,
    unsafe_calls: Vec<Value>,
    released: Vec<Value>,
}

fn mistakes() -> PathBuf {
    PathBuf::from("refused.rs")
}

fn smallest() -> PathBuf {
    PathBuf::from("smallest.rs")
}

fn adapter() -> Vec<PathBuf> {
    vec![PathBuf::from("src")]
}

/// All of them: the bindings first, then raw FFI on other engines.
pub fn subjects(backends: &Backends) -> anyhow::Result<Vec<Subject>> {
    let mut found = Vec::new();
    for backend in backends.all() {
        let Origin::Package(package) = &backend.origin else { continue };
        let Some(folder) = package.manifest.parent() else { continue };
        let path = folder.join(LOOKED_UP);
        // A crate with several backends stands for all of them by its first.
        if !path.exists() || package.first != backend.id {
            continue;
        }
        let looked_up: LookedUp =
            serde_json::from_str(&text(&path)?).with_context(|| path.display().to_string())?;
        found.push(Subject {
            backend: backend.id.clone(),
            engine_version: backend.engine_version().map(str::to_owned),
            name: looked_up.name.clone(),
            engine: looked_up.engine.clone(),
            adapter: package.id.clone(),
            sources: looked_up.adapter.iter().map(|path| folder.join(path)).collect(),
            program: text(&folder.join(&looked_up.smallest))?,
            mistakes: Some(folder.join(&looked_up.mistakes))
                .filter(|it| it.exists())
                .map(|it| text(&it))
                .transpose()?,
            looked_up,
        });
    }
    let is_control = |subject: &Subject| {
        backends.all().any(|one| one.control.as_ref() == Some(&subject.backend))
    };
    let reference = &backends.reference().id;
    found.sort_by_key(|subject| subject.backend != *reference && is_control(subject));
    Ok(found)
}

fn text(path: &Path) -> anyhow::Result<String> {
    fs::read_to_string(path).with_context(|| path.display().to_string())
}

/// What was looked up of all of them, as one file.
pub fn by_hand(subjects: &[Subject]) -> anyhow::Result<ByHand> {
    let mut all = ByHand { schema: SCHEMA, ..ByHand::default() };
    for Subject { name, looked_up, .. } in subjects {
        all.features.extend(entries(name, &looked_up.features)?);
        all.unsafe_calls.extend(entries(name, &looked_up.unsafe_calls)?);
        all.released.extend(entries(name, &looked_up.released)?);
    }
    Ok(all)
}

fn entries<T: DeserializeOwned>(name: &str, list: &[Value]) -> anyhow::Result<Vec<T>> {
    let entry = |entry: &Value| {
        let mut entry = entry.clone();
        entry["crate"] = name.into();
        serde_json::from_value(entry)
    };
    let entries: Result<_, _> = list.iter().map(entry).collect();
    entries.with_context(|| format!("{LOOKED_UP} of {name}"))
}
