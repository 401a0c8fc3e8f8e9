//! A binding's own instructions: what it executes beyond raw FFI on the same engine. Pure.

use write_backend::Workload;

use crate::REFERENCE;
use records::schema::{BackendRecord, CaseRecord, Results};

/// What a backend executes beyond its control, as a line over the batch size: a part for each
/// transaction and a part for each put in it.
#[derive(Debug, Clone, PartialEq)]
pub struct Line {
    /// The backend.
    pub backend: String,
    /// The workload with the smallest batch.
    pub workload: Workload,
    /// Instructions per put.
    pub per_put: f64,
    /// Instructions per transaction besides: begin and finish.
    pub per_transaction: f64,
    /// How far a batch size between the two ends is off the line, in instructions per transaction; 0
    /// where there is none.
    pub off: f64,
}

/// Instructions per transaction of `backend` on `workload`.
#[must_use]
pub fn instructions(cases: &[CaseRecord], backend: &str, workload: &Workload) -> Option<f64> {
    let case = cases.iter().find(|it| it.backend == backend && it.workload == *workload)?;
    case.counts.as_ref()?.instructions_per_transaction
}

/// What `case` executes beyond the control of its backend, in instructions per transaction.
#[must_use]
pub fn beyond_control(results: &Results, case: &CaseRecord) -> Option<f64> {
    let backend = results.backends.iter().find(|backend| backend.id == case.backend)?;
    let control = instructions(&results.cases, backend.control.as_ref()?, &case.workload)?;
    Some(case.counts.as_ref()?.instructions_per_transaction? - control)
}

/// The lines of all backends with a control, for each group of workloads that differ in the batch
/// size alone and have at least two of them.
#[must_use]
pub fn lines(results: &Results) -> Vec<Line> {
    let mut lines: Vec<Line> = Vec::new();
    for case in &results.cases {
        let same = |it: &CaseRecord| it.backend == case.backend && differ_in_batch(it, case);
        let known = |line: &Line| {
            line.backend == case.backend
                && Workload { batch_size: 1, ..line.workload }
                    == Workload { batch_size: 1, ..case.workload }
        };
        if lines.iter().any(known) {
            continue;
        }
        let mut points: Vec<(Workload, f64)> = results
            .cases
            .iter()
            .filter(|it| same(it))
            .filter_map(|it| Some((it.workload, beyond_control(results, it)?)))
            .collect();
        points.sort_by_key(|(workload, _)| workload.batch_size);
        lines.extend(line(&case.backend, &points));
    }
    lines
}

fn differ_in_batch(a: &CaseRecord, b: &CaseRecord) -> bool {
    Workload { batch_size: 1, ..a.workload } == Workload { batch_size: 1, ..b.workload }
}

/// The line through the first and the last of `points`, which are sorted by batch size.
fn line(backend: &str, points: &[(Workload, f64)]) -> Option<Line> {
    let [(first, low), .., (last, high)] = points else { return None };
    let size = |workload: &Workload| workload.batch_size as f64;
    let per_put = (high - low) / (size(last) - size(first));
    let per_transaction = low - per_put * size(first);
    let distance = |(workload, value): &(Workload, f64)| {
        (value - per_transaction - per_put * size(workload)).abs()
    };
    // The ends lie on it by construction; without this, rounding would show.
    let between = points.get(1..points.len() - 1).unwrap_or_default();
    let off = between.iter().map(distance).fold(0.0, f64::max);
    Some(Line { backend: backend.to_owned(), workload: *first, per_put, per_transaction, off })
}

/// Instructions of `raw-ffi` over those of the loop in C, where both are there, by workload.
#[must_use]
pub fn over_c(results: &Results) -> Vec<(Workload, f64)> {
    let reference = results
        .cases
        .iter()
        .filter(|case| results.backend(&case.backend).is_some_and(BackendRecord::is_loop_in_c));
    reference
        .filter_map(|case| {
            let c = case.counts.as_ref()?.instructions_per_transaction?;
            let raw = instructions(&results.cases, REFERENCE, &case.workload)?;
            Some((case.workload, raw / c))
        })
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::counts::check::tests::results;

    #[test]
    fn a_line_has_a_part_per_transaction_and_a_part_per_put() {
        // heed needs 61 instructions per transaction and 25 per put more than its control.
        let value =
            |size: f64, own: bool| 1000.0 * size + if own { 61.0 + 25.0 * size } else { 0.0 };
        let cases: Vec<(&str, usize, f64)> = [1, 10, 100]
            .into_iter()
            .flat_map(|size| {
                [("heed", true), ("raw-ffi@lmdb-master-sys", false)]
                    .map(|(id, own)| (id, size, value(size as f64, own)))
            })
            .collect();
        let lines = lines(&results(&cases));
        assert_eq!(lines.len(), 1);
        assert_eq!(lines[0].backend, "heed");
        assert!((lines[0].per_put - 25.0).abs() < 1e-9, "{lines:?}");
        assert!((lines[0].per_transaction - 61.0).abs() < 1e-9, "{lines:?}");
        assert!(lines[0].off < 1e-9, "{lines:?}");
    }

    #[test]
    fn without_a_control_or_a_second_size_there_is_no_line() {
        assert_eq!(lines(&results(&[("heed", 1, 1.0), ("heed", 10, 2.0)])), []);
        let one = [("heed", 1, 1.0), ("raw-ffi@lmdb-master-sys", 1, 2.0)];
        assert_eq!(lines(&results(&one)), []);
    }

    #[test]
    fn raw_ffi_is_held_against_c() {
        let found = over_c(&results(&[("raw-ffi", 1, 101.0), ("c-reference", 1, 100.0)]));
        assert_eq!(found.len(), 1);
        assert!((found[0].1 - 1.01).abs() < 1e-12);
    }
}
