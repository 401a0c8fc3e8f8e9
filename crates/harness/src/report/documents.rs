//! The published documents: which there are, and what each is made of. Made from published runs and
//! nothing else; the two documents that are written by hand are given, and get their sections.

use std::path::{Path, PathBuf};

use write_backend::Workload;

use crate::calibrate::layout::median_spread;
use crate::calibrate::record::Calibration;
use crate::report::counted::Counted;
use crate::report::pictures::published::{OVERHEAD, Picture, pictures, section};
use crate::report::splice::{SpliceError, splice};
use crate::report::{behaviour, calibration, comparison, facts, guide, header, page, seed, times};
use crate::results::published::{Published, of_reference};
use crate::results::schema::{CaseRecord, Results};
use crate::results::typed::Typed;

/// What is written by hand: documents that have generated sections, and data.
#[derive(Debug, Clone)]
pub struct HandWritten {
    /// `README.md`.
    pub readme: String,
    /// `METHOD.md`.
    pub method: String,
    /// Data that was typed.
    pub typed: Typed,
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
        let pictures = pictures(run);
        if let Some(compare) = &run.compare {
            let text = run_page(run, compare, &pictures, &written.typed, luck);
            documents.push(document(directory.join("README.md"), text));
        }
        documents.extend(pictures.into_iter().map(|it| document(directory.join(it.name), it.svg)));
        if let Some(found) = &run.behaviour {
            documents.push(document(directory.join("behaviour.md"), behaviour::page(found)));
        }
    }
    Ok(documents)
}

fn document(path: impl Into<PathBuf>, text: String) -> Document {
    Document { path: path.into(), text }
}

/// The project's README with its sections; one that nothing was published for stays as it is.
fn readme(runs: &[Published], written: &str) -> Result<String, SpliceError> {
    let mut text = written.to_owned();
    if let Some((run, compare)) = of_reference(runs, |run| run.compare.as_ref()) {
        let directory = Path::new("results").join(run.place());
        let pictures = pictures(run);
        let shown = pictures.iter().find(|picture| picture.name == OVERHEAD);
        let picture = shown.map_or(String::new(), |picture| picture.markdown(&directory));
        text = splice(&text, "results", &excerpt(run, compare, &picture))?;
    }
    if let Some((_, found)) = of_reference(runs, |run| run.behaviour.as_ref()) {
        text = splice(&text, "behaviour", &behaviour::section(found))?;
    }
    Ok(text)
}

/// METHOD.md with what calibrations of the reference machine found.
fn method(runs: &[Published], written: &str) -> Result<String, SpliceError> {
    let Some((run, found)) = of_reference(runs, |run| run.calibration.as_ref()) else {
        return Ok(written.to_owned());
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
    median_spread(&found.layout, |row| !row.aligned)
}

/// The whole page of a published run.
fn run_page(
    run: &Published,
    compare: &Results,
    pictures: &[Picture],
    typed: &Typed,
    luck: Option<f64>,
) -> String {
    let counted = Counted::new(compare, run.counts.as_ref());
    format!(
        "# Results\n\nMade from the files beside this one by `cargo run -p harness -- report`; not \
         to be edited. What the fields mean: [FORMAT.md](../../FORMAT.md); how it was measured: \
         [METHOD.md](../../../METHOD.md).\n\n{}\n{}\n{}\n{}{}",
        header::header(compare),
        section(pictures),
        times::tables_with_counts(&compare.cases, &counted),
        comparison::tables_of_published(compare, run.equal_flags.as_ref(), luck),
        run.facts.as_ref().map_or(String::new(), |found| {
            facts::section(found, run.behaviour.as_ref(), typed)
        })
    )
}
