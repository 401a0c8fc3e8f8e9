//! `harness report`: writes the published documents, or checks that they are what the data gives.

use std::path::Path;
use std::process::ExitCode;

use anyhow::Context as _;

use crate::cli::output::say;
use crate::report::documents::{self, HandWritten};
use crate::results::{published, store, typed};

/// Where results are, seen from the top of the workspace.
pub const RESULTS: &str = "results";

/// Writes all documents of the workspace `root`; with `check` writes nothing and says which are not
/// what the data gives.
///
/// # Errors
/// When a file cannot be read or written, or a document lacks its markers.
pub fn report(root: &Path, check: bool) -> anyhow::Result<ExitCode> {
    let runs = published::load(&root.join(RESULTS))?;
    let typed = typed::load(&root.join(RESULTS))?;
    let (readme, method) = (read(root, "README.md")?, read(root, "METHOD.md")?);
    let written = HandWritten { readme, method, typed };
    let documents = documents::documents(&runs, &written)
        .map_err(|(name, error)| anyhow::Error::new(error).context(name))?;
    let mut stale = false;
    for document in documents {
        let path = root.join(&document.path);
        if std::fs::read_to_string(&path).is_ok_and(|now| now == document.text) {
            continue;
        }
        let name = document.path.display();
        if check {
            stale = true;
            eprintln!("{name} is not what the data gives: run `cargo run -p harness -- report`");
        } else {
            store::write_text(&path, &document.text)?;
            say(&format!("wrote {name}\n"));
        }
    }
    Ok(if stale { ExitCode::FAILURE } else { ExitCode::SUCCESS })
}

/// A document of the workspace `root`.
fn read(root: &Path, name: &str) -> anyhow::Result<String> {
    let path = root.join(name);
    std::fs::read_to_string(&path).with_context(|| path.display().to_string())
}
