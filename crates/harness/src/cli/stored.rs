//! `harness show`, `rank`, `diff` and `agree`: stored runs in the terminal.

use std::path::{Path, PathBuf};
use std::process::ExitCode;

use anyhow::{Context as _, anyhow, bail};
use clap::Args;

use crate::cli::documents::RESULTS;
use crate::cli::output;
use records::published::file;
use records::schema::Results;
use records::store::{self, StoreError, is_there};
use records::trials::Agreement;
use report::answer::screen;
use report::difference::{self, Run};
use report::formats::Format;
use report::table::Listing;
use report::view::View;
use report::{agreement, comparable, ranking, show};

#[derive(Debug, Clone, Copy, Args)]
struct Shown {
    /// How to write it: markdown (aligned columns), csv (the tables alone), json
    #[arg(long, value_name = "FORMAT", default_value_t = Format::Markdown)]
    format: Format,
}

impl Shown {
    fn show(self, listing: &Listing) -> anyhow::Result<ExitCode> {
        output::write(&self.format.render(listing)).context("standard output")?;
        Ok(ExitCode::SUCCESS)
    }
}

#[derive(Debug, Args)]
pub struct Show {
    /// A results file, or a published run: HOST/DATE, HOST/DATE/counts.json
    run: PathBuf,
    /// One screen, as the bench ends with, instead of all tables
    #[arg(long, conflicts_with = "format")]
    short: bool,
    #[command(flatten)]
    shown: Shown,
}

#[derive(Debug, Args)]
pub struct Rank {
    /// A results file of compare, or a published run: HOST/DATE
    run: PathBuf,
    #[command(flatten)]
    shown: Shown,
}

#[derive(Debug, Args)]
pub struct Diff {
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

#[derive(Debug, Args)]
pub struct Agree {
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

pub fn show(Show { run, short, shown }: &Show, root: &Path) -> anyhow::Result<ExitCode> {
    let results = read(root, run)?;
    if *short {
        let text = screen::of(&View::new(&results), output::width());
        let text = text.with_context(|| format!("{} compares nothing", run.display()))?;
        output::write(&text).context("standard output")?;
        return Ok(ExitCode::SUCCESS);
    }
    shown.show(&show::listing(&run.display().to_string(), &View::new(&results), shown.format))
}

pub fn rank(Rank { run, shown }: &Rank, root: &Path) -> anyhow::Result<ExitCode> {
    let results = read(root, run)?;
    let name = run.display().to_string();
    let listing = ranking::listing(&name, &View::new(&results));
    shown.show(&listing.map_err(|reason| anyhow!(reason))?)
}

pub fn diff(Diff { a, b, anyway, shown }: &Diff, root: &Path) -> anyhow::Result<ExitCode> {
    let (first, second) = (read(root, a)?, read(root, b)?);
    let [name_a, name_b] = [a, b].map(|path| path.display().to_string());
    let (view_a, view_b) = (View::new(&first), View::new(&second));
    let a = Run { name: &name_a, view: &view_a };
    let b = Run { name: &name_b, view: &view_b };
    let mismatches = comparable::mismatches(&first, &second);
    // First of all: whether there is anything to compare.
    let listing = difference::listing(a, b, &mismatches).map_err(|reason| anyhow!(reason))?;
    if mismatches.is_empty() || *anyway {
        return shown.show(&listing);
    }
    note!("error: {name_a} (A) and {name_b} (B) cannot be compared, they differ in:");
    for mismatch in &mismatches {
        note!("- {mismatch}");
    }
    note!("--anyway compares them; a difference may then come from any of these.");
    Ok(ExitCode::FAILURE)
}

pub fn agree(Agree { runs, out, shown }: &Agree, root: &Path) -> anyhow::Result<ExitCode> {
    let results: anyhow::Result<Vec<Results>> = runs.iter().map(|name| read(root, name)).collect();
    let found = Agreement::of(&results?).map_err(|reason| anyhow!(reason))?;
    if let Some(out) = out {
        store::write(&root.join(out), &found)?;
    }
    shown.show(&agreement::listing(&found))
}

/// The results file that `name` stands for: a file or a directory with one, as seen from the workspace `root`,
/// or among the published runs (`xeon-vm/2026-11-30`). Of a directory it is
/// [`file::COMPARE`], or else the first there is of the others.
fn read(root: &Path, name: &Path) -> anyhow::Result<Results> {
    let places = [root.join(name), root.join(RESULTS).join(name)];
    let Some(place) = first_there(&places)? else {
        let places = places.each_ref().map(|place| format!("- {}", place.display()));
        bail!(
            "{}: no such file or published run (HOST/DATE); looked for:\n{}",
            name.display(),
            places.join("\n")
        );
    };
    if !place.is_dir() {
        return Ok(store::read(place)?);
    }
    let names = [file::COMPARE, file::EQUAL_FLAGS, file::COUNTS];
    match first_there(&names.map(|name| place.join(name)))? {
        Some(path) => Ok(store::read(path)?),
        None => bail!("{}: a directory with none of {}", place.display(), names.join(", ")),
    }
}

fn first_there(paths: &[PathBuf]) -> Result<Option<&PathBuf>, StoreError> {
    for path in paths {
        if is_there(path)? {
            return Ok(Some(path));
        }
    }
    Ok(None)
}
