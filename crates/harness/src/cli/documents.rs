//! `harness report`: writes the published documents, or checks that they are what the data gives.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::ExitCode;

use anyhow::{Context as _, bail};

use crate::backends::Backends;
use crate::cli::output::say;
use crate::facts::subjects::{by_hand, subjects};
use records::looked_up::by_hand::ByHand;
use records::store::is_there;
use records::{looked_up, published, store};
use report::documents::{self, Document, HandWritten};
use report::view::RunView;

pub const RESULTS: &str = "results";

/// Writes all documents of the workspace `root` and removes those that no data gives; with `check`
/// writes nothing and says which are not what the data gives.
pub fn report(root: &Path, check: bool) -> anyhow::Result<ExitCode> {
    let results = root.join(RESULTS);
    let runs = published::load(&results)?;
    let mut typed = looked_up::load(&results)?;
    let looked_up = looked_up(root)?;
    if let Some((by_hand, _)) = &looked_up {
        typed.by_hand = Some(by_hand.clone());
    }
    let (readme, method) = (read(root, "README.md")?, read(root, "METHOD.md")?);
    let written = HandWritten { readme, method, typed };
    let mut documents = documents::documents(&runs, &written)
        .map_err(|(name, error)| anyhow::Error::new(error).context(name))?;
    documents.extend(looked_up.map(|(_, document)| document));
    let there = there(&results)?;
    let orphans = documents::orphans(&documents, &there);
    if !check {
        refuse_foreign(root, &orphans)?;
    }
    let mut stale = false;
    for document in &documents {
        let path = root.join(&document.path);
        let text = unix(&document.text);
        // A checkout may have line ends of another system, which are no other document.
        if is_there(&path)? && unix(&String::from_utf8_lossy(&bytes(&path)?)) == text {
            continue;
        }
        let name = document.path.display();
        if check {
            stale = true;
            note!("{name} is not what the data gives: run `cargo run -p harness -- report`");
        } else {
            store::write_text(&path, &text)?;
            say(&format!("wrote {name}\n"));
        }
    }
    for orphan in orphans {
        let name = orphan.display();
        if check {
            stale = true;
            note!("{name}: no data gives it: run `cargo run -p harness -- report`");
        } else {
            fs::remove_file(root.join(orphan)).with_context(|| name.to_string())?;
            say(&format!("removed {name}, which no data gives\n"));
        }
    }
    Ok(if stale { ExitCode::FAILURE } else { ExitCode::SUCCESS })
}

/// Writes the page of the run in `results/latest` to `out`: the same as that of the published runs.
pub fn page(root: &Path, out: &Path) -> anyhow::Result<ExitCode> {
    let latest = root.join(RESULTS).join("latest");
    let run = published::of_directory(&latest, "latest")?;
    if run.timed().is_none() {
        bail!(
            "{}: there is no comparison: `cargo bench -p harness --bench compare` makes one",
            latest.display()
        );
    }
    let out = root.join(out);
    store::write_text(&out, &report::page::page(&[RunView::new(&run)]))?;
    say(&format!("wrote {}\n", out.display()));
    Ok(ExitCode::SUCCESS)
}

/// What was looked up by hand, gathered from the folders of the backends, and the file that holds it for
/// readers who have no folders; `None` where `root` is not this workspace.
fn looked_up(root: &Path) -> anyhow::Result<Option<(ByHand, Document)>> {
    if !root.join("crates/backends").is_dir() {
        return Ok(None);
    }
    let by_hand = by_hand(&subjects(&Backends::of_workspace(root)?)?)?;
    let text = serde_json::to_string_pretty(&by_hand)? + "\n";
    let path = Path::new(RESULTS).join(looked_up::file::BY_HAND);
    store::parse::<ByHand>(text.as_bytes(), &path)?;
    Ok(Some((by_hand, Document { path, text })))
}

/// The files among which there may be documents that no data gives, seen from the workspace's top.
fn there(results: &Path) -> anyhow::Result<Vec<PathBuf>> {
    let mut files = published::files(results)?;
    let seed = Path::new("seed/README.md");
    if is_there(&results.join(seed))? {
        files.push(seed.to_owned());
    }
    Ok(files.into_iter().map(|path| Path::new(RESULTS).join(path)).collect())
}

/// Refuses to go on where one of `orphans` was not made here: it is not ours to remove.
fn refuse_foreign(root: &Path, orphans: &[&Path]) -> anyhow::Result<()> {
    let mut foreign = Vec::new();
    for orphan in orphans {
        if !documents::is_ours(orphan, &bytes(&root.join(orphan))?) {
            foreign.push(orphan.display().to_string());
        }
    }
    if !foreign.is_empty() {
        bail!(
            "{}: named like a generated file, but no data gives it and it was not made here: move \
             it away",
            foreign.join(", ")
        );
    }
    Ok(())
}

fn read(root: &Path, name: &str) -> anyhow::Result<String> {
    let path = root.join(name);
    let text = fs::read_to_string(&path).with_context(|| path.display().to_string())?;
    Ok(unix(&text))
}

/// `text` with a line end of one character.
fn unix(text: &str) -> String {
    text.replace("\r\n", "\n")
}

fn bytes(path: &Path) -> anyhow::Result<Vec<u8>> {
    fs::read(path).with_context(|| path.display().to_string())
}
