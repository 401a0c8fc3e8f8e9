//! The whole page.

use std::fmt::Write as _;

use write_backend::Finish;

use crate::REFERENCE;
use crate::seed::workloads::is_like_the_seed;
use crate::seed::{allocations, ratios};
use crate::table::{Align, Table};
use records::published::{Published, of_reference, shown_comparison};
use records::schema::{CaseRecord, Results};
use records::seed::Seed;

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

/// The page of `seed`, beside the newest run of the reference machine.
#[must_use]
pub fn page(seed: &Seed, runs: &[Published]) -> String {
    let found = shown_comparison(runs);
    let compare = found.map(|(_, compare)| compare);
    let counts = of_reference(runs, |run| run.counts.as_ref()).map(|(_, counts)| counts);
    let here = match found {
        Some((run, compare)) => format!(
            "- Here: {}, {} ([{}, {}](../{}/README.md))\n",
            compare.host.cpu,
            compare.host.system,
            run.host,
            run.date,
            run.place().display()
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
        allocations::section(seed, counts),
        ratios::section(seed, compare),
        times(seed, compare)
    )
}

fn machines(seed: &Seed) -> String {
    seed.tables.iter().fold(String::new(), |mut text, table| {
        let branch = table
            .branch
            .as_deref()
            .map_or_else(|| "branch not said".to_owned(), |branch| format!("branch {branch}"));
        // Writing to a string cannot fail.
        let _ = writeln!(text, "- {}: {}, {branch}, {}", table.label, table.who, table.machine);
        text
    })
}

fn times(seed: &Seed, compare: Option<&Results>) -> String {
    let mut columns = vec![("Workload", Align::Left)];
    columns.extend(seed.tables.iter().map(|table| (table.label.as_str(), Align::Right)));
    columns.extend([("raw, abort", Align::Right), ("raw, commit", Align::Right)]);
    let mut table = Table::new(&columns);
    let Some(first) = seed.tables.first() else { return String::new() };
    let microseconds = |value: Option<f64>| value.map_or("-".to_owned(), |it| format!("{it:.3}"));
    for row in &first.rows {
        let (batch, value) = (row.batch_size, row.write_size);
        let there = seed.tables.iter().map(|it| Some(it.row(batch, value)?.mean_us));
        let here = [Finish::Abort, Finish::Commit].map(|finish| {
            let of = |case: &&CaseRecord| {
                case.backend == REFERENCE
                    && (case.workload.batch_size, case.workload.value_size) == (batch, value)
                    && is_like_the_seed(&case.workload, finish)
            };
            let case = compare?.cases.iter().find(of)?;
            Some(case.time.as_ref()?.mean_ns / 1e3)
        });
        let cells = there.chain(here).map(microseconds);
        table.row(std::iter::once(format!("n{batch}-v{value}")).chain(cells));
    }
    format!(
        "Mean time of a transaction in microseconds, by puts (n) and bytes per value (v). \"raw\" is {REFERENCE} \
         here.\n\n{table}"
    )
}

#[cfg(test)]
mod tests {
    use super::*;
    use records::seed::stored;

    #[test]
    fn without_a_run_the_page_has_theirs_alone() {
        let page = page(&stored(), &[]);
        assert!(page.contains("nothing was published yet"), "{page}");
        assert!(page.contains("| n100-v256 | 21.123 |"), "{page}");
        assert!(!page.contains("here  |"), "{page}");
    }

    #[test]
    fn all_tables_fit_a_terminal() {
        for line in page(&stored(), &[]).lines().filter(|line| line.starts_with('|')) {
            assert!(line.chars().count() <= 80, "{line}");
        }
    }
}
