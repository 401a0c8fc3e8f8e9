//! The benchmark this project grew from, as its authors published it, beside ours.

use std::collections::BTreeSet;
use std::fmt::Write as _;

use write_backend::{Finish, Workload};

use crate::groups::groups_over;
use crate::table::{Column, Table, bullets};
use crate::units;
use crate::view::{Role, RunView, View, of_reference, shown_comparison};
use records::looked_up::seed::{Seed, SeedTable};
use statistics::{CostLine, GeometricMean};

/// The branches of the binding there, before and after it took spans. A backend here that has the name
/// of a branch stands for it.
const BEFORE: &str = "pre-span";
const AFTER: &str = "master";
/// The confidence of the intervals where no run says another.
const CONFIDENCE: f64 = 0.95;

/// What makes times there and here different things. It names no number: those are in the tables.
const REASONS: &str = "\
- A managed runtime there: every call crosses into C through its interop layer, and what is allocated is collected \
later, in part outside what was timed. Here the calls are compiled into the program.
- Other machines and other systems; one of them is not described at all.
- Which LMDB, and how it was compiled, is not said there. Here the version and the flags stand above every table, \
because they make a difference of their own.
- In that benchmark's code keys were integers in the machine's byte order, least significant byte first: LMDB sees them ascend only as \
long as one byte is enough. Ours ascend always (`sequential`); `--order sequential-le` writes theirs.
- In its code all values were one shared buffer of zeros. Ours are derived from their keys, so that a wrong one is seen.
- There each case was measured by itself, one after the other. Here every backend is launched again and again, in turn \
with the others, and a ratio is formed between samples that lie close together.
- There the tree stayed empty, as nothing was committed. So it does here with `abort`; with `commit` it is filled, \
and values are replaced.
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
         ## Allocation per put\n\n{}\n## What the old way costs, relative to the new\n\n{}\n## Times, for \
         completeness\n\n{}\n### Why these times cannot be compared\n\n{REASONS}",
        seed.source,
        seed.never_committed,
        machines(seed),
        allocations(seed, counts),
        ratios(seed, compare),
        times(seed, compare)
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
         {absent}\n\n{table}{}",
        allocations_in_words(seed, counts)
    )
}

fn allocations_in_words(seed: &Seed, counts: Option<&View<'_>>) -> String {
    let per_put = |branch| Some(line_there(seed.branch(branch)?)?.per_put);
    let (Some(before), Some(after)) = (per_put(BEFORE), per_put(AFTER)) else {
        return String::new();
    };
    let count = units::count;
    let mut text = format!(
        "\nSpans took {} B from every put there, of {}.",
        count(before - after),
        count(before)
    );
    let ours = counts.map(|counts| lines_here(counts, BEFORE)).unwrap_or_default();
    if let Some(range) = units::range(ours.iter().map(|line| line.per_put), count) {
        let _ = write!(text, " Our `{BEFORE}` stands for what they took away: {range} B.");
    }
    text + "\n"
}

/// A ratio over the value sizes of one batch size.
struct Row {
    name: String,
    batch_size: usize,
    ratios: Vec<f64>,
}

/// What the way before spans costs there, and what it costs here: tables, and the ranges in words.
fn ratios(seed: &Seed, compare: Option<&View<'_>>) -> String {
    let confidence = compare.map_or(CONFIDENCE, |view| view.results.options.confidence);
    let there = ratios_there(seed);
    let mut text = format!(
        "Per batch size the geometric mean over value sizes, its {} interval with the value size as the unit, and the \
         lowest and highest. There: the two tables of one machine, mean over mean; that {AFTER} has spans is what the \
         other branch's name says. Here: over raw FFI on the same LMDB, the ratio that the run's own page has.\n",
        units::percent(confidence)
    );
    let mut words = Vec::new();
    for (finish, beside) in [(Finish::Abort, &there[..]), (Finish::Commit, &[])] {
        let here = compare.map(|view| ratios_here(seed, view, finish)).unwrap_or_default();
        let mut table = Table::new([
            Column::left("Ratio"),
            Column::right("BatchSize"),
            Column::right("Mean"),
            Column::left("Interval"),
            Column::left("Range"),
        ]);
        for row in beside.iter().chain(&here) {
            let Ok(mean) = GeometricMean::of(&row.ratios, confidence) else { continue };
            let interval = mean.interval.map(|it| units::interval(it.low, it.high));
            table.row([
                row.name.clone(),
                row.batch_size.to_string(),
                units::ratio(mean.mean),
                interval.unwrap_or_else(|| units::ABSENT.to_owned()),
                units::interval(mean.min, mean.max),
            ]);
        }
        if !table.is_empty() {
            let _ = write!(text, "\n{finish}:\n\n{table}");
        }
        words.extend(longer(beside).map(|range| format!("There the old way took {range} longer")));
        let same = here.iter().filter(|row| row.name.starts_with(BEFORE));
        words.extend(
            longer(same).map(|range| format!("here, with {finish}, {range} longer than raw FFI")),
        );
    }
    if !words.is_empty() {
        let _ = write!(text, "\n{}.\n", words.join("; "));
    }
    text
}

/// By how much a transaction takes longer, over all ratios: `20 % to 35 %`.
fn longer<'row>(rows: impl IntoIterator<Item = &'row Row>) -> Option<String> {
    let ratios = rows.into_iter().flat_map(|row| row.ratios.clone());
    units::range(ratios, |ratio| format!("{:.0} %", (ratio - 1.0) * 100.0))
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
        let ratio = |row: &records::looked_up::seed::SeedRow| {
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
            let name = format!("{} / {}", backend.id, compare.reference());
            rows.push(Row { name, batch_size, ratios });
        }
    }
    rows
}

fn times(seed: &Seed, compare: Option<&View<'_>>) -> String {
    let there = seed.tables.iter().map(|table| table.label.as_str());
    let numbers = there.chain(["raw, abort", "raw, commit"]).map(Column::right);
    let mut table = Table::new(std::iter::once(Column::left("Workload")).chain(numbers));
    let Some(first) = seed.tables.first() else { return String::new() };
    for row in &first.rows {
        let (batch, value) = (row.batch_size, row.write_size);
        let there = seed.tables.iter().map(|it| Some(it.row(batch, value)?.mean_us));
        let here = [Finish::Abort, Finish::Commit].map(|finish| {
            let view = compare?;
            let case = view.case(view.reference(), &like_the_seed(finish, batch, value))?;
            Some(case.time.as_ref()?.mean_ns / 1e3)
        });
        let cells = there.chain(here).map(|value| units::or_absent(value, units::ratio));
        table.row(std::iter::once(format!("n{batch}-v{value}")).chain(cells));
    }
    format!(
        "Mean time of a transaction in microseconds, by puts (n) and bytes per value (v). \"raw\" is raw FFI here.\n\n\
         {table}"
    )
}

#[cfg(test)]
mod tests {
    use super::*;
    use records::looked_up::seed::stored;
    use records::published::{Published, REFERENCE_HOST};
    use records::testing::Run;

    #[test]
    fn without_a_run_the_page_has_theirs_alone() {
        let page = page(&stored(), &[]);
        assert!(page.contains("nothing was published yet"), "{page}");
        assert!(page.contains("| n100-v256 | 21.123 |"), "{page}");
        assert!(!page.contains("here  |"), "{page}");
    }

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
        assert!(page.contains("here, with abort, 25 % longer than raw FFI"), "{page}");
    }
}
