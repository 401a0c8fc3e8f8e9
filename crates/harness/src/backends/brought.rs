//! The options for backends from outside: folders and programs.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::str::FromStr;

use anyhow::{Context as _, bail, ensure};
use clap::Args;
use write_backend::DataFormat;

use super::backend::{Backend, Engine, Origin};
use super::found::Backends;
use super::manifest::check_id;

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
    pub(super) fn programs(&self, root: &Path, others: &Backends) -> anyhow::Result<Vec<Backend>> {
        let controls = self.control.iter().map(|text| self.control_of(text));
        let controls: Vec<_> = controls.collect::<anyhow::Result<_>>()?;
        let backend = |Worker { id, program }: &Worker| {
            let option = format!("--worker {id}={}", program.display());
            if let Ok(other) = others.find(id) {
                bail!("{option}: the id `{id}` is taken by {}; choose another", other.home());
            }
            let path = root.join(program);
            ensure!(path.is_file(), "{option}: there is no program {}", path.display());
            let control = controls.iter().find(|(worker, _)| worker == id).map(|(_, it)| *it);
            let (engine, data_format) = match control {
                // Whatever it says, it must be the control's: else there is no overhead to take.
                Some(control) => {
                    let control = others.find(control).map_err(anyhow::Error::msg);
                    let control = control.context("--control")?;
                    (control.engine.clone(), control.data_format.clone())
                }
                None => (Engine::Any, DataFormat::default()),
            };
            Ok(Backend {
                id: id.clone(),
                control: control.map(str::to_owned),
                engine,
                data_format,
                order: u32::MAX,
                colour: None,
                is_reference: false,
                counts_only: false,
                origin: Origin::Program(path),
                versions: BTreeMap::new(),
            })
        };
        self.worker.iter().map(backend).collect()
    }

    /// A worker and its control, as `text` names them.
    fn control_of<'all>(&'all self, text: &'all str) -> anyhow::Result<(&'all str, &'all str)> {
        let (worker, control) = match (text.split_once('='), &self.worker[..]) {
            (Some(named), _) => named,
            (None, [only]) => (only.id.as_str(), text),
            (None, _) => bail!("--control {text}: with several --worker it must be WORKER=ID"),
        };
        let is_one = self.worker.iter().any(|it| it.id == worker);
        ensure!(is_one, "--control {text}: `{worker}` is no --worker");
        Ok((worker, control))
    }
}
