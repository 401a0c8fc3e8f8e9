//! The whole document.

use std::fmt::Write as _;

use crate::documents::layout_luck;
use crate::guide::{costs, runs, words};
use crate::{facts, header};
use records::calibration::Calibration;
use records::looked_up::LookedUp;
use records::published::{Published, of_reference, shown_comparison};

/// The page of all published `runs`; summary and tables are of the reference machine's newest.
#[must_use]
pub fn page(runs: &[Published], typed: &LookedUp) -> String {
    let mut parts = vec![
        "# Which binding?\n\nMade from the published runs below by `cargo run -p harness -- report`; not to be edited. \
         What was measured and how far to trust it: [METHOD.md](../METHOD.md); what the files mean: \
         [FORMAT.md](FORMAT.md).\n"
            .to_owned(),
    ];
    if let Some((run, compare)) = shown_comparison(runs) {
        let calibration = of_reference(runs, |run| run.calibration.as_ref());
        let luck = calibration.and_then(|(_, found): (_, &Calibration)| layout_luck(found));
        let counts = run.counts.as_ref();
        parts.push(format!(
            "## In short\n\nOne machine, one compiler: [{}, {}]({}/README.md). {}{}",
            run.host,
            run.date,
            run.place().display(),
            words::summary(compare, run.equal_flags.as_ref(), counts, luck),
            warnings(&header::warnings(compare))
        ));
        parts.push(format!("## When it matters\n\n{}", costs::section(compare)));
    }
    parts.push(format!("## Where to look\n\n{}", runs::questions(runs, typed)));
    if let Some((run, found)) = of_reference(runs, |run| run.facts.as_ref()) {
        let behaviour = of_reference(runs, |run| run.behaviour.as_ref()).map(|(_, found)| found);
        parts.push(format!(
            "## Beside speed\n\n{}\nHow these came about, raw FFI on the other engines, and the sources of what was looked \
             up: [{}, {}]({}/README.md#beside-speed).\n",
            facts::tables(found, behaviour, typed),
            run.host,
            run.date,
            run.place().display()
        ));
    }
    parts.push(format!("## Published runs\n\n{}", runs::table(runs)));
    parts.join("\n")
}

/// What a reader must know before he believes a number.
fn warnings(warnings: &[String]) -> String {
    warnings.iter().fold(String::new(), |mut text, warning| {
        // Writing to a string cannot fail.
        let _ = writeln!(text, "- **{warning}**");
        text
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::snapshots::results;
    use records::published::REFERENCE_HOST;

    fn run() -> Published {
        let empty = Published::empty(REFERENCE_HOST, "2026-01-02");
        Published { compare: Some(results()), ..empty }
    }

    #[test]
    fn a_page_has_what_there_is_and_links_to_nothing_else() {
        let text = page(&[run()], &LookedUp::default());
        let headings: Vec<&str> = text.lines().filter(|line| line.starts_with('#')).collect();
        assert_eq!(
            headings,
            [
                "# Which binding?",
                "## In short",
                "## When it matters",
                "## Where to look",
                "## Published runs"
            ]
        );
        assert!(text.contains("](xeon-vm/2026-01-02/README.md#summary)"), "{text}");
        for absent in ["instructions.svg", "behaviour.md", "seed/README.md", "#beside-speed"] {
            assert!(!text.contains(absent), "{absent}: {text}");
        }
    }

    #[test]
    fn a_run_without_times_is_linked_with_what_it_has() {
        let mut run = Published::empty("another", "2026-01-02");
        run.calibration = Some(records::testing::calibration());
        let text = page(&[run], &LookedUp::default());
        let link = "[calibration](another/2026-01-02/README.md#calibration)";
        assert!(text.contains(link) && text.contains("Some CPU (virtual machine)"), "{text}");
    }

    #[test]
    fn nothing_published_is_said() {
        let text = page(&[], &LookedUp::default());
        assert!(text.contains("Nothing was published yet."), "{text}");
        assert!(text.ends_with("None yet.\n"), "{text}");
    }

    #[test]
    fn other_machines_are_listed_and_do_not_speak() {
        let mut other = run();
        other.host = "another".to_owned();
        let text = page(&[other], &LookedUp::default());
        assert!(text.contains("[another, 2026-01-02](another/2026-01-02/README.md)"), "{text}");
        assert!(!text.contains("## In short"), "{text}");
    }
}
