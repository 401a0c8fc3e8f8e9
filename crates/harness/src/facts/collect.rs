//! Collects all facts that a program can find out.

use std::path::Path;
use std::time::{SystemTime, UNIX_EPOCH};

use anyhow::{Context as _, ensure};

use crate::backends::Backends;
use crate::backends::metadata::{Dependency, Metadata, Package};
use crate::facts::smallest::{Smallest, read_metadata};
use crate::facts::subjects::{EMPTY, Subject, subjects};
use crate::facts::{index, mistakes, unsafety};
use crate::machine::root::Root;
use crate::machine::{host, settings};
use records::facts::{CrateFacts, Facts, PRODUCER, Refusal, SCHEMA};

/// Collects the facts about all subjects of the workspace at `top`; programs are built
/// `repetitions` times, in turn. `tell` is given a line now and then.
pub fn collect(top: &Path, repetitions: usize, tell: impl Fn(&str)) -> anyhow::Result<Facts> {
    let started = SystemTime::now().duration_since(UNIX_EPOCH);
    let root = Root::new(&std::env::temp_dir()).context("a directory for programs")?;
    let is_switched_off = |it: &String| it.contains("-wrapper = ");
    let mut foreign = settings::configuration(root.path(), "release");
    foreign.retain(|it| !is_switched_off(it));
    ensure!(
        foreign.is_empty(),
        "cargo is configured to build otherwise than it does by itself: {}",
        foreign.join("; ")
    );
    let workspace = read_metadata(top, &["--locked"])?;
    let lock = top.join("Cargo.lock");
    let subjects = subjects(&Backends::of_workspace(top)?)?;
    let mut programs = Vec::new();
    for subject in &subjects {
        let version = &package(&workspace, &subject.name)?.version;
        let asked_for = Some((asked_for(subject, &workspace)?, version.as_str()));
        let directory = root.path().join(&subject.name);
        let program = Smallest::new(directory, asked_for, &subject.program, &lock)?;
        programs.push((subject.name.as_str(), program));
    }
    let empty = Smallest::new(root.path().join("empty"), None, EMPTY, &lock)?;
    programs.push(("empty", empty));
    for repetition in 1..=repetitions {
        for (name, program) in &mut programs {
            tell(&format!("building {name}, {repetition} of {repetitions}"));
            program.build()?;
        }
    }
    let (_, empty) = programs.pop().context("the empty program was there")?;
    let crates = subjects.iter().zip(programs);
    let crates = crates.map(|(subject, (_, program))| facts(subject, &workspace, program));
    Ok(Facts {
        schema: SCHEMA,
        producer: PRODUCER.to_owned(),
        started_unix: started.map_or(0, |since| since.as_secs()),
        host: host::observe(),
        empty: empty.measure()?,
        crates: crates.collect::<anyhow::Result<_>>()?,
    })
}

fn package<'all>(workspace: &'all Metadata, name: &str) -> anyhow::Result<&'all Package> {
    let found = workspace.package(name);
    found.with_context(|| format!("{name} is not in the workspace, or in several versions"))
}

fn asked_for<'all>(
    subject: &Subject,
    workspace: &'all Metadata,
) -> anyhow::Result<&'all Dependency> {
    let adapter = workspace.packages.iter().find(|package| package.id == subject.adapter);
    let adapter =
        adapter.with_context(|| format!("{} is not in the workspace", subject.adapter))?;
    let found = adapter.dependencies.iter().find(|asked| asked.name == subject.name);
    found.with_context(|| format!("{} does not use {}", subject.adapter, subject.name))
}

fn facts(subject: &Subject, workspace: &Metadata, program: Smallest) -> anyhow::Result<CrateFacts> {
    let package = package(workspace, &subject.name)?;
    let engine = self::package(workspace, &subject.engine)?;
    let entries = index::entries(&subject.name);
    let this = entries.iter().find(|entry| entry.version == package.version);
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
        dependencies: dependencies(&program.metadata()?, &subject.name),
        released: this.and_then(index::Entry::day),
        newest: index::newest(&entries),
        unsafe_in_program: unsafety::blocks(&subject.program)?,
        unsafe_in_adapter: subject
            .sources
            .iter()
            .map(|path| unsafety::blocks_in(path))
            .sum::<anyhow::Result<_>>()?,
        compiler: compiler(subject, &program, "release")?,
        build: program.measure()?,
    })
}

/// What the compiler says to the mistakes of `subject`, which must be what its folder declares.
fn compiler(subject: &Subject, program: &Smallest, profile: &str) -> anyhow::Result<Vec<Refusal>> {
    let Some(source) = &subject.mistakes else { return Ok(Vec::new()) };
    let declared = mistakes::declared(source).with_context(|| subject.backend.clone())?;
    let mut found = declared.clone();
    for one in &mut found {
        one.error = program.refusal(source, profile, &one.mistake)?;
    }
    ensure!(found == declared, "{}: {found:?}\nis declared as {declared:?}", subject.backend);
    Ok(declared)
}

/// Everything else that is compiled for the crate called `name`, as `name version`.
fn dependencies(metadata: &Metadata, name: &str) -> Vec<String> {
    let Some(package) = metadata.package(name) else { return Vec::new() };
    let compiled = metadata.compiled_for(&package.id);
    let mut names: Vec<String> =
        compiled.iter().map(|one| format!("{} {}", one.name, one.version)).collect();
    names.sort();
    names
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_subject_is_in_the_workspace_as_its_adapter_asks_for_it() {
        let top = Path::new(concat!(env!("CARGO_MANIFEST_DIR"), "/../.."));
        let metadata = read_metadata(top, &["--locked"]).unwrap();
        for subject in subjects(&Backends::of_workspace(top).unwrap()).unwrap() {
            assert!(asked_for(&subject, &metadata).is_ok(), "{}", subject.name);
            let compiled = metadata.compiled_for(&package(&metadata, &subject.name).unwrap().id);
            let brings = compiled.iter().any(|package| package.name == subject.engine);
            assert_eq!(brings, subject.engine != subject.name, "{}: {compiled:?}", subject.name);
            assert!(unsafety::blocks(&subject.program).is_ok(), "{}", subject.name);
        }
    }

    #[test]
    fn what_the_compiler_refuses_is_what_is_declared() {
        let top = Path::new(concat!(env!("CARGO_MANIFEST_DIR"), "/../.."));
        let workspace = read_metadata(top, &["--locked"]).unwrap();
        let subjects = subjects(&Backends::of_workspace(top).unwrap()).unwrap();
        let directory = tempfile::tempdir().unwrap();
        let mut wrong = Vec::new();
        for subject in subjects.iter().filter(|it| it.mistakes.is_some()) {
            let version = package(&workspace, &subject.name).unwrap().version.as_str();
            let asked_for = Some((asked_for(subject, &workspace).unwrap(), version));
            let home = directory.path().join(&subject.name);
            let lock = top.join("Cargo.lock");
            let program = Smallest::new(home, asked_for, &subject.program, &lock).unwrap();
            wrong
                .extend(compiler(subject, &program, "dev").err().map(|error| format!("{error:#}")));
        }
        assert!(wrong.is_empty(), "{}", wrong.join("\n"));
    }
}
