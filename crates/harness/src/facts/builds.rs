//! Runs cargo for facts: what it says of a package, how long a package takes to compile, and what
//! comes out.

use std::ffi::OsStr;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::time::{Duration, Instant};
use std::{env, fs};

use anyhow::{Context as _, ensure};

use crate::backends::metadata as installed;
use crate::facts::program;
use crate::worker::process;

/// The longest that a build or a program may take.
const LIMIT: Duration = Duration::from_secs(600);

/// What cargo and compilers take from their environment that a user's program would not be built
/// with: cargo sets these for what it runs, and this workspace its alignment.
fn is_ours(name: &OsStr) -> bool {
    let name = name.to_string_lossy();
    let prefixes =
        ["CARGO", "RUSTFLAGS", "RUSTC", "RUSTDOC", "CFLAGS", "HOST_CFLAGS", "TARGET_CFLAGS"];
    prefixes.iter().any(|prefix| name.starts_with(prefix)) && name != "CARGO_HOME"
}

/// Cargo in `directory`, as if its user had started it there, without a network.
#[must_use]
pub fn cargo(directory: &Path) -> Command {
    let mut command = installed::cargo();
    for (name, _) in env::vars_os().filter(|(name, _)| is_ours(name)) {
        command.env_remove(name);
    }
    // What is compiled is what the crates ship, as everywhere here.
    command.env("LIBLMDB_NO_PKG_CONFIG", "1").current_dir(directory).arg("--offline");
    command
}

/// The output of `cargo metadata` in `directory`.
///
/// # Errors
/// When cargo cannot be run or refuses.
pub fn read_metadata(directory: &Path, more: &[&str]) -> anyhow::Result<Vec<u8>> {
    let mut command = cargo(directory);
    command.args(["metadata", "--quiet", "--format-version", "1"]).args(more);
    let output = process::output(command, Vec::new(), LIMIT);
    output.with_context(|| format!("cargo metadata in {}", directory.display()))
}

/// Compiles the package in `directory` from nothing and says how long that took.
///
/// # Errors
/// When cargo cannot be run or the package does not compile.
pub fn build(directory: &Path) -> anyhow::Result<Duration> {
    let target = directory.join("target");
    if target.exists() {
        fs::remove_dir_all(&target).with_context(|| target.display().to_string())?;
    }
    let mut command = cargo(directory);
    command.args(["build", "--quiet", "--release", "--target-dir"]).arg(&target);
    let start = Instant::now();
    let output = process::output(command, Vec::new(), LIMIT);
    output.with_context(|| format!("cargo build in {}", directory.display()))?;
    Ok(start.elapsed())
}

/// The program that [`build`] left in `directory`.
#[must_use]
pub fn built(directory: &Path) -> PathBuf {
    let name = format!("{}{}", program::NAME, env::consts::EXE_SUFFIX);
    directory.join("target").join("release").join(name)
}

/// The size of the program that [`build`] left in `directory`, in bytes; it is run, and must have
/// written an environment if it `writes`.
///
/// # Errors
/// When it is not there, fails, or did not do that.
pub fn size(directory: &Path, writes: bool) -> anyhow::Result<u64> {
    let program = built(directory);
    let scratch = tempfile::tempdir().context("a directory for the program")?;
    let mut command = Command::new(&program);
    command.arg(scratch.path());
    process::output(command, Vec::new(), LIMIT).with_context(|| program.display().to_string())?;
    let wrote = scratch.path().join("data.mdb").exists();
    ensure!(wrote == writes, "{}: an environment: {wrote}, wanted: {writes}", program.display());
    let found = fs::metadata(&program).with_context(|| program.display().to_string())?;
    Ok(found.len())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_users_build_does_not_see_this_workspaces_settings() {
        for ours in ["CARGO_TARGET_DIR", "CFLAGS", "CFLAGS_x86_64_unknown_linux_gnu", "RUSTFLAGS"] {
            assert!(is_ours(OsStr::new(ours)), "{ours}");
        }
        for theirs in ["CARGO_HOME", "PATH", "HOME", "RUSTUP_HOME", "CC"] {
            assert!(!is_ours(OsStr::new(theirs)), "{theirs}");
        }
    }
}
