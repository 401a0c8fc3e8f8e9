//! Finding the run that a user names: by a path, or as it is published.

use std::path::{Path, PathBuf};

use anyhow::bail;

use crate::cli::documents::RESULTS;
use records::published::file;
use records::schema::Results;
use records::store::is_there;
use records::store::{self, StoreError};

/// The results file that `name` stands for: a file or a directory with one, as seen from here, from
/// the workspace `root`, or among the published runs (`xeon-vm/2026-11-30`). Of a directory it is
/// [`file::COMPARE`], or else the first there is of the others.
pub fn read(root: &Path, name: &Path) -> anyhow::Result<Results> {
    let places = [name.to_owned(), root.join(name), root.join(RESULTS).join(name)];
    let Some(place) = first_there(&places)? else {
        let places = places.each_ref().map(|place| format!("- {}", place.display()));
        bail!(
            "{}: no such file or published run (HOST/DATE); looked for:\n{}",
            name.display(),
            places.join("\n")
        );
    };
    Ok(store::read(&file_of(place)?)?)
}

fn file_of(place: &Path) -> anyhow::Result<PathBuf> {
    if !place.is_dir() {
        return Ok(place.to_owned());
    }
    let names = [file::COMPARE, file::EQUAL_FLAGS, file::COUNTS];
    let paths = names.map(|name| place.join(name));
    match first_there(&paths)? {
        Some(path) => Ok(path.clone()),
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
