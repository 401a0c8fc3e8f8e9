//! The table of times, in the form of the benchmark this project grew from: one row per backend and
//! workload.

use write_backend::Workload;

use crate::counted::Counted;
use crate::groups::{WorkloadTable, constants, groups_by};
use crate::table::{Column, Section};
use crate::units::{self, ABSENT};
use crate::view::View;
use records::schema::{CaseRecord, Status};

/// The axes with a table for each of their values; the others are columns, so that nothing is pooled.
const TITLE: [&str; 2] = ["finish", "sync"];

/// One table of times for each finish and sync mode.
///
/// `Error` is half of the 99.9 % interval of the mean over launches, `Ratio` the time over that of the
/// reference on the same workload, as [`Ratio`](records::schema::Ratio) has it. A failed case
/// has its reason instead of a time. With counts there are `Alloc`, bytes that Rust code allocates, and
/// `Instr`, instructions, both per transaction.
#[must_use]
pub fn sections(view: &View<'_>, counted: Option<&Counted<'_>>) -> Vec<Section> {
    let groups = groups_by(view.workloads(), &TITLE);
    let mut sections: Vec<Section> = Vec::new();
    for group in groups {
        let mut rows = Rows::new(view, &group.workloads, counted);
        let cases: Vec<&CaseRecord> = view.cases_on(&group.workloads).collect();
        for case in &cases {
            rows.add(case);
        }
        let title = format!("Time per transaction: {}", group.title);
        let mut section =
            Section::new(title, constants(&group.workloads, &TITLE), rows.table.table);
        section.notes = rows.notes;
        section.notes.extend(counted.and_then(|counted| counted.absent(&cases)));
        sections.push(section);
    }
    if let Some(last) = sections.last_mut() {
        last.notes.extend(counted.and_then(|counted| counted.disagreements(view)));
    }
    sections
}

/// The rows of one table.
struct Rows<'a> {
    view: &'a View<'a>,
    counted: Option<&'a Counted<'a>>,
    /// Whether the run has estimates with intervals, and not means alone.
    has_ratios: bool,
    table: WorkloadTable,
    notes: Vec<String>,
}

impl<'a> Rows<'a> {
    fn new(view: &'a View<'a>, workloads: &[Workload], counted: Option<&'a Counted<'a>>) -> Self {
        let mut headings = vec!["Mean", "Error", "StdDev", "Median", "Ratio"];
        headings.extend(["Alloc", "Instr"].iter().filter(|_| counted.is_some()));
        let numbers = headings.into_iter().map(Column::right);
        let table = WorkloadTable::new(workloads, &TITLE, [Column::left("Backend")], numbers);
        let has_ratios = view.cases().any(|case| case.relative.is_some());
        Self { view, counted, has_ratios, table, notes: Vec::new() }
    }

    fn add(&mut self, case: &CaseRecord) {
        let mut cells = Vec::new();
        match state(case) {
            None => cells.extend(self.times(case)),
            Some((word, reason)) => {
                self.notes.push(format!("{word}: {}/{}: {reason}", case.workload, case.backend));
                cells.push(word);
                cells.extend(std::iter::repeat_n(String::new(), 4));
            }
        }
        cells.extend(self.counted.into_iter().flat_map(|counted| counts(case, counted)));
        self.table.row([case.backend.as_str()], &case.workload, cells);
    }

    fn times(&mut self, case: &CaseRecord) -> [String; 5] {
        let Some(time) = &case.time else { return [ABSENT; 5].map(str::to_owned) };
        let like = |value: f64| units::time_like(value, time.mean_ns);
        [
            units::time(time.mean_ns),
            units::or_absent(time.error_ns, like),
            units::or_absent(time.std_dev_ns, like),
            like(time.median_ns),
            units::or_absent(self.ratio(case), |ratio| format!("{ratio:.2}")),
        ]
    }

    /// The time over that of the reference: the estimate that has an interval in a table of its own, or,
    /// in a run that has no such estimates, the quotient of the means.
    fn ratio(&self, case: &CaseRecord) -> Option<f64> {
        let reference = self.view.reference();
        if !self.view.results.one_family([reference, &case.backend]) {
            return None;
        }
        if self.has_ratios {
            let own = (case.backend == reference).then_some(1.0);
            return own.or_else(|| Some(case.relative.as_ref()?.estimate));
        }
        let base = self.view.case(reference, &case.workload)?.time.as_ref()?.mean_ns;
        Some(case.time.as_ref()?.mean_ns / base)
    }
}

/// Why a case has no numbers: a word for its cell, and the reason.
#[must_use]
pub fn state(case: &CaseRecord) -> Option<(String, &str)> {
    let reason = case.reason.as_deref().unwrap_or("no reason was recorded");
    (case.status != Status::Ok).then(|| (case.status.to_string(), reason))
}

/// The cells of what was counted.
fn counts(case: &CaseRecord, counted: &Counted<'_>) -> [String; 2] {
    let counts = counted.counts(case);
    let bytes = counts.and_then(|it| it.rust_bytes_per_transaction);
    let instructions = counts.and_then(|it| it.instructions_per_transaction);
    [
        units::or_absent(bytes, |bytes| format!("{} B", units::count(bytes))),
        units::or_absent(instructions, |instructions| format!("{instructions:.0}")),
    ]
}
