//! The published documents: which there are, and what each is made of. Made from published runs and
//! nothing else; the two documents that are written by hand are given, and get their sections.

use std::path::{Path, PathBuf};

use crate::answer::readme;
use crate::pictures::{NAMES, OVERHEAD, pictures};
use crate::splice::{SpliceError, has_section, splice};
use crate::suites::SuiteView;
use crate::table::markdown;
use crate::view::{RunView, View, of_reference, shown_comparison};
use crate::{
    agreement, behaviour, calibration, engine, guide, layouts, page, run_page, seed, suites,
};
use records::looked_up::LookedUp;
use records::published::{Published, file};

/// The page of a run, beside its data.
const PAGE: &str = "README.md";
/// The page of its behaviour.
const BEHAVIOUR_PAGE: &str = "behaviour.md";
/// How the first paragraph of every document that is made from data begins.
const MADE_FROM: &[u8] = b"Made from ";
/// What a section says that there is no data for.
const NOTHING: &str = "Nothing is published.";

/// What is written by hand: documents that have generated sections, and data.
#[derive(Debug, Clone)]
pub struct HandWritten {
    /// `README.md`.
    pub readme: String,
    /// `METHOD.md`.
    pub method: String,
    /// Data that was looked up.
    pub typed: LookedUp,
}

/// A document that `report` writes.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Document {
    /// Where, seen from the top of the workspace.
    pub path: PathBuf,
    /// Its whole text.
    pub text: String,
}

/// All documents of `runs`.
///
/// # Errors
/// When a document that is written by hand lacks the markers of a section.
pub fn documents(
    runs: &[Published],
    written: &HandWritten,
) -> Result<Vec<Document>, (&'static str, SpliceError)> {
    let runs: Vec<RunView<'_>> = runs.iter().map(RunView::new).collect();
    let readme = readme(&runs, written).map_err(|error| ("README.md", error))?;
    let method = method(&runs, &written.method).map_err(|error| ("METHOD.md", error))?;
    let mut documents = vec![
        document("README.md", readme),
        document("METHOD.md", method),
        document("results/index.html", page::page(&runs)),
        document("results/README.md", guide::page::page(&runs, &written.typed)),
    ];
    if let Some(numbers) = &written.typed.seed {
        documents.push(document("results/seed/README.md", seed::page(numbers, &runs)));
    }
    for run in &runs {
        let directory = Path::new("results").join(run.run.place());
        let text = run_page::page(run, &written.typed);
        documents.push(document(directory.join(PAGE), text));
        let suites = suites::views(run);
        let of_suites = suites.iter().filter_map(SuiteView::picture);
        let pictures = pictures(run).into_iter().chain(of_suites);
        documents.extend(pictures.map(|it| document(directory.join(&*it.name), it.svg)));
        let page =
            |it: &SuiteView<'_>| document(directory.join(it.page_name()), it.page(&written.typed));
        documents.extend(suites.iter().map(page));
        documents.extend(engine::page(run).map(|it| document(directory.join(engine::PAGE), it)));
        if let Some(found) = &run.run.behaviour {
            documents.push(document(directory.join(BEHAVIOUR_PAGE), behaviour::page(found)));
        }
    }
    Ok(documents)
}

fn document(path: impl Into<PathBuf>, text: String) -> Document {
    Document { path: path.into(), text }
}

/// The files in `there` (all that are beside published data, seen from the top of the workspace) that
/// have the name of a document or a picture but are none of `documents`: no data gives them.
#[must_use]
pub fn orphans<'a>(documents: &[Document], there: &'a [PathBuf]) -> Vec<&'a Path> {
    let is_expected = |path: &Path| documents.iter().any(|document| document.path == path);
    let paths = there.iter().map(PathBuf::as_path);
    paths.filter(|path| is_generated(path) && !is_expected(path)).collect()
}

/// Whether a file is named like one that is made from data.
fn is_generated(path: &Path) -> bool {
    let is_page = path
        .file_name()
        .is_some_and(|name| [PAGE, BEHAVIOUR_PAGE, engine::PAGE].iter().any(|page| name == *page));
    let is_page = is_page || is_of_suite(path) && path.extension().is_some_and(|it| it == "md");
    is_page || path.extension().is_some_and(|extension| extension == "svg")
}

fn is_of_suite(path: &Path) -> bool {
    path.file_name().is_some_and(|name| name.to_string_lossy().starts_with(file::SUITE))
}

/// Whether the file at `path` was made here: a picture by its name, a document by what it says.
#[must_use]
pub fn is_ours(path: &Path, text: &[u8]) -> bool {
    let is_picture = path.file_name().is_some_and(|name| NAMES.iter().any(|it| name == *it));
    let is_picture = is_picture || is_of_suite(path) && text.starts_with(b"<svg");
    // The mark stands in the third line, below the title and an empty line.
    let mut lines = text.split(|byte| *byte == b'\n').skip(2);
    is_picture || lines.next().is_some_and(|line| line.starts_with(MADE_FROM))
}

/// `document` with `text` in a section; without a text the section says that there is nothing, and one
/// that is not there stays away.
fn with(document: &str, section: &str, text: Option<String>) -> Result<String, SpliceError> {
    match text {
        Some(text) => splice(document, section, &text),
        None if has_section(document, section) => splice(document, section, NOTHING),
        None => Ok(document.to_owned()),
    }
}

/// The project's README with its sections.
fn readme(runs: &[RunView<'_>], written: &HandWritten) -> Result<String, SpliceError> {
    let shown = shown_comparison(runs);
    let results = shown.map(|(run, compare)| excerpt(run, compare, runs, &written.typed));
    with(&written.readme, "results", results)
}

/// The answer and a picture.
fn excerpt(
    run: &RunView<'_>,
    compare: &View<'_>,
    runs: &[RunView<'_>],
    typed: &LookedUp,
) -> String {
    let pictures = pictures(run);
    let shown = pictures.iter().find(|picture| picture.name == OVERHEAD);
    let directory = format!("results/{}", run.place());
    let picture = shown.map_or(String::new(), |picture| picture.markdown(&directory));
    let answer = readme::section(run, compare, runs, typed);
    format!("{answer}\n{picture}\n[All tables of this run]({directory}/{PAGE})\n")
}

/// METHOD.md with what the reference machine found out about the instrument.
fn method(runs: &[RunView<'_>], written: &str) -> Result<String, SpliceError> {
    let found = of_reference(runs, |it| it.run.calibration.as_ref());
    let text = found.map(|(view, found)| {
        let mut text = calibration::tables(found);
        if let Some(precise) = &view.run.precise_calibration {
            let asked = precise.precision.map_or(String::new(), |precision| {
                format!("With `--precision {}%`:\n\n", precision * 100.0)
            });
            let layout = calibration::layout_in_words(precise);
            text = format!("{text}\n{asked}{}\n{layout}\n", calibration::twins(precise));
        }
        text
    });
    let agreement = of_reference(runs, |it| it.run.agreement.as_ref());
    let agreement = agreement.map(|(_, found)| agreement::section(found).to_string());
    let orders = of_reference(runs, |it| it.run.link_orders.as_ref());
    let orders = orders.map(|(_, found)| markdown(&layouts::sections(found)));
    let written = with(written, "calibration", text)?;
    with(&with(&written, "agreement", agreement)?, "link-orders", orders)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_no_data_gives_is_an_orphan() {
        let day = Path::new("results/box/2026-01-01");
        let documents = [document(day.join("README.md"), String::new())];
        let there =
            ["README.md", "behaviour.md", "odd.svg", "compare.json"].map(|name| day.join(name));
        let expected = [day.join("behaviour.md"), day.join("odd.svg")];
        assert_eq!(orphans(&documents, &there), expected);
        let page = Path::new("a/README.md");
        assert!(is_ours(page, b"# Results\n\nMade from the files\n"));
        assert!(!is_ours(page, b"# Notes\n\nBy hand\n") && !is_ours(page, b""));
        assert!(is_ours(Path::new("a/overhead.svg"), b"") && !is_ours(Path::new("a/b.svg"), b""));
    }

    #[test]
    fn a_section_without_data_says_so() {
        let section =
            |name: &str| format!("<!-- begin {name}: how -->\nold\n<!-- end {name} -->\n");
        let readme = section("results");
        let written =
            HandWritten { readme, method: section("calibration"), typed: LookedUp::default() };
        let made = documents(&[], &written).unwrap();
        for (document, sections) in made.iter().zip([1, 1]) {
            assert_eq!(document.text.matches(NOTHING).count(), sections, "{document:?}");
            assert!(!document.text.contains("old"), "{document:?}");
        }
        let bare =
            HandWritten { readme: "a".into(), method: "b".into(), typed: LookedUp::default() };
        assert_eq!(documents(&[], &bare).unwrap()[0].text, "a");
    }
}
