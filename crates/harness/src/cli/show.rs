//! `harness show`: the tables of a stored run in the terminal.

use std::path::{Path, PathBuf};
use std::process::ExitCode;

use crate::cli::output::Shown;
use crate::cli::runs;
use report::show;
use report::view::View;

#[derive(Debug, clap::Args)]
pub struct Options {
    /// A results file, or a published run: HOST/DATE, HOST/DATE/counts.json
    run: PathBuf,
    #[command(flatten)]
    shown: Shown,
}

/// Shows a run.
pub fn run(options: &Options, root: &Path) -> anyhow::Result<ExitCode> {
    let results = runs::read(root, &options.run)?;
    let name = options.run.display().to_string();
    let shown = options.shown;
    shown.show(&show::listing(&name, &View::new(&results), shown.format()))?;
    Ok(ExitCode::SUCCESS)
}
