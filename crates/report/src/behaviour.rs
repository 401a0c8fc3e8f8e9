//! What backends do with awkward input and when their process is killed, as documents.

use std::fmt::Write as _;

use crate::header;
use crate::table::{Column, Table};
use crate::units;
use records::behaviour::{Behaviour, BehaviourCase, Kills, Seen};

/// What the words in a cell mean. It names no binding.
const LEGEND: &str = "\
- *done*: it works, and what was checked afterwards was right; what follows is what was seen.
- *refused*: the call returned an error: the call, the kind of error, and what was seen after it.
- *accepted though wrong*: no error, although it is a mistake or cannot do what was asked.
- *WRONG*: a promise was broken: data lost, changed or invented.
- *panic*, *crash*, *deadlock*: how it ended, and during which step.
- *not checked*: the machine could not perform it.
";

/// What no program can do, whatever the backend.
const TYPES: &str = "\
Some mistakes cannot be written down, because they do not compile with any backend of this workspace: a put into a \
transaction that was committed, aborted or dropped; closing an environment while a transaction is open in it; using a \
transaction while another is open within it.
";

/// The page of a stored run.
#[must_use]
pub fn page(found: &Behaviour) -> String {
    format!(
        "# Behaviour\n\nMade from [behaviour.json](behaviour.json) by `cargo run -p harness -- report`; not to be \
         edited. The file is made by `cargo run --release -p harness -- behaviour`, which performs every case with every backend, each \
         in a process of its own under a watchdog.\n\n{}{}\n## Where backends differ\n\n{}\n{}\n## When the process \
         is killed\n\n{}\n## All cases\n\n{LEGEND}\nWhere backends differ, what most do comes first.\n\n{TYPES}\n{}",
        machine(found),
        warnings(found),
        differences_in_words(found),
        differences(&found.cases),
        kills_section(found),
        all_cases(&found.cases)
    )
}

/// A section of the project's README: how many cases differ, and whether anything was lost.
#[must_use]
pub fn section(found: &Behaviour) -> String {
    format!("{}\n{}", differences_in_words(found), killed_in_words(&found.kills))
}

/// What a terminal shows at the end of a run.
#[must_use]
pub fn summary(found: &Behaviour) -> String {
    format!(
        "{}{}\n{}\n{}",
        warnings(found),
        differences_in_words(found),
        differences(&found.cases),
        kills_table(&found.kills)
    )
}

fn machine(found: &Behaviour) -> String {
    let host = &found.host;
    format!(
        "- Host: {}: {}, {}\n- Killed writers' environments: on {}; seed {}\n- Compiled by {} for {}\n\n{}",
        host.name,
        host.cpu,
        host.system,
        found.file_system,
        found.seed,
        host.rustc,
        host.target,
        header::backends(&found.backends)
    )
}

/// What a reader must know before believing the rest.
fn warnings(found: &Behaviour) -> String {
    let mut text = String::new();
    if !found.complete {
        let _ = writeln!(text, "\n**Partial: the run was interrupted.**");
    }
    for failure in &found.failures {
        let _ = writeln!(text, "\n**Not found out: {failure}**");
    }
    for case in &found.cases {
        for seen in case.seen.iter().filter(|seen| seen.is_surprise()) {
            let _ = writeln!(
                text,
                "\n**Not as declared: {}, {}: {}**",
                seen.backend, case.case, seen.outcome
            );
        }
    }
    for kills in &found.kills {
        for wrong in &kills.wrong {
            let _ =
                writeln!(text, "\n**After a kill: {}, {}: {wrong}**", kills.backend, kills.sync);
        }
    }
    text
}

/// Backends that do the same in a case.
struct Group<'case> {
    essence: String,
    seen: Vec<&'case Seen>,
}

/// What was seen in `case`, what most do first.
fn groups(case: &BehaviourCase) -> Vec<Group<'_>> {
    let mut groups: Vec<Group<'_>> = Vec::new();
    for seen in &case.seen {
        let essence = seen.outcome.essence();
        match groups.iter_mut().find(|group| group.essence == essence) {
            Some(group) => group.seen.push(seen),
            None => groups.push(Group { essence, seen: vec![seen] }),
        }
    }
    // Stable: of equally large groups the first backend's stays first.
    groups.sort_by_key(|group| std::cmp::Reverse(group.seen.len()));
    groups
}

impl Group<'_> {
    fn backends(&self) -> String {
        let ids: Vec<&str> = self.seen.iter().map(|seen| seen.backend.as_str()).collect();
        ids.join(", ")
    }

    /// What it means for a user that these backends do this.
    fn meaning(&self) -> String {
        let declared = self.seen.iter().find_map(|seen| seen.for_the_user.clone());
        declared.unwrap_or_else(|| "Not declared: look at it before you rely on either.".to_owned())
    }
}

fn differences_in_words(found: &Behaviour) -> String {
    let all = found.cases.len();
    let different = found.cases.iter().filter(|case| groups(case).len() > 1).count();
    format!(
        "{} of {} come out the same with all {}.\n",
        all - different,
        units::counted(all, "case", "cases"),
        units::counted(found.backends.len(), "backend", "backends")
    )
}

/// One row per case and group of backends that do not do what most do.
fn differences(cases: &[BehaviourCase]) -> Table {
    let mut table = Table::new([
        Column::left("Case"),
        Column::left("Most backends"),
        Column::left("Backend"),
        Column::left("does instead"),
        Column::left("What it means for you"),
    ]);
    for case in cases {
        let groups = groups(case);
        let [most, others @ ..] = &groups[..] else { continue };
        for other in others {
            table.row([
                format!("`{}`: {}", case.case, case.means),
                most.essence.clone(),
                other.backends(),
                other.essence.clone(),
                other.meaning(),
            ]);
        }
    }
    table
}

fn kills_section(found: &Behaviour) -> String {
    format!(
        "Writers commit numbered batches, each with a checksum, report each commit, and are killed (SIGKILL) at \
         random moments; then another process, raw FFI on the same engine, opens what is there. Every reported batch \
         must be there, whole; of the batch that was being written everything (its commit had happened, its report \
         had not) or nothing; and a further batch must be taken. A killed process loses nothing in any sync mode, \
         because the kernel keeps what was written; what a crash of the machine would leave is not tested here.\n\n\
         {}\n*lost*: reported batches that were missing or not whole; *in part*: unreported batches of which \
         something was there; *unreadable*: the environment could not be opened or read; *refused*: it took no \
         further batch; *cut off*: batches that were there although their report was not.\n",
        kills_table(&found.kills)
    )
}

fn kills_table(kills: &[Kills]) -> Table {
    let mut table = Table::new([
        Column::left("Backend"),
        Column::left("Sync mode"),
        Column::right("Kills"),
        Column::right("while opening"),
        Column::right("Batches reported"),
        Column::right("cut off"),
        Column::right("lost"),
        Column::right("in part"),
        Column::right("unreadable"),
        Column::right("refused"),
    ]);
    for row in kills {
        let numbers = [
            row.kills,
            row.while_opening,
            row.reported,
            row.committed_unreported,
            row.lost,
            row.partial,
            row.unreadable,
            row.refused,
        ];
        let names = [row.backend.clone(), row.sync.name().to_owned()];
        table.row(names.into_iter().chain(numbers.iter().map(u64::to_string)));
    }
    table
}

fn killed_in_words(kills: &[Kills]) -> String {
    let sum = |of: fn(&Kills) -> u64| kills.iter().map(of).sum::<u64>();
    let [killed, reported, lost, partial] =
        [sum(|it| it.kills), sum(|it| it.reported), sum(|it| it.lost), sum(|it| it.partial)];
    let sound = kills.iter().all(Kills::is_sound);
    let rest = if sound { "and every environment took new writes" } else { "see there" };
    format!(
        "Writers of all backends were killed at {killed} random moments, in all sync modes: of {reported} reported \
         batches {lost} were lost, {partial} were there in part, {rest}.\n"
    )
}

/// All cases, by the part of their name before the slash.
fn all_cases(cases: &[BehaviourCase]) -> String {
    let subject = |case: &BehaviourCase| {
        case.case.split_once('/').map_or(case.case.as_str(), |(subject, _)| subject).to_owned()
    };
    let mut text = String::new();
    for chunk in cases.chunk_by(|one, next| subject(one) == subject(next)) {
        let mut table = Table::new([
            Column::left("Case"),
            Column::left("What it is"),
            Column::left("What happens"),
        ]);
        for case in chunk {
            table.row([format!("`{}`", case.case), case.means.clone(), what_happens(case)]);
        }
        let subject = chunk.first().map(subject).unwrap_or_default();
        let _ = writeln!(text, "### {subject}\n\n{table}");
    }
    text
}

fn what_happens(case: &BehaviourCase) -> String {
    let groups = groups(case);
    let parts = groups.iter().enumerate().map(|(index, group)| match index {
        0 => group.essence.clone(),
        _ => format!("**{}**: {}", group.backends(), group.essence),
    });
    parts.collect::<Vec<_>>().join("; ")
}

#[cfg(test)]
mod tests;
