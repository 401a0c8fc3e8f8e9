//! The whole document.

use crate::guide::{costs, words};
use crate::pictures::published::{INSTRUCTIONS, OVERHEAD, TIME_PER_PUT, pictures};
use crate::table::{Column, Table, bullets};
use crate::view::{RunView, of_reference, shown_comparison};
use crate::{facts, header};
use records::looked_up::LookedUp;

/// The page of all published `runs`; summary and tables are of the reference machine's newest.
#[must_use]
pub fn page(runs: &[RunView<'_>], typed: &LookedUp) -> String {
    let mut parts = vec![
        "# Which binding?\n\nMade from the published runs below by `cargo run -p harness -- report`; not to be edited. \
         What was measured and how far to trust it: [METHOD.md](../METHOD.md); what the files mean: \
         [FORMAT.md](FORMAT.md).\n"
            .to_owned(),
    ];
    if let Some((run, compare)) = shown_comparison(runs) {
        let counts = run.counts.as_ref();
        let warnings = bullets(&header::bold_warnings(compare.results));
        parts.push(format!(
            "## In short\n\nOne machine, one compiler: [{}]({}/README.md). {}{warnings}",
            run.name(),
            run.place(),
            words::summary(compare, run.equal_flags.as_ref(), counts),
        ));
        parts.push(format!("## When it matters\n\n{}", costs::section(compare)));
    }
    parts.push(format!("## Where to look\n\n{}", questions(runs, typed)));
    if let Some((run, found)) = of_reference(runs, |it| it.run.facts.as_ref()) {
        let behaviour = of_reference(runs, |it| it.run.behaviour.as_ref()).map(|(_, found)| found);
        parts.push(format!(
            "## Beside speed\n\n{}\nHow these came about, raw FFI on the other engines, and the sources of what was looked \
             up: [{}]({}/README.md#beside-speed).\n",
            facts::tables(found, behaviour, typed),
            run.name(),
            run.place()
        ));
    }
    parts.push(format!("## Published runs\n\n{}", published(runs)));
    parts.join("\n")
}

/// A question in each row, and what answers it.
fn questions(runs: &[RunView<'_>], typed: &LookedUp) -> String {
    let mut rows: Vec<(&str, String)> = Vec::new();
    if let Some((run, _)) = shown_comparison(runs) {
        let link =
            |name: &str, section: &str| format!("[{name}]({}/README.md#{section})", run.place());
        let picture = |name: &str| format!("[picture]({}/{name})", run.place());
        rows.extend([
            (
                "Which binding is faster, and is that real?",
                format!("{}, {}", link("summary", "summary"), picture(OVERHEAD)),
            ),
            ("By how much with my batch and value size?", link("table", "binding-overhead")),
            (
                "How long does a transaction take?",
                format!(
                    "{}, {}",
                    link("tables", "time-per-transaction-commit-nosync"),
                    picture(TIME_PER_PUT)
                ),
            ),
            ("What would I see, LMDB and binding together?", link("table", "binding-and-engine")),
            ("How small a difference could it have found?", link("noise floor", "noise-floor")),
        ]);
    }
    if let Some((run, _)) = of_reference(runs, |it| it.counts.as_ref()) {
        let mut answer = format!("[tables]({}/README.md#counts)", run.place());
        if pictures(run).iter().any(|picture| picture.name == INSTRUCTIONS) {
            answer = format!("{answer}, [picture]({}/{INSTRUCTIONS})", run.place());
        }
        rows.push(("Where do the instructions go?", answer));
    }
    if let Some((run, _)) = of_reference(runs, |it| it.run.behaviour.as_ref()) {
        let answer = format!("[behaviour]({}/behaviour.md)", run.place());
        rows.push(("What does it do with mistakes, and when it is killed?", answer));
    }
    if typed.seed.is_some() {
        let answer = "[their numbers beside ours](seed/README.md)".to_owned();
        rows.push(("What does the benchmark say that this grew from?", answer));
    }
    if runs.iter().any(|it| it.compare.is_some()) {
        let answer = "[choose for yourself](index.html): one page, to be opened from a disk";
        rows.push(("Something else?", answer.to_owned()));
    }
    if rows.is_empty() {
        return "Nothing was published yet.\n".to_owned();
    }
    let mut table = Table::new(["Question", "Answer"].map(Column::left));
    for (question, answer) in rows {
        table.row([question.to_owned(), answer]);
    }
    table.to_string()
}

/// One row per run: where, when, on what, and what is there.
fn published(runs: &[RunView<'_>]) -> String {
    let mut table = Table::new(["Run", "Processor", "What is there"].map(Column::left));
    for run in runs {
        let name = format!("[{}]({}/README.md)", run.name(), run.place());
        let machine = run.run.machine().map_or("-".to_owned(), header::machine);
        table.row([name, machine, contents(run)]);
    }
    if table.is_empty() { "None yet.\n".to_owned() } else { table.to_string() }
}

/// What is there, each with a link to it.
fn contents(view: &RunView<'_>) -> String {
    let run = view.run;
    let calibration = match &run.calibration {
        Some(_) => "README.md#calibration",
        None => "README.md#calibration-to-a-given-precision",
    };
    let has_calibration = run.calibration.is_some() || run.precise_calibration.is_some();
    let parts = [
        ("times", "README.md", run.compare.is_some()),
        ("with equal flags", "README.md", run.equal_flags.is_some()),
        ("counts", "README.md#counts", run.counts.is_some()),
        ("behaviour", "behaviour.md", run.behaviour.is_some()),
        ("calibration", calibration, has_calibration),
        ("facts", "README.md#beside-speed", run.facts.is_some()),
    ];
    let there = parts.iter().filter(|(_, _, is_there)| *is_there);
    let there: Vec<String> =
        there.map(|(name, link, _)| format!("[{name}]({}/{link})", view.place())).collect();
    if there.is_empty() { "nothing".to_owned() } else { there.join(", ") }
}

#[cfg(test)]
mod tests {
    use super::*;
    use records::published::{Published, REFERENCE_HOST};
    use records::testing::{self, Run};

    fn made(run: &Published) -> String {
        page(&[RunView::new(run)], &LookedUp::default())
    }

    #[test]
    fn a_page_has_what_there_is_and_links_to_nothing_else() {
        let mut run = Published::empty(REFERENCE_HOST, "2026-01-02");
        run.compare = Some(Run::whole().build());
        let text = made(&run);
        let headings: Vec<&str> = text.lines().filter(|line| line.starts_with('#')).collect();
        let expected = [
            "# Which binding?",
            "## In short",
            "## When it matters",
            "## Where to look",
            "## Published runs",
        ];
        assert_eq!(headings, expected);
        assert!(text.contains("](xeon-vm/2026-01-02/README.md#summary)"), "{text}");
        for absent in ["instructions.svg", "behaviour.md", "seed/README.md", "#beside-speed"] {
            assert!(!text.contains(absent), "{absent}: {text}");
        }
        // Other machines are listed, and what they say is no summary.
        run.host = "another".to_owned();
        let text = made(&run);
        assert!(text.contains("[another, 2026-01-02](another/2026-01-02/README.md)"), "{text}");
        assert!(!text.contains("## In short"), "{text}");
    }

    #[test]
    fn a_run_without_times_is_linked_with_what_it_has() {
        let mut run = Published::empty("another", "2026-01-02");
        run.calibration = Some(testing::calibration());
        let text = made(&run);
        let link = "[calibration](another/2026-01-02/README.md#calibration)";
        assert!(text.contains(link) && text.contains("Some CPU, virtual machine"), "{text}");
        let nothing = page(&[], &LookedUp::default());
        assert!(nothing.contains("Nothing was published yet.") && nothing.ends_with("None yet.\n"));
    }
}
