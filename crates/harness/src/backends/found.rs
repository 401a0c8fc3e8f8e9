//! All backends of a run together, checked against each other.

use std::path::{Path, PathBuf};
use std::process::Command;
use std::sync::Arc;
use std::time::Duration;

use serde::{Deserialize, Serialize};

use super::backend::Backend;
use super::brought::Brought;
use super::manifest;
use super::metadata::{Metadata, cargo};
use crate::worker::child;

/// Longer than cargo takes to read manifests, also where it must ask the network.
const LIMIT: Duration = Duration::from_secs(300);

/// Why there is no set of backends.
#[derive(Debug, thiserror::Error)]
pub enum FindError {
    /// Cargo cannot read a manifest.
    #[error("{}: cargo cannot read it: {said}", manifest.display())]
    Cargo {
        /// The manifest.
        manifest: PathBuf,
        /// Cargo's words.
        said: String,
    },
    /// A folder does not describe a backend as it must.
    #[error("{}: {reason}", folder.display())]
    Manifest {
        /// The folder.
        folder: PathBuf,
        /// What is wrong, and what is allowed.
        reason: String,
    },
    /// Two backends have one id.
    #[error("{first} and {second} both have the id `{id}`: each backend needs one of its own")]
    Twice {
        /// The id.
        id: String,
        first: String,
        /// The other.
        second: String,
    },
    /// A control is none.
    #[error("{home}: `{control}` cannot be the control of {id}: {reason}")]
    Control {
        /// The backend's folder or program.
        home: String,
        id: String,
        /// What it names.
        control: String,
        /// Why not, and what could be.
        reason: String,
    },
    /// Not exactly one backend says that it is the reference.
    #[error("exactly one backend must say `reference = true`, found: {found}")]
    Reference {
        /// Those that do.
        found: String,
    },
    /// An option is not as it must be.
    #[error("{0}")]
    Option(String),
}

#[derive(Debug, Clone, Serialize, Deserialize)]
pub struct Backends {
    all: Vec<Arc<Backend>>,
}

impl Backends {
    /// Those of the workspace at `root`.
    pub fn of_workspace(root: &Path) -> Result<Self, FindError> {
        // Cargo names manifests by their real paths.
        let root = root.canonicalize().unwrap_or_else(|_| root.to_owned());
        let found = manifest::of_workspace(&metadata(&root, &root.join("Cargo.toml"))?, &root)?;
        Self::new(found)
    }

    /// These and what `brought` names; folders are seen from `root`.
    pub fn with(&self, brought: &Brought, root: &Path) -> Result<Self, FindError> {
        let mut found: Vec<Backend> = self.all.iter().map(|it| (**it).clone()).collect();
        for folder in &brought.backend_dir {
            let manifest = root.join(folder).join("Cargo.toml");
            let manifest = manifest.canonicalize().map_err(|error| {
                FindError::Option(format!("--backend-dir {}: {error}", manifest.display()))
            })?;
            found.push(manifest::of_package(&metadata(root, &manifest)?, &manifest)?);
        }
        found.extend(brought.programs(root, self)?);
        Self::new(found)
    }

    /// A checked set.
    pub fn new(mut found: Vec<Backend>) -> Result<Self, FindError> {
        found.sort_by(|a, b| (a.order, &a.id).cmp(&(b.order, &b.id)));
        let backends = Self { all: found.into_iter().map(Arc::new).collect() };
        for (index, backend) in backends.all.iter().enumerate() {
            if let Some(other) = backends.all[..index].iter().find(|it| it.id == backend.id) {
                let [first, second] = [other, backend].map(|it| it.home());
                return Err(FindError::Twice { id: backend.id.clone(), first, second });
            }
            backends.check_control(backend)?;
        }
        let references = backends.all.iter().filter(|it| it.is_reference);
        let references: Vec<&str> = references.map(|it| it.id.as_str()).collect();
        match references[..] {
            [_] => Ok(backends),
            [] => Err(FindError::Reference { found: "none".to_owned() }),
            _ => Err(FindError::Reference { found: references.join(", ") }),
        }
    }

    /// A control has a control's engine and none of its own: what is measured against it is the binding
    /// alone.
    fn check_control(&self, backend: &Backend) -> Result<(), FindError> {
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
        Err(FindError::Control {
            home: backend.home(),
            id: backend.id.clone(),
            control: control.clone(),
            reason,
        })
    }

    pub fn all(&self) -> impl Iterator<Item = &Arc<Backend>> {
        self.all.iter()
    }

    /// Those that times are taken of: all but what is only counted.
    pub fn timed(&self) -> impl Iterator<Item = &Arc<Backend>> {
        self.all.iter().filter(|it| !it.counts_only)
    }

    /// The one that all others are compared with.
    pub fn reference(&self) -> &Arc<Backend> {
        let found = self.all.iter().find(|it| it.is_reference);
        found.expect("a set without a reference is refused when it is made")
    }

    pub fn find(&self, id: &str) -> Result<&Arc<Backend>, String> {
        self.all.iter().find(|backend| backend.id == id).ok_or_else(|| {
            let ids: Vec<&str> = self.all.iter().map(|backend| backend.id.as_str()).collect();
            format!("unknown backend `{id}`: it must be one of {}", ids.join(", "))
        })
    }

    /// Who checks the environments that `backend` leaves when it is killed: raw FFI on the same engine.
    pub fn checker_of<'all>(&'all self, backend: &'all Arc<Backend>) -> &'all Arc<Backend> {
        let control = backend.control.as_deref().and_then(|id| self.find(id).ok());
        control.unwrap_or(backend)
    }

    /// Why `backend` has no overhead, where that is not plain: it is neither a control nor without an
    /// engine.
    pub fn why_no_overhead(&self, backend: &Backend) -> Option<String> {
        let is_control = self.all.iter().any(|it| it.control.as_ref() == Some(&backend.id))
            || backend.is_reference;
        let is_plain = backend.control.is_some() || !backend.stores() || is_control;
        (!is_plain && !backend.counts_only)
            .then(|| "no control here has its engine: see the ratio".to_owned())
    }
}

/// What cargo says of the package or workspace with the manifest `manifest`, with the settings of the
/// workspace at `root`.
fn metadata(root: &Path, manifest: &Path) -> Result<Metadata, FindError> {
    let failed = |said: String| FindError::Cargo { manifest: manifest.to_owned(), said };
    let mut command: Command = cargo();
    command.args(["metadata", "--quiet", "--format-version", "1", "--manifest-path"]);
    command.arg(manifest).current_dir(root);
    let output = child::output(command, LIMIT).map_err(|it| failed(it.to_string()))?;
    Metadata::read(&output).map_err(|error| failed(error.to_string()))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::backends::testing::{backend, backends};

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
    fn a_backend_whose_engine_has_no_control_says_why_it_has_no_overhead() {
        let backends = backends();
        for backend in backends.all() {
            assert_eq!(backends.why_no_overhead(backend), None, "{}", backend.id);
        }
        let stranger = backend("stranger", None, Some("1.0.2"));
        assert!(backends.why_no_overhead(&stranger).unwrap().contains("no control"));
    }
}
