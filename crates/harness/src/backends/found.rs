//! All backends of a run together, checked against each other.

use std::path::Path;
use std::sync::Arc;
use std::time::Duration;

use anyhow::{Context as _, bail};
use serde::{Deserialize, Serialize};

use super::backend::Backend;
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
            found.push(manifest::of_package(&metadata(root, &manifest)?, &manifest)?);
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
        Ok(backends)
    }

    /// A control has a control's engine and none of its own: what is measured against it is the binding
    /// alone.
    fn check_control(&self, backend: &Backend) -> anyhow::Result<()> {
        let Some(control) = &backend.control else { return Ok(()) };
        let is_possible = |it: &&Arc<Backend>| {
            it.control.is_none() && it.stores() && !it.counts_only && it.engine == backend.engine
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
}
