//! `harness rank`: means over workloads, and which backends were told apart.

use std::path::{Path, PathBuf};
use std::process::ExitCode;

use anyhow::anyhow;

use crate::cli::output::Shown;
use crate::cli::runs;
use report::ranking;
use report::view::View;

#[derive(Debug, clap::Args)]
pub struct Options {
    /// A results file of compare, or a published run: HOST/DATE
    run: PathBuf,
    /// Show the pairs of backends behind the ranks too
    #[arg(long)]
    pairs: bool,
    #[command(flatten)]
    shown: Shown,
}

/// Ranks the backends of a run.
pub fn run(options: &Options, root: &Path) -> anyhow::Result<ExitCode> {
    let results = runs::read(root, &options.run)?;
    let name = options.run.display().to_string();
    let listing =
        ranking::listing(&name, &View::new(&results), options.pairs).map_err(|it| anyhow!(it))?;
    options.shown.show(&listing)?;
    Ok(ExitCode::SUCCESS)
}
