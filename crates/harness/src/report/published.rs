//! The published documents, made from stored results and nothing else.

use write_backend::Workload;

use crate::calibrate::layout::median_spread;
use crate::calibrate::record::Calibration;
use crate::report::{calibration, comparison, header, times};
use crate::results::schema::{CaseRecord, Results};

/// A section of the project's README: the machine, the summary, and the times of one value size.
#[must_use]
pub fn readme(compare: &Results) -> String {
    // In the middle of the matrix, and few enough rows to read.
    const VALUE_SIZE: usize = 64;
    let shown =
        |workload: &Workload| workload.value_size == VALUE_SIZE && workload.batch_size != 10;
    let cases: Vec<CaseRecord> =
        compare.cases.iter().filter(|case| shown(&case.workload)).cloned().collect();
    format!(
        "{}\n{}\n{}",
        header::header(compare),
        comparison::summary_section(compare),
        times::tables(&cases)
    )
}

/// A section of METHOD.md: what a calibration of the reference machine found.
#[must_use]
pub fn method(found: &Calibration) -> String {
    calibration::tables(found)
}

/// The spread that code layout alone gives to a build without alignment, as a part of 1.
#[must_use]
pub fn layout_luck(found: &Calibration) -> Option<f64> {
    median_spread(&found.layout, |row| !row.aligned)
}

/// The whole page of a stored run.
#[must_use]
pub fn page(compare: &Results, found: &Calibration) -> String {
    format!(
        "# Results\n\nMade from the files beside this one by `cargo run -p harness -- report`; not \
         to be edited. What the fields mean: [FORMAT.md](../FORMAT.md); how it was measured: \
         [METHOD.md](../../METHOD.md).\n\n{}\n{}\n{}",
        header::header(compare),
        times::tables(&compare.cases),
        comparison::tables(compare, layout_luck(found))
    )
}
