//! Where a bench gets backends and programs from.

use std::path::Path;
use std::sync::Arc;

use crate::backends::programs::{PROFILE, build_of, link_directory};
use crate::backends::{Backend, Backends, Brought, Kind, Origin, Programs};
use crate::cli::arguments::workspace_path;
use crate::links::{RunOrders, Store, drawn};

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
    pub(crate) fn backends(&self, brought: &Brought) -> anyhow::Result<Backends> {
        let root = root();
        let own = match self {
            Self::Workspace => Backends::of_workspace(&root)?,
            Self::Given { backends, .. } => backends.clone(),
        };
        own.with(brought, &root)
    }

    /// The programs `kinds` of those of `backends` that `is_wanted` admits, of the reference, and of who
    /// checks what they write.
    pub(crate) fn programs(
        &self,
        backends: &Backends,
        is_wanted: impl Fn(&Backend) -> bool,
        kinds: &[Kind],
    ) -> Programs {
        let root = root();
        match self {
            Self::Workspace => Programs::build(&root, backends, is_wanted, kinds),
            Self::Given { backends: given, programs } => {
                let mut brought = backends.needed(is_wanted);
                brought.retain(|one| given.find(&one.id).is_err());
                let built = Programs::build_these(PROFILE, &root, backends, &brought, kinds);
                built.or(programs.clone())
            }
        }
    }
}

/// Why a program that somebody brings has one link order.
const NOT_BUILT: &str =
    "its program is not built here, so that it cannot be linked in another order";

impl Supply {
    /// The link orders of a run: as many lanes of them for each backend as stand beside it, and at first as
    /// many for each as passes are `planned`.
    pub(crate) fn orders(
        &self,
        lanes: &[(Arc<Backend>, usize)],
        programs: &Programs,
        seed: u64,
        planned: usize,
    ) -> RunOrders {
        let root = root();
        let mut linked = Vec::new();
        let mut brought = Vec::new();
        for (backend, lanes) in lanes {
            match (&backend.origin, self) {
                (Origin::Package(package), Self::Workspace) => {
                    if programs.of(backend, Kind::Worker).is_ok() {
                        let build = build_of(&root, package);
                        linked.push((Arc::clone(backend), *lanes, drawn(build)));
                    }
                }
                _ => brought.push(backend),
            }
        }
        let fixed = RunOrders::fixed(brought, NOT_BUILT);
        if linked.is_empty() {
            return fixed;
        }
        let store = Store::open(&link_directory(&root));
        RunOrders::collect(store, &linked, seed, planned).and(fixed)
    }
}

/// The top of the workspace, without `..`, which reads better in messages.
pub fn root() -> std::path::PathBuf {
    let root = workspace_path(Path::new(""));
    root.canonicalize().unwrap_or(root)
}
