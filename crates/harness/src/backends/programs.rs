//! The programs of backends: built by cargo in the profile that this program was built in, and found
//! where cargo says that they are.

use std::collections::HashMap;
use std::io::{BufRead as _, BufReader};
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::sync::Arc;

use serde::{Deserialize, Serialize};
use serde_json::Value;
use write_backend::protocol::Hello;

use super::backend::{Backend, Origin, Package};
use super::found::Backends;
use super::metadata::cargo;
use crate::cli::output::note;
use crate::links::Build;
use crate::worker::Failure;

/// The profile in which this program was built.
pub(crate) const PROFILE: &str = env!("HARNESS_PROFILE");
/// Below the workspace's target directory: what is built of packages that lie outside.
const OUTSIDE: &str = "outside";
/// The flags that the workspace's cargo configuration sets for C compilers. Cargo hands them to what it
/// runs; given back to it they would count as a user's own, and everything would be compiled anew.
pub(crate) const OWN_FLAGS: [(&str, &str); 3] = [
    ("CFLAGS", "-falign-functions=64"),
    ("CFLAGS_x86_64_unknown_linux_gnu", "-falign-functions=64 -frecord-gcc-switches"),
    ("CFLAGS_aarch64_unknown_linux_gnu", "-falign-functions=64 -frecord-gcc-switches"),
];

/// Which program of a backend.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub enum Kind {
    /// The one whose time is taken.
    Worker,
    /// The one that shows allocations and behaviour.
    Witness,
}

/// Programs that are there, and reasons why others are not.
#[derive(Debug, Clone, Serialize, Deserialize)]
pub struct Programs {
    backends: Backends,
    found: HashMap<String, Result<PathBuf, String>>,
}

impl Programs {
    /// Builds the programs `kinds` of those of `backends` that `is_wanted` admits, of the reference, and
    /// of who checks what they write, with the settings of the workspace at `root`. What does not build is
    /// no error: its backend's cases fail with the reason.
    #[must_use]
    pub fn build(
        root: &Path,
        backends: &Backends,
        is_wanted: impl Fn(&Backend) -> bool,
        kinds: &[Kind],
    ) -> Self {
        Self::build_these(PROFILE, root, backends, &backends.needed(is_wanted), kinds)
    }

    /// The same for these backends alone, in `profile`.
    pub(crate) fn build_these(
        profile: &str,
        root: &Path,
        backends: &Backends,
        wanted_backends: &[Arc<Backend>],
        kinds: &[Kind],
    ) -> Self {
        let mut programs = Self { backends: backends.clone(), found: HashMap::new() };
        let mut inside = Vec::new();
        for backend in wanted_backends {
            // What somebody brings as a program is there.
            let Origin::Package(package) = &backend.origin else { continue };
            let wanted = kinds
                .iter()
                .filter_map(|kind| Some((&**backend, package, *kind, package.program(*kind)?)));
            if package.is_outside {
                let outside = ["--manifest-path".into(), package.manifest.clone().into()];
                let target = built_outside(root, package);
                let more = [outside, ["--target-dir".into(), target.into()]].concat();
                programs.add(command(root, profile), &wanted.collect::<Vec<_>>(), &more);
            } else {
                inside.extend(wanted);
            }
        }
        programs.add(command(root, profile), &inside, &[]);
        programs
    }

    /// The backend whose worker checks what `backend` writes, by its folder or by what its worker said;
    /// `None` where it stores nothing.
    pub(crate) fn verifier(
        &self,
        backend: &Backend,
        hello: Option<&Hello>,
    ) -> Result<Option<Arc<Backend>>, Failure> {
        if !backend.stores() {
            return Ok(None);
        }
        let said = hello.and_then(|hello| hello.data_format.as_ref());
        let format = said.unwrap_or(&backend.data_format);
        let found = self.backends.verifier(format, backend.engine_version());
        found.cloned().map(Some).map_err(Failure::verification)
    }

    /// These programs, and `other` where these have none.
    pub(crate) fn or(mut self, other: Self) -> Self {
        for (key, program) in other.found {
            self.found.entry(key).or_insert(program);
        }
        self
    }

    /// The program `kind` of `backend`.
    ///
    /// # Errors
    /// Why it is not there.
    pub fn of<'all>(&'all self, backend: &'all Backend, kind: Kind) -> Result<&'all Path, Failure> {
        if let (Origin::Program(path), Kind::Worker) = (&backend.origin, kind) {
            return Ok(path);
        }
        match self.found.get(&key(&backend.id, kind)) {
            Some(Ok(path)) => Ok(path),
            Some(Err(reason)) => Err(Failure::Failed(reason.clone())),
            None => Err(Failure::Failed(format!("{} has no such program", backend.home()))),
        }
    }

    /// The same programs with `path` for a program of the backend `id`: tests put a misbehaving one in
    /// its place.
    #[must_use]
    pub fn with(mut self, id: &str, kind: Kind, path: &Path) -> Self {
        self.found.insert(key(id, kind), Ok(path.to_owned()));
        self
    }

    /// Lets cargo build `wanted` with `command` and the arguments `more`.
    fn add(&mut self, mut command: Command, wanted: &[Wanted<'_>], more: &[std::ffi::OsString]) {
        if wanted.is_empty() {
            return;
        }
        command.args(more);
        for (_, package, _, name) in wanted {
            command.args(["--package", &package.id, "--bin", name]);
        }
        let built = build(command).unwrap_or_else(|error| Built {
            reason: Some(format!("cargo cannot be run: {error}")),
            ..Built::default()
        });
        for (backend, package, kind, name) in wanted {
            let path = built.programs.get(&(package.id.clone(), (*name).to_owned()));
            let reason = || {
                let own = built.errors.get(&package.id);
                let reason = own.or(built.reason.as_ref()).map_or("", String::as_str);
                format!("its program {name} does not build: {reason}")
            };
            self.found.insert(key(&backend.id, *kind), path.cloned().ok_or_else(reason));
        }
    }
}

fn key(id: &str, kind: Kind) -> String {
    format!("{id} {kind:?}")
}

type Wanted<'all> = (&'all Backend, &'all Package, Kind, &'all str);

/// Cargo at work in `profile` for the workspace at `root`, whose configuration it so finds.
fn command(root: &Path, profile: &str) -> Command {
    let mut command = cargo();
    command.current_dir(root).args(["build", "--keep-going", "--message-format=json"]);
    command.args(["--profile", profile]);
    for (name, own) in OWN_FLAGS {
        if std::env::var_os(name).is_some_and(|value| value == own) {
            command.env_remove(name);
        }
    }
    command
}

/// How the worker in `package` is built in the workspace at `root`, for links of it.
pub fn build_of(root: &Path, package: &Package) -> Build {
    let mut target_directory = target_directory(root);
    let mut cargo = Vec::new();
    if package.is_outside {
        target_directory = built_outside(root, package);
        cargo = vec!["--manifest-path".to_owned(), package.manifest.display().to_string()];
    }
    let is_own = |(name, own): &(&str, &str)| std::env::var_os(name).is_some_and(|it| it == *own);
    let own = OWN_FLAGS.into_iter().filter(is_own);
    Build {
        directory: root.to_owned(),
        package: package.id.clone(),
        binary: package.worker.clone(),
        profile: PROFILE.to_owned(),
        target_directory,
        cargo,
        rustc: Vec::new(),
        environment: own.map(|(name, _)| (name.to_owned(), None)).collect(),
    }
}

pub fn link_directory(root: &Path) -> PathBuf {
    target_directory(root).join("link-orders")
}

/// Where `package`, which lies outside, is built. Cargo puts the path into lists with colons.
fn built_outside(root: &Path, package: &Package) -> PathBuf {
    target_directory(root).join(OUTSIDE).join(package.first.replace(':', "-"))
}

fn target_directory(root: &Path) -> PathBuf {
    match std::env::var_os("CARGO_TARGET_DIR") {
        Some(target) => root.join(target),
        None => root.join("target"),
    }
}

#[derive(Debug, Default)]
struct Built {
    programs: HashMap<(String, String), PathBuf>,
    errors: HashMap<String, String>,
    reason: Option<String>,
}

/// Runs `command`; what compilers say is said again on standard error, as cargo's own words are.
fn build(mut command: Command) -> std::io::Result<Built> {
    let mut child = command.stdin(Stdio::null()).stdout(Stdio::piped()).spawn()?;
    let mut built = Built::default();
    if let Some(output) = child.stdout.take() {
        for line in BufReader::new(output).lines() {
            built.hear(&line?);
        }
    }
    if !child.wait()?.success() {
        let first = built.errors.values().next().cloned();
        built.reason = Some(first.unwrap_or_else(|| "see what cargo says".to_owned()));
    }
    Ok(built)
}

impl Built {
    fn hear(&mut self, line: &str) {
        // What a build script prints is no JSON.
        let Ok(line) = serde_json::from_str::<Value>(line) else { return };
        let text = |path: &str| line.pointer(path).and_then(Value::as_str);
        let Some(package) = text("/package_id") else { return };
        if let (Some(name), Some(path)) = (text("/target/name"), text("/executable")) {
            self.programs.insert((package.to_owned(), name.to_owned()), path.into());
        }
        note(text("/message/rendered").unwrap_or_default());
        if text("/message/level") == Some("error") {
            let error = text("/message/message").unwrap_or_default().to_owned();
            self.errors.entry(package.to_owned()).or_insert(error);
        }
    }
}
