//! `harness clean`: removes what is kept for link orders.

use std::path::Path;
use std::process::ExitCode;

use crate::backends::programs::link_directory;
use crate::cli::output::say;
use crate::links::Store;

/// Removes the store of the workspace `root`.
pub fn run(root: &Path) -> anyhow::Result<ExitCode> {
    let directory = link_directory(root);
    if directory.is_dir() {
        Store::open(&directory)?.remove()?;
        say(&format!("Removed: {}\n", directory.display()));
    } else {
        say("There is nothing to remove.\n");
    }
    Ok(ExitCode::SUCCESS)
}
