//! `harness report`: writes the published documents, or checks that they are what the data gives.

use std::path::Path;
use std::process::ExitCode;

use anyhow::Context as _;

use crate::cli::arguments::workspace_path;
use crate::report::documents::{self, HandWritten};
use crate::results::{published, store};

/// Where results are, seen from the top of the workspace.
pub const RESULTS: &str = "results";

/// Writes all documents; with `check` writes nothing and says which are not what the data gives.
///
/// # Errors
/// When a file cannot be read or written, or a document lacks its markers.
pub fn report(check: bool) -> anyhow::Result<ExitCode> {
    let runs = published::load(&workspace_path(Path::new(RESULTS)))?;
    let written = HandWritten { readme: read("README.md")?, method: read("METHOD.md")? };
    let documents = documents::documents(&runs, &written)
        .map_err(|(name, error)| anyhow::Error::new(error).context(name))?;
    let mut stale = false;
    for document in documents {
        let path = workspace_path(&document.path);
        if std::fs::read_to_string(&path).is_ok_and(|now| now == document.text) {
            continue;
        }
        let name = document.path.display();
        if check {
            stale = true;
            eprintln!("{name} is not what the data gives: run `cargo run -p harness -- report`");
        } else {
            store::write_text(&path, &document.text)?;
            println!("wrote {name}");
        }
    }
    Ok(if stale { ExitCode::FAILURE } else { ExitCode::SUCCESS })
}

/// A document of the workspace.
fn read(name: &str) -> anyhow::Result<String> {
    let path = workspace_path(Path::new(name));
    std::fs::read_to_string(&path).with_context(|| path.display().to_string())
}
