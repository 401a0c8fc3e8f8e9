//! `harness agree`: whether several runs agree as often as their intervals promise.

use std::path::{Path, PathBuf};
use std::process::ExitCode;

use anyhow::anyhow;

use crate::cli::output::Shown;
use crate::cli::runs;
use records::schema::Results;
use records::store;
use records::trials::Agreement;
use report::agreement;

/// `harness agree`.
#[derive(Debug, clap::Args)]
pub struct Options {
    /// Results files of compare, or published runs (HOST/DATE): the same matrix on one machine, each with
    /// another seed
    #[arg(required = true, num_args = 2..)]
    runs: Vec<PathBuf>,
    /// Keep what they say in this file, for publishing: results/latest/agreement.json
    #[arg(long, value_name = "FILE")]
    out: Option<PathBuf>,
    #[command(flatten)]
    shown: Shown,
}

/// Compares the runs.
pub fn run(options: &Options, root: &Path) -> anyhow::Result<ExitCode> {
    let results: anyhow::Result<Vec<Results>> =
        options.runs.iter().map(|name| runs::read(root, name)).collect();
    let found = Agreement::of(&results?).map_err(|reason| anyhow!(reason))?;
    if let Some(out) = &options.out {
        store::write(&root.join(out), &found)?;
    }
    options.shown.show(&agreement::listing(&found))?;
    Ok(ExitCode::SUCCESS)
}
