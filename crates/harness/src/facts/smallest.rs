//! The smallest program that writes through a crate, as a package of its own: written, compiled, run and
//! measured as its user would do it, with the versions that are locked here.

use std::ffi::OsStr;
use std::fmt::Write as _;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::time::{Duration, Instant};
use std::{env, fs};

use anyhow::{Context as _, ensure};

use crate::backends::metadata::{self, Dependency, Metadata};
use crate::facts::mistakes;
use crate::worker::child;
use records::facts::Build;

const NAME: &str = "smallest";
const LIMIT: Duration = Duration::from_secs(600);

/// A package in a directory of its own, and how long its builds took.
#[derive(Debug)]
pub struct Smallest {
    directory: PathBuf,
    writes: bool,
    seconds: Vec<f64>,
}

impl Smallest {
    /// Makes the package of `source` in `directory`: it depends on nothing but `version` of what
    /// `dependency` asks for, with the same features. `lock` is the lock file whose versions it gets.
    pub fn new(
        directory: PathBuf,
        dependency: Option<(&Dependency, &str)>,
        source: &str,
        lock: &Path,
    ) -> anyhow::Result<Self> {
        fs::create_dir_all(directory.join("src"))?;
        fs::write(directory.join("Cargo.toml"), manifest(dependency))?;
        fs::write(directory.join("src").join("main.rs"), source)?;
        fs::copy(lock, directory.join("Cargo.lock"))?;
        Ok(Self { directory, writes: dependency.is_some(), seconds: Vec::new() })
    }

    pub fn build(&mut self) -> anyhow::Result<()> {
        let target = self.directory.join("target");
        if target.exists() {
            fs::remove_dir_all(&target).with_context(|| target.display().to_string())?;
        }
        let mut command = cargo(&self.directory);
        command.args(["build", "--quiet", "--release", "--target-dir"]).arg(&target);
        let start = Instant::now();
        child::output(command, LIMIT)
            .with_context(|| format!("cargo build in {}", self.directory.display()))?;
        self.seconds.push(start.elapsed().as_secs_f64());
        Ok(())
    }

    /// The code of the compiler's error for the part `mistake` of `source`, a program with the same
    /// dependency; `None` where it compiles.
    pub fn refusal(
        &self,
        source: &str,
        profile: &str,
        mistake: &str,
    ) -> anyhow::Result<Option<String>> {
        const PROGRAM: &str = "mistakes";
        let programs = self.directory.join("src").join("bin");
        fs::create_dir_all(&programs)?;
        fs::write(programs.join(PROGRAM).with_extension("rs"), source)?;
        let mut command = cargo(&self.directory);
        command.args(["rustc", "--quiet", "--message-format=json", "--bin", PROGRAM]);
        command.args(["--profile", profile, "--", "--cfg"]).arg(format!("mistake=\"{mistake}\""));
        let output = command.output().context("cargo")?;
        let code = mistakes::code(&String::from_utf8_lossy(&output.stdout));
        let code =
            code.with_context(|| format!("mistake {mistake} of {}", self.directory.display()))?;
        let errors = || String::from_utf8_lossy(&output.stderr).into_owned();
        ensure!(output.status.success() == code.is_none(), "mistake {mistake}: {}", errors());
        Ok(code)
    }

    /// What cargo says of it, for this machine alone: other systems' crates are not compiled here.
    pub fn metadata(&self) -> anyhow::Result<Metadata> {
        read_metadata(&self.directory, &["--filter-platform", env!("HARNESS_TARGET")])
    }

    /// Runs it, which must write an environment if it has something to write with, and measures it.
    pub fn measure(self) -> anyhow::Result<Build> {
        let name = format!("{NAME}{}", env::consts::EXE_SUFFIX);
        let program = self.directory.join("target").join("release").join(name);
        let scratch = tempfile::tempdir().context("a directory for the program")?;
        let mut command = Command::new(&program);
        command.arg(scratch.path());
        child::output(command, LIMIT).with_context(|| program.display().to_string())?;
        let wrote = scratch.path().join("data.mdb").exists();
        ensure!(wrote == self.writes, "{}: it wrote an environment: {wrote}", program.display());
        let bytes = fs::metadata(&program).with_context(|| program.display().to_string())?.len();
        Ok(Build { seconds: self.seconds, bytes })
    }
}

fn manifest(dependency: Option<(&Dependency, &str)>) -> String {
    let mut text = format!(
        "[package]\nname = \"{NAME}\"\nversion = \"0.0.0\"\nedition = \"2021\"\n\n\
         [profile.release]\nstrip = true\n\n[workspace]\n"
    );
    if let Some((dependency, version)) = dependency {
        let Dependency { name, features, uses_default_features, .. } = dependency;
        // A list of texts looks the same in TOML.
        let _ = write!(
            text,
            "\n[dependencies]\nbinding = {{ package = \"{name}\", version = \"={version}\", \
             default-features = {uses_default_features}, features = {features:?} }}\n"
        );
    }
    text
}

/// Cargo in `directory`, as if its user had started it there, without a network.
fn cargo(directory: &Path) -> Command {
    let mut command = metadata::cargo();
    for (name, _) in env::vars_os().filter(|(name, _)| is_ours(name)) {
        command.env_remove(name);
    }
    // What stands between cargo and rustc takes time of its own; empty, these replace the configuration's.
    command.env("RUSTC_WRAPPER", "").env("RUSTC_WORKSPACE_WRAPPER", "");
    // What is compiled is what the crates ship, as everywhere here.
    command.env("LIBLMDB_NO_PKG_CONFIG", "1").current_dir(directory).arg("--offline");
    command
}

/// What cargo and compilers take from their environment that a user's program would not be built
/// with: cargo sets these for what it runs, and this workspace its alignment.
fn is_ours(name: &OsStr) -> bool {
    let name = name.to_string_lossy();
    let prefixes =
        ["CARGO", "RUSTFLAGS", "RUSTC", "RUSTDOC", "CFLAGS", "HOST_CFLAGS", "TARGET_CFLAGS"];
    prefixes.iter().any(|prefix| name.starts_with(prefix)) && name != "CARGO_HOME"
}

pub fn read_metadata(directory: &Path, more: &[&str]) -> anyhow::Result<Metadata> {
    let mut command = cargo(directory);
    command.args(["metadata", "--quiet", "--format-version", "1"]).args(more);
    let output = child::output(command, LIMIT);
    let output = output.with_context(|| format!("cargo metadata in {}", directory.display()))?;
    Ok(Metadata::read(&output)?)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::facts::subjects::EMPTY;

    fn package(source: &str) -> (tempfile::TempDir, Smallest) {
        let directory = tempfile::tempdir().unwrap();
        let lock = Path::new(concat!(env!("CARGO_MANIFEST_DIR"), "/../../Cargo.lock"));
        let package = Smallest::new(directory.path().to_owned(), None, source, lock).unwrap();
        (directory, package)
    }

    #[test]
    fn a_program_is_built_from_nothing_run_and_measured() {
        let (directory, mut package) = package(EMPTY);
        // As in the configuration of somebody who has such a program.
        fs::create_dir(directory.path().join(".cargo")).unwrap();
        let wrapped = "[build]\nrustc-wrapper = \"/no/such/wrapper\"\n";
        fs::write(directory.path().join(".cargo/config.toml"), wrapped).unwrap();
        package.build().unwrap();
        let left = directory.path().join("target").join("left");
        fs::write(&left, "").unwrap();
        package.build().unwrap();
        assert!(!left.exists(), "the second build was not from nothing");
        let Build { seconds, bytes } = package.measure().unwrap();
        assert!(seconds.len() == 2 && seconds.iter().all(|time| *time > 0.0), "{seconds:?}");
        let program = directory.path().join("target/release").join(NAME);
        assert_eq!(bytes, fs::metadata(program).unwrap().len());
    }

    #[test]
    fn a_program_that_does_not_do_its_work_is_an_error_with_the_reason() {
        let (_directory, mut wrong) = package("fn main() { nonsense }");
        let error = format!("{:#}", wrong.build().unwrap_err());
        assert!(error.contains("nonsense"), "{error}");
        let (_directory, mut idle) = package(EMPTY);
        idle.writes = true;
        idle.build().unwrap();
        let error = idle.measure().unwrap_err().to_string();
        assert!(error.ends_with("it wrote an environment: false"), "{error}");
    }
}
