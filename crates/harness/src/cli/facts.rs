//! `harness facts`: collects what can be found out about bindings beside speed.

use std::path::{Path, PathBuf};
use std::process::ExitCode;

use anyhow::{Context as _, ensure};
use clap::Args;

use crate::cli::documents::RESULTS;
use crate::cli::output::say;
use crate::facts::collect::collect;
use crate::interrupt;
use records::published::file;
use records::store;

#[derive(Debug, Args)]
pub struct Options {
    /// How many times each program is built from nothing
    #[arg(long, value_name = "N", default_value_t = 5)]
    repetitions: usize,
    /// The file, relative to the workspace [default: results/latest/facts.json]
    #[arg(long, value_name = "FILE")]
    out: Option<PathBuf>,
}

pub fn run(options: &Options, root: &Path) -> anyhow::Result<ExitCode> {
    ensure!(options.repetitions > 0, "--repetitions 0: at least 1 is needed");
    let default = || Path::new(RESULTS).join("latest").join(file::FACTS);
    let path = root.join(options.out.clone().unwrap_or_else(default));
    store::can_write(&path).context("--out")?;
    interrupt::listen();
    let facts = collect(root, options.repetitions, |line| note!("{line}"))?;
    store::write(&path, &facts)?;
    say(&format!("wrote {}\n", path.display()));
    Ok(ExitCode::SUCCESS)
}
