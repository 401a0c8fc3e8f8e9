//! The published runs, and where to look for what.

use crate::report::table::{Align, Table};
use crate::results::published::{Published, of_reference, shown_comparison};
use crate::results::typed::Typed;

/// One row per run: where, when, on what, and what is there.
#[must_use]
pub fn table(runs: &[Published]) -> String {
    let mut table = Table::new(&[
        ("Run", Align::Left),
        ("Processor", Align::Left),
        ("What is there", Align::Left),
    ]);
    for run in runs {
        let name = format!("{}, {}", run.host, run.date);
        let compare = run.compare.as_ref();
        let name = match compare {
            Some(_) => format!("[{name}]({}/README.md)", run.place().display()),
            None => name,
        };
        let results = compare.or(run.equal_flags.as_ref()).or(run.counts.as_ref());
        let cpu = results.map_or("-".to_owned(), |results| {
            let machine = match results.host.virtual_machine {
                Some(true) => " (virtual machine)",
                _ => "",
            };
            format!("{}{machine}", results.host.cpu)
        });
        table.row([name, cpu, contents(run)]);
    }
    if table.is_empty() { "None yet.\n".to_owned() } else { table.to_string() }
}

fn contents(run: &Published) -> String {
    let parts = [
        ("times", run.compare.is_some()),
        ("with equal flags", run.equal_flags.is_some()),
        ("counts", run.counts.is_some()),
        ("behaviour", run.behaviour.is_some()),
        ("calibration", run.calibration.is_some()),
        ("facts", run.facts.is_some()),
    ];
    let there: Vec<&str> = parts.iter().filter(|(_, is)| *is).map(|(name, _)| *name).collect();
    if there.is_empty() { "nothing".to_owned() } else { there.join(", ") }
}

/// A question in each row, and what answers it.
#[must_use]
pub fn questions(runs: &[Published], typed: &Typed) -> String {
    let mut table = Table::new(&[("Question", Align::Left), ("Answer", Align::Left)]);
    let mut row = |question: &str, answer: String| table.row([question.to_owned(), answer]);
    if let Some((run, _)) = shown_comparison(runs) {
        let place = run.place();
        let page = |section: &str| format!("{}/README.md#{section}", place.display());
        let picture = |name: &str| format!("[picture]({}/{name}.svg)", place.display());
        row(
            "Which binding is faster, and is that real?",
            format!("[summary]({}), {}", page("summary"), picture("overhead")),
        );
        row(
            "By how much with my batch and value size?",
            format!("[table]({})", page("binding-overhead")),
        );
        row(
            "How long does a transaction take?",
            format!(
                "[tables]({}), {}",
                page("time-per-transaction-commit-nosync"),
                picture("time-per-put")
            ),
        );
        row(
            "What would I see, LMDB and binding together?",
            format!("[table]({})", page("binding-and-engine")),
        );
        row(
            "How small a difference could it have found?",
            format!("[noise floor]({})", page("noise-floor")),
        );
        if run.counts.is_some() {
            row("Where do the instructions go?", picture("instructions"));
        }
    }
    if let Some((run, _)) = of_reference(runs, |run| run.behaviour.as_ref()) {
        let place = run.place();
        let link = format!("[behaviour]({}/behaviour.md)", place.display());
        row("What does it do with mistakes, and when it is killed?", link);
    }
    if typed.seed.is_some() {
        row(
            "What does the benchmark say that this grew from?",
            "[their numbers beside ours](seed/README.md)".to_owned(),
        );
    }
    if runs.iter().any(|run| run.compare.is_some()) {
        row(
            "Something else?",
            "[choose for yourself](index.html): one page, to be opened from a disk".to_owned(),
        );
    }
    if table.is_empty() { "Nothing was published yet.\n".to_owned() } else { table.to_string() }
}
