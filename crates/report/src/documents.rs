//! The published documents: which there are, and what each is made of. Made from published runs and
//! nothing else; the two documents that are written by hand are given, and get their sections.

use std::path::{Path, PathBuf};

use write_backend::Workload;

use crate::counted::Counted;
use crate::pictures::published::{NAMES, OVERHEAD, pictures};
use crate::splice::{SpliceError, has_section, splice};
use crate::{behaviour, calibration, comparison, guide, header, page, run_page, seed, times};
use records::calibration::Calibration;
use records::looked_up::LookedUp;
use records::published::{Published, of_reference, shown_comparison};
use records::schema::{CaseRecord, Results};

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
    /// Data that was typed.
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
    let luck = of_reference(runs, |run| run.calibration.as_ref())
        .and_then(|(_, found)| layout_luck(found));
    let mut documents = vec![
        document("README.md", readme(runs, &written.readme).map_err(|it| ("README.md", it))?),
        document("METHOD.md", method(runs, &written.method).map_err(|it| ("METHOD.md", it))?),
    ];
    documents.push(document("results/index.html", page::document::page(runs)));
    documents.push(document("results/README.md", guide::page::page(runs, &written.typed)));
    if let Some(numbers) = &written.typed.seed {
        documents.push(document("results/seed/README.md", seed::page::page(numbers, runs)));
    }
    for run in runs {
        let directory = Path::new("results").join(run.place());
        let text = run_page::page(run, &written.typed, luck);
        documents.push(document(directory.join(PAGE), text));
        let pictures = pictures(run);
        documents.extend(pictures.into_iter().map(|it| document(directory.join(it.name), it.svg)));
        if let Some(found) = &run.behaviour {
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
    let is_page = path.file_name().is_some_and(|name| name == PAGE || name == BEHAVIOUR_PAGE);
    is_page || path.extension().is_some_and(|extension| extension == "svg")
}

/// Whether the file at `path` was made here: a picture by its name, a document by what it says.
#[must_use]
pub fn is_ours(path: &Path, text: &[u8]) -> bool {
    let is_picture = path.file_name().is_some_and(|name| NAMES.iter().any(|it| name == *it));
    // The mark stands in the third line, below the title and an empty line.
    let mut lines = text.split(|byte| *byte == b'\n').skip(2);
    is_picture || lines.next().is_some_and(|line| line.starts_with(MADE_FROM))
}

/// `document` with a section that nothing was published for; one that has no such section stays.
fn without(document: &str, section: &str) -> Result<String, SpliceError> {
    if has_section(document, section) {
        splice(document, section, NOTHING)
    } else {
        Ok(document.to_owned())
    }
}

/// The project's README with its sections.
fn readme(runs: &[Published], written: &str) -> Result<String, SpliceError> {
    let mut text = written.to_owned();
    if let Some((run, compare)) = shown_comparison(runs) {
        let directory = Path::new("results").join(run.place());
        let pictures = pictures(run);
        let shown = pictures.iter().find(|picture| picture.name == OVERHEAD);
        let picture = shown.map_or(String::new(), |picture| picture.markdown(&directory));
        text = splice(&text, "results", &excerpt(run, compare, &picture))?;
    } else {
        text = without(&text, "results")?;
    }
    match of_reference(runs, |run| run.behaviour.as_ref()) {
        Some((_, found)) => splice(&text, "behaviour", &behaviour::section(found)),
        None => without(&text, "behaviour"),
    }
}

/// METHOD.md with what calibrations of the reference machine found.
fn method(runs: &[Published], written: &str) -> Result<String, SpliceError> {
    let Some((run, found)) = of_reference(runs, |run| run.calibration.as_ref()) else {
        return without(written, "calibration");
    };
    let mut text = calibration::tables(found);
    if let Some(precise) = &run.precise_calibration {
        let asked = precise.precision.map_or(String::new(), |precision| {
            format!("With `--precision {}%`:\n\n", precision * 100.0)
        });
        let layout = calibration::layout_in_words(precise);
        text = format!("{text}\n{asked}{}\n{layout}\n", calibration::twins(precise));
    }
    splice(written, "calibration", &text)
}

/// The machine, the summary with its picture, and the times of one value size.
fn excerpt(run: &Published, compare: &Results, picture: &str) -> String {
    // In the middle of the matrix, and few enough rows to read.
    const VALUE_SIZE: usize = 64;
    let shown =
        |workload: &Workload| workload.value_size == VALUE_SIZE && workload.batch_size != 10;
    let cases: Vec<CaseRecord> =
        compare.cases.iter().filter(|case| shown(&case.workload)).cloned().collect();
    format!(
        "{}\n{}{picture}\n{}",
        header::header(compare),
        comparison::summary_section(compare),
        times::tables_with_counts(&cases, &Counted::new(compare, run.counts.as_ref()))
    )
}

/// The spread that code layout alone gives to a build without alignment, as a part of 1.
#[must_use]
pub fn layout_luck(found: &Calibration) -> Option<f64> {
    found.median_spread(|row| !row.aligned)
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
    }

    #[test]
    fn what_was_made_here_says_so() {
        let page = Path::new("a/README.md");
        assert!(is_ours(page, b"# Results\n\nMade from the files\n"));
        assert!(!is_ours(page, b"# Notes\n\nBy hand\n") && !is_ours(page, b""));
        assert!(is_ours(Path::new("a/overhead.svg"), b"") && !is_ours(Path::new("a/b.svg"), b""));
    }

    #[test]
    fn a_section_without_data_says_so() {
        let section =
            |name: &str| format!("<!-- begin {name}: how -->\nold\n<!-- end {name} -->\n");
        let readme = section("results") + &section("behaviour");
        let written =
            HandWritten { readme, method: section("calibration"), typed: LookedUp::default() };
        let made = documents(&[], &written).unwrap();
        for (document, sections) in made.iter().zip([2, 1]) {
            assert_eq!(document.text.matches(NOTHING).count(), sections, "{document:?}");
            assert!(!document.text.contains("old"), "{document:?}");
        }
        let bare =
            HandWritten { readme: "a".into(), method: "b".into(), typed: LookedUp::default() };
        assert_eq!(documents(&[], &bare).unwrap()[0].text, "a");
    }
}
