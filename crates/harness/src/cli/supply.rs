//! Where a bench gets backends and programs from.

use std::path::Path;

use crate::backends::{Backend, Backends, Brought, Kind, Programs};
use crate::cli::arguments::workspace_path;

/// Where a bench gets backends and programs from.
#[derive(Debug, Clone)]
pub enum Supply {
    /// From this workspace, built by cargo.
    Workspace,
    /// From whoever runs the bench: tests build programs once, and put misbehaving ones in their place.
    Given {
        /// The backends.
        backends: Backends,
        /// Their programs.
        programs: Programs,
    },
}

impl Supply {
    /// The backends there are, with those that were `brought`.
    pub fn backends(&self, brought: &Brought) -> anyhow::Result<Backends> {
        let root = root();
        let own = match self {
            Self::Workspace => Backends::of_workspace(&root)?,
            Self::Given { backends, .. } => backends.clone(),
        };
        Ok(own.with(brought, &root)?)
    }

    /// The programs `kinds` of those of `backends` that `is_wanted` admits, and of the reference.
    pub fn programs(
        &self,
        backends: &Backends,
        is_wanted: impl Fn(&Backend) -> bool,
        kinds: &[Kind],
    ) -> Programs {
        let root = root();
        match self {
            Self::Workspace => Programs::build(&root, backends, is_wanted, kinds),
            Self::Given { backends: given, programs } => {
                let is_new =
                    |backend: &Backend| given.find(&backend.id).is_err() && is_wanted(backend);
                let brought =
                    backends.all().filter(|backend| is_new(backend)).cloned().collect::<Vec<_>>();
                programs.clone().or(Programs::build_these(
                    &root,
                    backends.reference(),
                    &brought,
                    kinds,
                ))
            }
        }
    }
}

/// The top of the workspace, without `..`, which reads better in messages.
fn root() -> std::path::PathBuf {
    let root = workspace_path(Path::new(""));
    root.canonicalize().unwrap_or(root)
}
