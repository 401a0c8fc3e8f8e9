//! The options for backends from outside: folders and programs.

use std::path::{Path, PathBuf};
use std::str::FromStr;

use clap::Args;

use super::backend::{Backend, Engine, Origin};
use super::found::{Backends, FindError};
use super::manifest::check_id;

/// What a person brings.
#[derive(Debug, Clone, Default, Args)]
pub struct Brought {
    /// A crate outside this workspace that describes a backend in its manifest; may be given more than
    /// once
    #[arg(long, value_name = "DIR")]
    pub backend_dir: Vec<PathBuf>,
    /// A program in any language that speaks the protocol of the workers, and the id it says; may be
    /// given more than once
    #[arg(long, value_name = "ID=PROGRAM")]
    pub worker: Vec<Worker>,
    /// Which backend is raw FFI on the engine of the --worker [default: none, and so no overhead]
    #[arg(long, value_name = "[WORKER=]ID", requires = "worker")]
    pub control: Vec<String>,
}

/// A program and the id that it says.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Worker {
    id: String,
    program: PathBuf,
}

impl FromStr for Worker {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, Self::Err> {
        match text.split_once('=') {
            Some((id, program)) if !program.is_empty() => {
                check_id(id)?;
                Ok(Self { id: id.to_owned(), program: PathBuf::from(program) })
            }
            _ => Err(format!("`{text}` must be an id, `=` and the path of a program")),
        }
    }
}

impl Brought {
    /// The programs as backends, after all others in the tables; paths are seen from `root`.
    pub(super) fn programs(
        &self,
        root: &Path,
        others: &Backends,
    ) -> Result<Vec<Backend>, FindError> {
        let controls = self.controls()?;
        let mut found = Vec::new();
        for Worker { id, program } in &self.worker {
            let option = format!("--worker {id}={}", program.display());
            if let Ok(other) = others.find(id) {
                let reason = format!("the id `{id}` is taken by {}; choose another", other.home());
                return Err(FindError::Option(format!("{option}: {reason}")));
            }
            let path = root.join(program);
            if !path.is_file() {
                let reason = format!("there is no program {}", path.display());
                return Err(FindError::Option(format!("{option}: {reason}")));
            }
            let control = controls.iter().find(|(worker, _)| worker == id).map(|(_, it)| *it);
            let engine = match control {
                // Whatever it says, it must be the control's: else there is no overhead to take.
                Some(control) => {
                    let control = others.find(control);
                    control
                        .map_err(|it| FindError::Option(format!("--control: {it}")))?
                        .engine
                        .clone()
                }
                None => Engine::Any,
            };
            found.push(Backend {
                id: id.clone(),
                control: control.map(str::to_owned),
                engine,
                order: u32::MAX,
                colour: None,
                is_reference: false,
                counts_only: false,
                origin: Origin::Program(path),
                versions: std::collections::BTreeMap::new(),
            });
        }
        Ok(found)
    }

    fn controls(&self) -> Result<Vec<(&str, &str)>, FindError> {
        let of = |text| {
            let refused = |reason: &str| FindError::Option(format!("--control {text}: {reason}"));
            let (worker, control) = match (str::split_once(text, '='), &self.worker[..]) {
                (Some(named), _) => named,
                (None, [only]) => (only.id.as_str(), text),
                (None, _) => {
                    return Err(refused("with several --worker it must be WORKER=ID"));
                }
            };
            if self.worker.iter().any(|it| it.id == worker) {
                Ok((worker, control))
            } else {
                Err(refused(&format!("`{worker}` is no --worker")))
            }
        };
        self.control.iter().map(|text| of(text.as_str())).collect()
    }
}
