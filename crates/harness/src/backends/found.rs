//! All backends of a run together, checked against each other.

use std::collections::BTreeSet;
use std::path::Path;
use std::sync::Arc;
use std::time::Duration;

use anyhow::{Context as _, bail};
use serde::{Deserialize, Serialize};
use write_backend::DataFormat;

use super::backend::{Backend, Engine};
use super::brought::Brought;
use super::manifest;
use super::metadata::{Metadata, cargo};
use crate::worker::child;

/// Longer than cargo takes to read manifests, also where it must ask the network.
const LIMIT: Duration = Duration::from_secs(300);

/// The backends there are, sorted as in tables.
#[derive(Debug, Clone, Serialize, Deserialize)]
pub struct Backends {
    all: Vec<Arc<Backend>>,
}

impl Backends {
    /// Those of the workspace at `root`.
    ///
    /// # Errors
    /// When a folder does not describe a backend, or they do not fit together.
    pub fn of_workspace(root: &Path) -> anyhow::Result<Self> {
        // Cargo names manifests by their real paths.
        let root = root.canonicalize().unwrap_or_else(|_| root.to_owned());
        let found = manifest::of_workspace(&metadata(&root, &root.join("Cargo.toml"))?, &root)?;
        Self::new(found)
    }

    /// These and what `brought` names; folders are seen from `root`.
    pub(crate) fn with(&self, brought: &Brought, root: &Path) -> anyhow::Result<Self> {
        let mut found: Vec<Backend> = self.all.iter().map(|it| (**it).clone()).collect();
        for folder in &brought.backend_dir {
            let manifest = root.join(folder).join("Cargo.toml");
            let manifest = manifest
                .canonicalize()
                .with_context(|| format!("--backend-dir {}", manifest.display()))?;
            found.extend(manifest::of_package(&metadata(root, &manifest)?, &manifest)?);
        }
        found.extend(brought.programs(root, self)?);
        Self::new(found)
    }

    /// A checked set.
    pub(crate) fn new(mut found: Vec<Backend>) -> anyhow::Result<Self> {
        found.sort_by(|a, b| (a.order, &a.id).cmp(&(b.order, &b.id)));
        let backends = Self { all: found.into_iter().map(Arc::new).collect() };
        for (index, backend) in backends.all.iter().enumerate() {
            if let Some(other) = backends.all[..index].iter().find(|it| it.id == backend.id) {
                let ([first, second], id) = ([other, backend].map(|it| it.home()), &backend.id);
                bail!(
                    "{first} and {second} both have the id `{id}`: each backend needs one of its own"
                );
            }
            backends.check_control(backend)?;
        }
        let references = backends.all.iter().filter(|it| it.is_reference);
        let references: Vec<&str> = references.map(|it| it.id.as_str()).collect();
        if references.len() != 1 {
            let found = if references.is_empty() { "none" } else { &*references.join(", ") };
            bail!("exactly one backend must say `reference = true`, found: {found}");
        }
        // What a program writes it says itself.
        for backend in backends.all.iter().filter(|it| it.stores() && it.engine != Engine::Any) {
            backends.verifier(&backend.data_format, backend.engine_version()).map_err(
                |reason| {
                    anyhow::anyhow!(
                        "{}: {} cannot be checked: {reason}",
                        backend.home(),
                        backend.id
                    )
                },
            )?;
        }
        Ok(backends)
    }

    /// A control has a control's engine and none of its own: what is measured against it is the binding
    /// alone.
    fn check_control(&self, backend: &Backend) -> anyhow::Result<()> {
        let Some(control) = &backend.control else { return Ok(()) };
        let is_possible = |it: &&Arc<Backend>| {
            it.control.is_none()
                && it.stores()
                && !it.counts_only
                && (&it.engine, &it.data_format) == (&backend.engine, &backend.data_format)
        };
        if self.all.iter().filter(is_possible).any(|it| it.id == *control) {
            return Ok(());
        }
        let possible = self.all.iter().filter(is_possible).filter(|it| it.id != backend.id);
        let possible: Vec<&str> = possible.map(|it| it.id.as_str()).collect();
        let engine = backend.engine_version().unwrap_or("unknown");
        let reason = if possible.is_empty() {
            format!("no backend here is a control on LMDB {engine}; leave `control` out")
        } else {
            format!("on its engine, LMDB {engine}, it must be one of {}", possible.join(", "))
        };
        bail!("{}: `{control}` cannot be the control of {}: {reason}", backend.home(), backend.id);
    }

    /// Every one of them.
    pub(crate) fn all(&self) -> impl Iterator<Item = &Arc<Backend>> {
        self.all.iter()
    }

    /// Those that times are taken of: all but what is only counted.
    pub(crate) fn timed(&self) -> impl Iterator<Item = &Arc<Backend>> {
        self.all.iter().filter(|it| !it.counts_only)
    }

    /// The one that all others are compared with.
    pub(crate) fn reference(&self) -> &Arc<Backend> {
        let found = self.all.iter().find(|it| it.is_reference);
        found.expect("a set without a reference is refused when it is made")
    }

    /// The one called `id`.
    ///
    /// # Errors
    /// A sentence that lists the ids there are.
    pub fn find(&self, id: &str) -> Result<&Arc<Backend>, String> {
        self.all.iter().find(|backend| backend.id == id).ok_or_else(|| {
            let ids: Vec<&str> = self.all.iter().map(|backend| backend.id.as_str()).collect();
            format!("unknown backend `{id}`: it must be one of {}", ids.join(", "))
        })
    }

    /// Who can check what others wrote: raw FFI, which is the reference and what backends name as their
    /// control.
    fn verifiers(&self) -> impl Iterator<Item = &Arc<Backend>> {
        let is_control = |id| self.all.iter().any(|it| it.control.as_ref() == Some(id));
        self.all.iter().filter(move |it| it.is_reference || is_control(&it.id))
    }

    /// Who checks what was written in `format` by the engine of a version: the reference where it has that
    /// format, or else raw FFI on another engine, or else on the same.
    ///
    /// # Errors
    /// A sentence that lists the formats there are.
    pub(crate) fn verifier(
        &self,
        format: &DataFormat,
        engine: Option<&str>,
    ) -> Result<&Arc<Backend>, String> {
        let fitting = self.verifiers().filter(|it| it.data_format == *format);
        let found =
            fitting.min_by_key(|it| (!it.is_reference, it.engine_version() == engine, it.order));
        found.ok_or_else(|| {
            let formats: BTreeSet<String> =
                self.verifiers().map(|it| it.data_format.to_string()).collect();
            let formats = Vec::from_iter(formats).join(", ");
            format!(
                "no control here reads the data format {format}: it must be one of {formats}, or a \
                 backend with that format must be the `control` of another"
            )
        })
    }

    /// Those that `is_wanted` admits, the reference, and who checks what they write.
    pub(crate) fn needed(&self, is_wanted: impl Fn(&Backend) -> bool) -> Vec<Arc<Backend>> {
        let wanted: Vec<_> =
            self.all.iter().filter(|it| it.is_reference || is_wanted(it)).collect();
        let verifies = |it: &Arc<Backend>| {
            wanted.iter().any(|one| match one.engine {
                Engine::None => false,
                Engine::Any => self.verifiers().any(|verifier| verifier.id == it.id),
                Engine::Version(_) => self
                    .verifier(&one.data_format, one.engine_version())
                    .is_ok_and(|verifier| verifier.id == it.id),
            })
        };
        let is_needed =
            |it: &&Arc<Backend>| wanted.iter().any(|one| one.id == it.id) || verifies(it);
        self.all.iter().filter(is_needed).cloned().collect()
    }

    /// Who checks the environments that `backend` leaves when it is killed: raw FFI on the same engine.
    pub(crate) fn checker_of<'all>(&'all self, backend: &'all Arc<Backend>) -> &'all Arc<Backend> {
        let control = backend.control.as_deref().and_then(|id| self.find(id).ok());
        control.unwrap_or(backend)
    }
}

/// What cargo says of the package or workspace with the manifest `manifest`, with the settings of the
/// workspace at `root`.
fn metadata(root: &Path, manifest: &Path) -> anyhow::Result<Metadata> {
    let mut command = cargo();
    command.args(["metadata", "--quiet", "--format-version", "1", "--manifest-path"]);
    command.arg(manifest).current_dir(root);
    let read = || anyhow::Ok(Metadata::read(&child::output(command, LIMIT)?)?);
    read().with_context(|| format!("{}: cargo cannot read it", manifest.display()))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::backends::testing::backend;

    #[test]
    fn a_set_has_one_reference_and_every_id_once() {
        let raw = || backend("raw-ffi", None, Some("0.9.21"));
        let refused = |all| Backends::new(all).unwrap_err().to_string();
        let other = backend("null", None, None);
        assert!(refused(vec![other.clone()]).ends_with("found: none"));
        let second = Backend { is_reference: true, ..other };
        assert!(refused(vec![raw(), second]).ends_with("found: null, raw-ffi"));
        assert!(refused(vec![raw(), raw()]).contains("both have the id `raw-ffi`"));
    }

    #[test]
    fn who_checks_has_the_format_and_if_possible_another_engine() {
        let of = |id: &str, control: Option<&str>, engine: &str, format: &str| Backend {
            data_format: DataFormat::try_from(format.to_owned()).unwrap(),
            ..backend(id, control, Some(engine))
        };
        let mut all = vec![
            of("raw-ffi", None, "0.9.21", "lmdb-1"),
            of("lmdb", Some("raw-ffi"), "0.9.21", "lmdb-1"),
            of("raw-ffi@a", None, "1.0", "lmdb-3"),
            of("a", Some("raw-ffi@a"), "1.0", "lmdb-3"),
            of("raw-ffi@b", None, "0.9.90", "lmdb-3"),
            of("b", Some("raw-ffi@b"), "0.9.90", "lmdb-3"),
            of("raw-ffi@c", None, "0.13", "mdbx-3"),
            of("c", Some("raw-ffi@c"), "0.13", "mdbx-3"),
        ];
        let backends = Backends::new(all.clone()).unwrap();
        let verifier = |id: &str| {
            let backend = backends.find(id).unwrap();
            let found = backends.verifier(&backend.data_format, backend.engine_version());
            found.unwrap().id.clone()
        };
        let found = ["lmdb", "raw-ffi", "a", "raw-ffi@a", "b", "c", "raw-ffi@c"].map(verifier);
        let expected =
            ["raw-ffi", "raw-ffi", "raw-ffi@b", "raw-ffi@b", "raw-ffi@a", "raw-ffi@c", "raw-ffi@c"];
        assert_eq!(found, expected);
        let needed: Vec<String> =
            backends.needed(|it| it.id == "a").iter().map(|it| it.id.clone()).collect();
        assert_eq!(needed, ["a", "raw-ffi", "raw-ffi@b"]);

        all.push(of("d", None, "1.1", "lmdb-4"));
        let reason = Backends::new(all).unwrap_err().to_string();
        for part in ["d cannot be checked", "lmdb-4", "lmdb-1, lmdb-3, mdbx-3", "`control`"] {
            assert!(reason.contains(part), "{reason}");
        }
    }
}
