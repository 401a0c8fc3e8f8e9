//! `harness diff`: two stored runs, and whether they can be compared.

use std::path::{Path, PathBuf};
use std::process::ExitCode;

use anyhow::anyhow;

use crate::cli::output::Shown;
use crate::cli::runs;
use report::comparable::{self, Mismatch};
use report::difference::{self, Run};
use report::view::View;

#[derive(Debug, clap::Args)]
pub struct Options {
    /// The run before: a results file, or a published run: HOST/DATE, HOST/DATE/counts.json
    a: PathBuf,
    /// The run after, named in the same way
    b: PathBuf,
    /// Go on although the two are not alike in something that changes numbers
    #[arg(long)]
    anyway: bool,
    #[command(flatten)]
    shown: Shown,
}

/// Compares two runs, or says why that makes no sense.
pub fn run(options: &Options, root: &Path) -> anyhow::Result<ExitCode> {
    let (first, second) = (runs::read(root, &options.a)?, runs::read(root, &options.b)?);
    let [name_a, name_b] = [&options.a, &options.b].map(|path| path.display().to_string());
    let (view_a, view_b) = (View::new(&first), View::new(&second));
    let a = Run { name: &name_a, view: &view_a };
    let b = Run { name: &name_b, view: &view_b };
    let mismatches = comparable::mismatches(&first, &second);
    // First of all: whether there is anything to compare.
    let listing = difference::listing(a, b, &mismatches).map_err(|reason| anyhow!(reason))?;
    if !mismatches.is_empty() && !options.anyway {
        refuse(a, b, &mismatches);
        return Ok(ExitCode::FAILURE);
    }
    options.shown.show(&listing)?;
    Ok(ExitCode::SUCCESS)
}

fn refuse(a: Run<'_>, b: Run<'_>, mismatches: &[Mismatch]) {
    eprintln!("error: {} (A) and {} (B) cannot be compared, they differ in:", a.name, b.name);
    for mismatch in mismatches {
        eprintln!("- {mismatch}");
    }
    eprintln!("--anyway compares them; a difference may then come from any of these.");
}
