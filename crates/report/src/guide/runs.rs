//! The published runs, and where to look for what.

use crate::pictures::published::{INSTRUCTIONS, pictures};
use crate::table::{Align, Table};
use records::looked_up::LookedUp;
use records::published::{Published, of_reference, shown_comparison};

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
        let name = format!("[{name}]({}/README.md)", run.place().display());
        let cpu = run.machine().map_or("-".to_owned(), |host| {
            let machine = match host.virtual_machine {
                Some(true) => " (virtual machine)",
                _ => "",
            };
            format!("{}{machine}", host.cpu)
        });
        table.row([name, cpu, contents(run)]);
    }
    if table.is_empty() { "None yet.\n".to_owned() } else { table.to_string() }
}

/// What is there, each with a link to it.
fn contents(run: &Published) -> String {
    let has_calibration = run.calibration.is_some() || run.precise_calibration.is_some();
    let calibration = match &run.calibration {
        Some(_) => "README.md#calibration",
        None => "README.md#calibration-to-a-given-precision",
    };
    let parts = [
        ("times", "README.md", run.compare.is_some()),
        ("with equal flags", "README.md", run.equal_flags.is_some()),
        ("counts", "README.md#counts", run.counts.is_some()),
        ("behaviour", "behaviour.md", run.behaviour.is_some()),
        ("calibration", calibration, has_calibration),
        ("facts", "README.md#beside-speed", run.facts.is_some()),
    ];
    let place = run.place();
    let there = parts.iter().filter(|(_, _, is_there)| *is_there);
    let there: Vec<String> =
        there.map(|(name, link, _)| format!("[{name}]({}/{link})", place.display())).collect();
    if there.is_empty() { "nothing".to_owned() } else { there.join(", ") }
}

/// A question in each row, and what answers it.
#[must_use]
pub fn questions(runs: &[Published], typed: &LookedUp) -> String {
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
    }
    if let Some((run, _)) = of_reference(runs, |run| run.counts.as_ref()) {
        let place = run.place();
        let is_drawn = pictures(run).iter().any(|picture| picture.name == INSTRUCTIONS);
        let picture = format!(", [picture]({}/{INSTRUCTIONS})", place.display());
        row(
            "Where do the instructions go?",
            format!(
                "[tables]({}/README.md#counts){}",
                place.display(),
                if is_drawn { &picture } else { "" }
            ),
        );
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
