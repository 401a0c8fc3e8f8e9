//! The programs that facts are taken from, built as a user builds them.

use std::path::Path;

use harness::backends::Backends;
use harness::backends::metadata::Metadata;
use harness::facts::{builds, program, subjects, unsafety};
use tempfile::TempDir;

fn top() -> &'static Path {
    Path::new(concat!(env!("CARGO_MANIFEST_DIR"), "/../.."))
}

/// The program of `source` without dependencies.
fn package(source: &str) -> TempDir {
    let directory = tempfile::tempdir().unwrap();
    let lock = top().join("Cargo.lock");
    program::write(directory.path(), &program::manifest(None), source, &lock).unwrap();
    directory
}

#[test]
fn a_program_is_built_run_and_measured() {
    let directory = package(subjects::EMPTY);
    assert!(!builds::build(directory.path()).unwrap().is_zero());
    let bytes = builds::size(directory.path(), false).unwrap();
    assert_eq!(bytes, std::fs::metadata(builds::built(directory.path())).unwrap().len());
    let refused = builds::size(directory.path(), true).unwrap_err().to_string();
    assert!(refused.contains("an environment: false, wanted: true"), "{refused}");
    // From nothing: what is left of the last build is gone.
    let left = directory.path().join("target").join("left");
    std::fs::write(&left, "").unwrap();
    builds::build(directory.path()).unwrap();
    assert!(!left.exists());
}

#[test]
fn a_program_that_does_not_compile_is_an_error_with_the_compilers_words() {
    let directory = package("fn main() { nonsense }");
    let error = format!("{:#}", builds::build(directory.path()).unwrap_err());
    assert!(error.contains("nonsense"), "{error}");
}

#[test]
fn every_subject_is_in_the_workspace_as_its_adapter_asks_for_it() {
    let metadata = Metadata::read(&builds::read_metadata(top(), &["--locked"]).unwrap()).unwrap();
    for subject in subjects::subjects(&Backends::of_workspace(top()).unwrap()).unwrap() {
        let adapter = metadata.packages.iter().find(|it| it.id == subject.adapter).unwrap();
        assert!(adapter.dependencies.iter().any(|it| it.name == subject.name), "{}", subject.name);
        let compiled = metadata.compiled_for(&metadata.package(&subject.name).unwrap().id);
        let brings = compiled.iter().any(|it| it.name == subject.engine);
        assert_eq!(brings, subject.engine != subject.name, "{}: {compiled:?}", subject.name);
        assert!(unsafety::blocks(&subject.program).is_ok(), "{}", subject.name);
    }
}
