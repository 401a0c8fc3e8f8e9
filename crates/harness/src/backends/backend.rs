//! A row of the tables, as its folder or the command line describes it.

use std::collections::BTreeMap;
use std::path::PathBuf;

use serde::{Deserialize, Serialize};
use write_backend::DataFormat;
use write_backend::protocol::Hello;

use super::programs::Kind;

/// A backend: everything about it that the harness must know before its worker speaks.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Backend {
    pub id: String,
    /// The backend that its overhead is measured against: raw FFI on the same engine. `None` where
    /// there is nothing to compare: a control itself, a backend without an engine, or one whose engine
    /// has no control here.
    pub control: Option<String>,
    pub engine: Engine,
    /// The format of what it writes; of an engine that is [`Engine::Any`] its worker may say another.
    pub data_format: DataFormat,
    /// Its place in tables; equal ones are sorted by id.
    pub order: u32,
    /// Its colour in pictures, `#rrggbb`.
    pub colour: Option<String>,
    /// All others are compared with it, and its worker checks what those of its data format wrote.
    pub is_reference: bool,
    /// It takes part where things are counted, and nowhere else.
    pub counts_only: bool,
    pub origin: Origin,
    /// The version of each crate that its programs are made of, of which there is one version only.
    pub versions: BTreeMap<String, String>,
}

#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub enum Engine {
    /// None: it stores nothing.
    None,
    /// The LMDB that states this version.
    Version(String),
    /// Whatever it states: nobody has said what to expect.
    Any,
}

#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub enum Origin {
    Package(Package),
    Program(PathBuf),
}

#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Package {
    pub id: String,
    /// The id of its first backend, which names the directory for what is built of it outside.
    pub first: String,
    pub manifest: PathBuf,
    pub worker: String,
    pub witness: Option<String>,
    pub is_outside: bool,
}

impl Package {
    pub fn program(&self, kind: Kind) -> Option<&str> {
        match kind {
            Kind::Worker => Some(&self.worker),
            Kind::Witness => self.witness.as_deref(),
        }
    }
}

impl Backend {
    /// Whether it writes anything that can be looked at.
    pub fn stores(&self) -> bool {
        self.engine != Engine::None
    }

    /// The version that its engine is expected to state.
    pub fn engine_version(&self) -> Option<&str> {
        match &self.engine {
            Engine::Version(version) => Some(version),
            Engine::None | Engine::Any => None,
        }
    }

    /// What its worker said, with its data format and the versions of the crates that it names without
    /// one: cargo knows them, a program that cargo has built does not.
    pub fn stated(&self, mut hello: Hello) -> Hello {
        for named in [&mut hello.binding, &mut hello.engine_crate].into_iter().flatten() {
            named.version =
                named.version.take().or_else(|| self.versions.get(&named.name).cloned());
        }
        hello.data_format.get_or_insert_with(|| self.data_format.clone());
        hello
    }

    /// Whether somebody brings it from outside this workspace.
    pub fn is_brought(&self) -> bool {
        match &self.origin {
            Origin::Package(package) => package.is_outside,
            Origin::Program(_) => true,
        }
    }

    /// Whether it has a program that shows allocations and behaviour.
    pub fn has_witness(&self) -> bool {
        matches!(&self.origin, Origin::Package(package) if package.witness.is_some())
    }

    /// The folder or program that it comes from, for messages.
    pub fn home(&self) -> String {
        match &self.origin {
            Origin::Package(package) => {
                package.manifest.parent().unwrap_or(&package.manifest).display().to_string()
            }
            Origin::Program(program) => program.display().to_string(),
        }
    }
}
