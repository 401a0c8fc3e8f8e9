//! Collects all facts that a program can find out.

use std::path::{Path, PathBuf};
use std::time::{SystemTime, UNIX_EPOCH};

use anyhow::Context as _;
use tempfile::TempDir;

use crate::backends::Backends;
use crate::backends::metadata::{Metadata, Package};
use crate::facts::subjects::{EMPTY, Subject, subjects};
use crate::facts::{builds, index, program, unsafety};
use crate::machine::host;
use records::facts::schema::{Build, CrateFacts, Facts, PRODUCER, SCHEMA};

/// A program to build, and what came of it.
struct Project {
    directory: PathBuf,
    writes: bool,
    seconds: Vec<f64>,
}

/// Collects the facts about all subjects of the workspace at `top`; programs are built
/// `repetitions` times, in turn. `tell` is given a line now and then.
///
/// # Errors
/// When cargo cannot be run, a crate is not in the workspace, or a program does not compile.
pub fn collect(top: &Path, repetitions: usize, tell: impl Fn(&str)) -> anyhow::Result<Facts> {
    let started = SystemTime::now().duration_since(UNIX_EPOCH);
    let root = tempfile::tempdir().context("a directory for programs")?;
    let workspace = Metadata::read(&builds::read_metadata(top, &["--locked"])?)?;
    let lock = top.join("Cargo.lock");
    let mut projects = Vec::new();
    let subjects = subjects(&Backends::of_workspace(top)?)?;
    for subject in &subjects {
        let manifest = manifest(subject, &workspace)?;
        projects.push(Project::new(&root, &subject.name, &manifest, &subject.program, &lock)?);
    }
    projects.push(Project::new(&root, "empty", &program::manifest(None), EMPTY, &lock)?);
    for repetition in 1..=repetitions {
        for project in &mut projects {
            let name = project.directory.file_name().unwrap_or_default().to_string_lossy();
            tell(&format!("building {name}, {repetition} of {repetitions}"));
            project.seconds.push(builds::build(&project.directory)?.as_secs_f64());
        }
    }
    let empty = projects.pop().context("the empty program was there")?.finish()?;
    let crates = subjects.iter().zip(projects);
    let crates = crates.map(|(subject, project)| facts(subject, &workspace, project));
    Ok(Facts {
        schema: SCHEMA,
        producer: PRODUCER.to_owned(),
        started_unix: started.map_or(0, |since| since.as_secs()),
        host: host::observe(),
        empty,
        crates: crates.collect::<anyhow::Result<_>>()?,
    })
}

impl Project {
    fn new(
        root: &TempDir,
        name: &str,
        manifest: &str,
        source: &str,
        lock: &Path,
    ) -> anyhow::Result<Self> {
        let directory = root.path().join(name);
        program::write(&directory, manifest, source, lock)
            .with_context(|| directory.display().to_string())?;
        Ok(Self { directory, writes: manifest.contains("binding"), seconds: Vec::new() })
    }

    fn finish(self) -> anyhow::Result<Build> {
        let bytes = builds::size(&self.directory, self.writes)?;
        Ok(Build { seconds: self.seconds, bytes })
    }
}

/// The crate called `name` in the workspace.
fn package<'all>(workspace: &'all Metadata, name: &str) -> anyhow::Result<&'all Package> {
    let found = workspace.package(name);
    found.with_context(|| format!("{name} is not in the workspace, or in several versions"))
}

/// A package that uses the subject alone, with the features that its adapter asks for.
fn manifest(subject: &Subject, workspace: &Metadata) -> anyhow::Result<String> {
    let version = &package(workspace, &subject.name)?.version;
    let adapter = workspace.packages.iter().find(|it| it.id == subject.adapter);
    let adapter =
        adapter.with_context(|| format!("{} is not in the workspace", subject.adapter))?;
    let wanted = adapter.dependencies.iter().find(|it| it.name == subject.name);
    let wanted =
        wanted.with_context(|| format!("{} does not use {}", subject.adapter, subject.name))?;
    Ok(program::manifest(Some((wanted, version))))
}

fn facts(subject: &Subject, workspace: &Metadata, project: Project) -> anyhow::Result<CrateFacts> {
    let package = package(workspace, &subject.name)?;
    let engine = self::package(workspace, &subject.engine)?;
    let entries = index::entries(&subject.name);
    let this = entries.iter().find(|entry| entry.version == package.version);
    // For this machine alone: other systems' crates are not compiled here.
    let platform = ["--filter-platform", env!("HARNESS_TARGET")];
    let compiled = Metadata::read(&builds::read_metadata(&project.directory, &platform)?)?;
    Ok(CrateFacts {
        backend: subject.backend.clone(),
        name: subject.name.clone(),
        version: package.version.clone(),
        engine_crate: engine.name.clone(),
        engine_crate_version: engine.version.clone(),
        engine_version: subject.engine_version.clone(),
        licence: package.license.clone(),
        repository: package.repository.clone(),
        edition: package.edition.clone(),
        rust_version: package.rust_version.clone(),
        dependencies: dependencies(&compiled, &subject.name),
        released: this.and_then(index::Entry::day),
        newest: index::newest(&entries),
        unsafe_in_program: unsafety::blocks(&subject.program)?,
        unsafe_in_adapter: unsafety::blocks_in(&subject.source)?,
        build: project.finish()?,
    })
}

/// Everything else that is compiled for the crate called `name`, as `name version`.
fn dependencies(metadata: &Metadata, name: &str) -> Vec<String> {
    let Some(package) = metadata.package(name) else { return Vec::new() };
    let compiled = metadata.compiled_for(&package.id);
    let mut names: Vec<String> =
        compiled.iter().map(|it| format!("{} {}", it.name, it.version)).collect();
    names.sort();
    names
}
