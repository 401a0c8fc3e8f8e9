//! The whole document.

use crate::answer::machines;
use crate::guide::{costs, words};
use crate::pictures::pictures;
use crate::table::{Column, Table, bullets};
use crate::view::{RunView, of_reference, shown_comparison};
use crate::{facts, header, suites};
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
    parts.extend(suites::gain(runs).map(|(said, link)| format!("{said} {link}.\n")));
    if let Some((run, compare)) = shown_comparison(runs) {
        let counts = run.counts.as_ref();
        let warnings = bullets(&header::bold_warnings(compare.results));
        parts.push(format!(
            "## In short\n\nOne machine, one compiler: [{}]({}/README.md). {}{warnings}",
            run.name(),
            run.place(),
            words::summary(compare, run.equal_flags.as_ref(), counts),
        ));
        parts.extend(machines::section(runs).map(|it| format!("## Several machines\n\n{it}")));
        parts.push(format!("## When it matters\n\n{}", costs::section(compare)));
    }
    parts.push(format!("## Where to look\n\n{}", elsewhere(runs, typed)));
    if let Some((run, found)) = of_reference(runs, |it| it.run.facts.as_ref()) {
        let behaviour = of_reference(runs, |it| it.run.behaviour.as_ref()).map(|(_, found)| found);
        parts.push(format!(
            "## Beside speed\n\n{}\nHow these came about, and the sources of what was looked \
             up: [{}]({}/README.md#beside-speed).\n",
            facts::tables(found, behaviour, typed),
            run.name(),
            run.place()
        ));
    }
    parts.push(format!("## Published runs\n\n{}", published(runs)));
    parts.join("\n")
}

/// A line for each thing that is published elsewhere.
fn elsewhere(runs: &[RunView<'_>], typed: &LookedUp) -> String {
    let mut lines = Vec::new();
    if let Some((run, _)) = shown_comparison(runs) {
        let place = run.place();
        let pictures = pictures(run).into_iter();
        let pictures = pictures.map(|it| format!("[{}]({place}/{})", it.title, it.name));
        lines.push(format!("Tables of this run: [{}]({place}/README.md)", run.name()));
        lines.push(format!("Pictures: {}", pictures.collect::<Vec<_>>().join(", ")));
        lines.push(
            "All runs in one page to choose from, from a disk too: [index.html](index.html)"
                .to_owned(),
        );
    }
    lines.extend(suites::links(runs));
    if let Some((run, _)) = of_reference(runs, |it| it.run.behaviour.as_ref()) {
        let place = run.place();
        lines.push(format!("Mistakes, and killed processes: [behaviour]({place}/behaviour.md)"));
    }
    if typed.seed.is_some() {
        lines.push("The benchmark that this grew from: [beside ours](seed/README.md)".to_owned());
    }
    if lines.is_empty() { "Nothing was published yet.\n".to_owned() } else { bullets(&lines) }
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
    use records::testing::Run;

    #[test]
    fn a_page_has_what_there_is_and_links_to_nothing_else() {
        let mut run = Published::empty(REFERENCE_HOST, "2026-01-02");
        run.compare = Some(Run::whole().build());
        let made = |run: &Published| page(&[RunView::new(run)], &LookedUp::default());
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
        assert!(text.contains("[Overhead](epyc-vm/2026-01-02/overhead.svg)"), "{text}");
        for absent in ["instructions.svg", "behaviour.md", "seed/README.md", "#beside-speed"] {
            assert!(!text.contains(absent), "{absent}: {text}");
        }
        // Another machine is shown where the reference machine has no run.
        run.host = "another".to_owned();
        let text = made(&run);
        assert!(text.contains("[another, 2026-01-02](another/2026-01-02/README.md)"), "{text}");
        assert!(text.contains("[Overhead](another/2026-01-02/overhead.svg)"), "{text}");
    }
}
