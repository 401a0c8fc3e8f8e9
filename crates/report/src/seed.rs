//! The benchmark this project grew from, as its authors published it, beside ours.

use std::collections::BTreeSet;

use write_backend::{Finish, Workload};

use crate::groups::groups_over;
use crate::table::{Column, Table, bullets};
use crate::units;
use crate::view::{Role, RunView, View, of_reference, shown_comparison};
use records::seed::{Seed, SeedTable};
use statistics::{CostLine, GeometricMean};

/// The branches of the binding there, before and after it took spans. A backend here that has the name
/// of a branch stands for it.
const BEFORE: &str = "pre-span";
const AFTER: &str = "master";

/// Why no times stand here.
const REASONS: &str = "\
Times there and here are not compared: there a managed runtime calls LMDB, on other machines and systems, with an LMDB \
whose version and flags are not said; keys are integers in the machine's byte order (`--order sequential-le` writes \
them so), and all values are one buffer of zeros. Each case was measured by itself; here backends take turns.
";

/// Our workload that comes closest to one of the published grid: all other axes as in the seed.
fn like_the_seed(finish: Finish, batch_size: usize, value_size: usize) -> Workload {
    Workload { finish, batch_size, value_size, ..Workload::default() }
}

/// The page of `seed`, beside the newest run of the reference machine.
#[must_use]
pub fn page(seed: &Seed, runs: &[RunView<'_>]) -> String {
    let found = shown_comparison(runs);
    let compare = found.map(|(_, compare)| compare);
    let counts = of_reference(runs, |it| it.counts.as_ref()).map(|(_, counts)| counts);
    let here = match found {
        Some((run, compare)) => format!(
            "- Here: {}, {} ([{}](../{}/README.md))\n",
            compare.results.host.cpu,
            compare.results.host.system,
            run.name(),
            run.place()
        ),
        None => "- Here: nothing was published yet\n".to_owned(),
    };
    format!(
        "# The benchmark this grew from, beside ours\n\nMade from [seed.json](seed.json) and the newest published run \
         of the reference machine by `cargo run -p harness -- report`; not to be edited.\n\nSource: {}\n\nNothing was \
         committed there: {}. The case that stands for it here is `abort`; `commit` is shown beside it.\n\n{}{here}\n\
         ## Allocation per put\n\n{}\n## What the old way costs, relative to the new\n\n{}\n{REASONS}",
        seed.source,
        seed.never_committed,
        machines(seed),
        allocations(seed, counts),
        ratios(seed, compare)
    )
}

fn machines(seed: &Seed) -> String {
    let line = |table: &SeedTable| {
        let branch = table.branch.as_ref().map(|branch| format!("branch {branch}"));
        let branch = branch.unwrap_or_else(|| "branch not said".to_owned());
        format!("{}: {}, {branch}, {}", table.label, table.who, table.machine)
    };
    bullets(&seed.tables.iter().map(line).collect::<Vec<_>>())
}

/// The line through the allocated bytes of a published table.
fn line_there(table: &SeedTable) -> Option<CostLine> {
    let points = table.rows.iter().map(|row| (row.batch_size as f64, row.allocated_bytes as f64));
    CostLine::through(&points.collect::<Vec<_>>())
}

/// The lines of a backend here, one per value size.
fn lines_here(counts: &View<'_>, backend: &str) -> Vec<CostLine> {
    let is_like =
        |it: &&Workload| **it == like_the_seed(Finish::Abort, it.batch_size, it.value_size);
    let workloads: Vec<Workload> = counts.workloads().iter().filter(is_like).copied().collect();
    let line = |group: crate::groups::Group| {
        let cases = counts.cases_of(backend, &group.workloads);
        let points = cases.filter_map(|case| {
            let bytes = case.counts.as_ref()?.rust_bytes_per_transaction?;
            Some((case.workload.batch_size as f64, bytes))
        });
        CostLine::through(&points.collect::<Vec<_>>())
    };
    groups_over(&workloads, &["batch_size"]).into_iter().filter_map(line).collect()
}

/// What a put allocates there and here.
fn allocations(seed: &Seed, counts: Option<&View<'_>>) -> String {
    let names = ["Where", "Backend"].map(Column::left);
    let numbers = ["B per transaction", "B per put", "Off"].map(Column::right);
    let mut table = Table::new(names.into_iter().chain(numbers));
    let mut row = |place: &str, who: &str, lines: &[CostLine]| {
        let part = |part: fn(&CostLine) -> f64| units::range(lines.iter().map(part), units::count);
        let parts = [part(|it| it.per_transaction), part(|it| it.per_put), part(|it| it.off)];
        if !lines.is_empty() {
            let cells = [place, who].map(str::to_owned).into_iter();
            table.row(cells.chain(parts.map(Option::unwrap_or_default)));
        }
    };
    for published in &seed.tables {
        row("there", &published.label, line_there(published).as_slice());
    }
    // Raw FFI on other engines differs in C alone.
    let is_rust = |role| matches!(role, Role::Reference | Role::Binding);
    if let Some(view) = counts {
        for backend in view.backends().iter().filter(|it| is_rust(view.role(it))) {
            row("here", &backend.id, &lines_here(view, &backend.id));
        }
    }
    let absent = match counts {
        Some(_) => "",
        None => " No counts of the reference machine were published yet.",
    };
    format!(
        "A line of least squares through the bytes that a transaction allocates, over its number of puts; of ours one \
         line for each value size, and from the lowest to the highest of them. \"Off\" is how far the farthest point \
         is from its line. There it is managed memory, here what Rust code allocates; LMDB's own is in neither.\
         {absent}\n\n{table}"
    )
}

/// A ratio over the value sizes of one batch size.
struct Row {
    name: String,
    batch_size: usize,
    ratios: Vec<f64>,
}

/// What the way before spans costs there, and what it costs here.
fn ratios(seed: &Seed, compare: Option<&View<'_>>) -> String {
    let mut rows = ratios_there(seed);
    for finish in [Finish::Abort, Finish::Commit] {
        rows.extend(compare.map(|view| ratios_here(seed, view, finish)).unwrap_or_default());
    }
    let [name, range] = ["Ratio", "Range"].map(Column::left);
    let [batch, mean] = ["BatchSize", "Mean"].map(Column::right);
    let mut table = Table::new([name, batch, mean, range]);
    for row in rows {
        // Any confidence: the interval is not shown.
        let Ok(mean) = GeometricMean::of(&row.ratios, 0.5) else { continue };
        let range = units::interval(mean.min, mean.max);
        table.row([row.name, row.batch_size.to_string(), units::ratio(mean.mean), range]);
    }
    format!(
        "Per batch size the geometric mean over value sizes, the lowest and the highest. There: the two tables of one \
         machine, mean over mean; that {AFTER} has spans is what the other branch's name says. Here: over raw FFI on \
         the same LMDB, the ratio that the run's own page has.\n\n{table}"
    )
}

fn batch_sizes(seed: &Seed) -> BTreeSet<usize> {
    seed.tables.iter().flat_map(|table| &table.rows).map(|row| row.batch_size).collect()
}

/// The pre-span branch over the one with spans.
fn ratios_there(seed: &Seed) -> Vec<Row> {
    let (Some(before), Some(after)) = (seed.branch(BEFORE), seed.branch(AFTER)) else {
        return Vec::new();
    };
    let row = |batch_size| {
        let rows = before.rows.iter().filter(|row| row.batch_size == batch_size);
        let ratio = |row: &records::seed::SeedRow| {
            Some(row.mean_us / after.row(row.batch_size, row.write_size)?.mean_us)
        };
        let ratios = rows.filter_map(ratio).collect();
        Row { name: "there: pre-span / span".to_owned(), batch_size, ratios }
    };
    batch_sizes(seed).into_iter().map(row).collect()
}

/// The ways here to hand over buffers, over raw FFI.
fn ratios_here(seed: &Seed, compare: &View<'_>, finish: Finish) -> Vec<Row> {
    let mut rows = Vec::new();
    for backend in compare.with_role(Role::Binding).filter(|it| compare.is_variant(it)) {
        for batch_size in batch_sizes(seed) {
            let is_like = |it: &&Workload| **it == like_the_seed(finish, batch_size, it.value_size);
            let like: Vec<Workload> = compare.workloads().iter().filter(is_like).copied().collect();
            let cases = compare.cases_of(&backend.id, &like);
            let ratios = cases.filter_map(|case| Some(case.relative.as_ref()?.estimate)).collect();
            let name = format!("{finish}: {} / {}", backend.id, compare.reference());
            rows.push(Row { name, batch_size, ratios });
        }
    }
    rows
}

#[cfg(test)]
mod tests {
    use super::*;
    use records::published::{Published, REFERENCE_HOST};
    use records::seed::stored;
    use records::testing::Run;

    #[test]
    fn what_a_put_allocated_comes_out_of_the_published_numbers() {
        let seed = stored();
        let line = |branch| line_there(seed.branch(branch).unwrap()).unwrap();
        let parts =
            |line: CostLine| [line.per_transaction, line.per_put, line.off].map(units::count);
        assert_eq!(parts(line(BEFORE)), ["304", "80", "0"]);
        assert_eq!(parts(line(AFTER)), ["304", "0", "0"]);
        let rows = ratios_there(&seed);
        let sizes: Vec<usize> = rows.iter().map(|row| row.batch_size).collect();
        assert_eq!(sizes, [1, 10, 100]);
        assert!((rows[0].ratios[0] - 1.745 / 1.154).abs() < 1e-9);
    }

    #[test]
    fn ours_stand_beside_theirs_and_other_axes_do_not() {
        let names = ["abort-n1-v4-k4-sequential-nosync", "abort-n1-v4-k4-sequential-nosync-append"];
        let both = Run::compare().workloads(&names).backend("raw-ffi", None, 1.0);
        let both = both.backend("pre-span", Some("raw-ffi"), 1.25);
        let both = both.on("pre-span", names[1], 9.0);
        let both = both.edit(|run| run.backends[1].binding = run.backends[0].binding.clone());
        let mut run = Published::empty(REFERENCE_HOST, "2026-01-02");
        run.compare = Some(both.build());
        let page = page(&stored(), &[RunView::new(&run)]);
        assert!(page.contains("| abort: pre-span / raw-ffi |         1 | 1.249 |"), "{page}");
    }
}
