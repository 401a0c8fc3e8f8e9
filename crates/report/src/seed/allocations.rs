//! What a put allocates there and here.

use std::fmt::Write as _;

use write_backend::Finish;

use crate::counts::check::plain;
use crate::seed::workloads::{AFTER, BEFORE, is_like_the_seed};
use crate::table::{Align, Table};
use records::schema::{BackendRecord, CaseRecord, Results};
use records::seed::{Seed, SeedTable};
use statistics::CostLine;

/// The line through the allocated bytes of a published table.
#[must_use]
pub(super) fn allocation_line(table: &SeedTable) -> Option<CostLine> {
    let points = table.rows.iter().map(|row| (row.batch_size as f64, row.allocated_bytes as f64));
    CostLine::through(&points.collect::<Vec<_>>())
}

/// The lines of a backend here, one per value size.
fn lines_here(counts: &Results, backend: &str) -> Vec<CostLine> {
    let of_backend = |case: &&CaseRecord| {
        case.backend == backend && is_like_the_seed(&case.workload, Finish::Abort)
    };
    let points: Vec<(usize, (f64, f64))> = counts
        .cases
        .iter()
        .filter(of_backend)
        .filter_map(|case| {
            let bytes = case.counts.as_ref()?.rust_bytes_per_transaction?;
            Some((case.workload.value_size, (case.workload.batch_size as f64, bytes)))
        })
        .collect();
    let mut sizes: Vec<usize> = points.iter().map(|(size, _)| *size).collect();
    sizes.sort_unstable();
    sizes.dedup();
    let of_size = |size: usize| -> Vec<(f64, f64)> {
        points.iter().filter(|(it, _)| *it == size).map(|(_, point)| *point).collect()
    };
    sizes.into_iter().filter_map(|size| CostLine::through(&of_size(size))).collect()
}

/// The table and what it shows.
pub(super) fn section(seed: &Seed, counts: Option<&Results>) -> String {
    let mut table = Table::new(&[
        ("Where", Align::Left),
        ("Who", Align::Left),
        ("B per transaction", Align::Right),
        ("B per put", Align::Right),
        ("Off", Align::Right),
    ]);
    let mut row = |place: &str, who: &str, lines: &[CostLine]| {
        let part = |of: fn(&CostLine) -> f64| range(&lines.iter().map(of).collect::<Vec<_>>());
        let cells = [part(|it| it.per_transaction), part(|it| it.per_put), part(|it| it.off)];
        if !lines.is_empty() {
            table.row([place, who].map(str::to_owned).into_iter().chain(cells));
        }
    };
    for published in &seed.tables {
        let line = allocation_line(published);
        row("there", &published.label, line.as_slice());
    }
    let here = counts.map_or(&[][..], |counts| &counts.backends);
    for backend in here.iter().filter(|backend| is_one_of_ours(backend)) {
        row("here", &backend.id, &lines_here(counts.expect("it has backends"), &backend.id));
    }
    let absent = match counts {
        Some(_) => "",
        None => " No counts of the reference machine were published yet.",
    };
    format!(
        "A line of least squares through the bytes that a transaction allocates, over its number of puts; of ours one \
         line for each value size, and from the lowest to the highest of them. \"Off\" is how far the farthest point \
         is from its line. There it is managed memory, here what Rust code allocates; LMDB's own is in neither.\
         {absent}\n\n{table}{}",
        allocations_in_words(seed, counts)
    )
}

/// A backend with LMDB, but no control: those differ from `raw-ffi` in C alone.
fn is_one_of_ours(backend: &BackendRecord) -> bool {
    backend.engine_version.is_some() && !backend.id.contains('@') && !backend.is_loop_in_c()
}

fn allocations_in_words(seed: &Seed, counts: Option<&Results>) -> String {
    let per_put = |branch| Some(allocation_line(seed.branch(branch)?)?.per_put);
    let (Some(before), Some(after)) = (per_put(BEFORE), per_put(AFTER)) else {
        return String::new();
    };
    let mut text = format!(
        "\nSpans took {} B from every put there, of {}.",
        rounded(before - after),
        rounded(before)
    );
    let ours = counts.map(|counts| lines_here(counts, BEFORE)).unwrap_or_default();
    if !ours.is_empty() {
        let here: Vec<f64> = ours.iter().map(|line| line.per_put).collect();
        let _ = write!(text, " Our `{BEFORE}` stands for what they took away: {} B.", range(&here));
    }
    text + "\n"
}

/// One number, or the lowest and the highest.
fn range(values: &[f64]) -> String {
    let low = values.iter().copied().fold(f64::INFINITY, f64::min);
    let high = values.iter().copied().fold(f64::NEG_INFINITY, f64::max);
    let [low, high] = [low, high].map(rounded);
    if low == high { low } else { format!("{low}–{high}") }
}

/// Without the last bits of the arithmetic.
fn rounded(value: f64) -> String {
    match plain(value) {
        zero if zero == "-0" => "0".to_owned(),
        text => text,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use records::seed::stored;

    #[test]
    fn what_a_put_allocated_comes_out_of_the_published_numbers() {
        let seed = stored();
        let line = |branch| allocation_line(seed.branch(branch).unwrap()).unwrap();
        let parts = |line: CostLine| [line.per_transaction, line.per_put, line.off].map(rounded);
        assert_eq!(parts(line(BEFORE)), ["304", "80", "0"]);
        assert_eq!(parts(line(AFTER)), ["304", "0", "0"]);
    }
}
