//! Facts beside speed: what bindings are, what they bring with them, and what they can do.

use std::fmt::Write as _;

use write_backend::protocol::behaviour::Outcome;

use crate::table::{Column, Table};
use crate::units;
use records::behaviour::Behaviour;
use records::facts::{CrateFacts, Facts, Refusal, Release};
use records::looked_up::LookedUp;
use records::looked_up::advisories::{Advisories, Advisory};
use records::looked_up::by_hand::{Feature, Has};

/// How the numbers come about, for the page of a run.
const HOW: &str = "Collected by `cargo run -p harness -- facts`. Crates brought along: all others that are compiled for \
a program with it, for itself or for build scripts, with the features that are used here, on this system. Clean build: \
the smallest program that opens, puts and commits through it, built from nothing in release mode by all cores, without \
downloads and with the crates' own flags: the median of several. Program: that program, stripped, beyond one that does nothing. `unsafe` blocks are \
counted among the tokens of that program. Releases are as cargo's copy of the registry's index has them.";
/// Neither shown nor looked up.
const UNKNOWN: &str = "?";
/// What a crate does not say.
const NOT_SAID: &str = "not said";

/// The section of a run's page: the tables, how they came about, and the sources of what was looked up.
#[must_use]
pub fn section(facts: &Facts, behaviour: Option<&Behaviour>, typed: &LookedUp) -> String {
    format!(
        "### Beside speed\n\n{HOW}\n\n{}\n{}{}",
        tables(facts, behaviour, typed),
        sources(facts),
        looked_up_sources(facts, typed)
    )
}

/// The tables for somebody who chooses a binding: facts, and what each can do.
#[must_use]
pub fn tables(facts: &Facts, behaviour: Option<&Behaviour>, typed: &LookedUp) -> String {
    // Of raw FFI the first, which the others are compared with.
    let first_raw = facts.crates.iter().find(|it| is_raw(it)).map(|it| &it.backend);
    let is_choice = |it: &&CrateFacts| !is_raw(it) || Some(&it.backend) == first_raw;
    let bindings: Vec<&CrateFacts> = facts.crates.iter().filter(is_choice).collect();
    format!(
        "{}\n{}\n{}",
        table(facts, &bindings, typed),
        advisories_note(facts, typed.advisories.as_ref()),
        features(&bindings, behaviour, typed)
    ) + &compiler(&bindings)
}

/// A mistake in each row, a crate in each column: whether it compiles. Nothing where none were tried.
fn compiler(crates: &[&CrateFacts]) -> String {
    let mut mistakes: Vec<&Refusal> = Vec::new();
    for one in crates.iter().flat_map(|it| &it.compiler) {
        if !mistakes.iter().any(|it| it.mistake == one.mistake) {
            mistakes.push(one);
        }
    }
    if mistakes.is_empty() {
        return String::new();
    }
    let columns = crates.iter().map(|one| Column::left(one.name.as_str()));
    let mut table =
        Table::new(std::iter::once(Column::left("What the compiler refuses")).chain(columns));
    for Refusal { mistake, means, .. } in mistakes {
        let cell = |one: &&CrateFacts| match one
            .compiler
            .iter()
            .find(|it| it.mistake == *mistake)
            .map(|it| &it.error)
        {
            Some(Some(code)) => format!("refused ({code})"),
            Some(None) => "compiles".to_owned(),
            None => UNKNOWN.to_owned(),
        };
        table.row(std::iter::once(means.clone()).chain(crates.iter().map(cell)));
    }
    format!(
        "\n{table}\n`refused`: the program does not compile, with this error. Where it compiles, LMDB is not told either.\n"
    )
}

/// Raw FFI, on whatever engine.
fn is_raw(one: &CrateFacts) -> bool {
    one.name == one.engine_crate
}

/// A fact in each row, a crate in each column.
fn table(facts: &Facts, crates: &[&CrateFacts], typed: &LookedUp) -> Table {
    let columns = crates.iter().map(|one| Column::right(one.name.as_str()));
    let mut table = Table::new(std::iter::once(Column::left("Fact")).chain(columns));
    let mut row = |name: &str, cell: &dyn Fn(&CrateFacts) -> String| {
        table.row(std::iter::once(name.to_owned()).chain(crates.iter().map(|one| cell(one))));
    };
    let said = |text: &Option<String>| text.clone().unwrap_or_else(|| NOT_SAID.to_owned());
    row("version", &|one| one.version.clone());
    row("released", &|one| released(one, typed));
    row("newest version", &newest);
    row("LMDB", &|one| said(&one.engine_version));
    row("licence", &|one| said(&one.licence));
    row("oldest Rust", &|one| said(&one.rust_version));
    row("crates brought along", &|one| one.dependencies.len().to_string());
    row("clean build", &|one| format!("{:.1} s", one.build.median()));
    row("program, beyond an empty one", &|one| {
        let more = one.build.bytes as f64 - facts.empty.bytes as f64;
        format!("{:.1} KiB", more / f64::from(1 << 10))
    });
    row("`unsafe` in the program", &|one| one.unsafe_in_program.to_string());
    row("advisories", &|one| advisories(one, typed.advisories.as_ref()));
    table
}

/// The day from the index, or else the one that was looked up.
pub(crate) fn released(one: &CrateFacts, typed: &LookedUp) -> String {
    let mut entries = typed.by_hand.iter().flat_map(|by_hand| &by_hand.released);
    let looked_up = || {
        entries
            .find(|it| (&it.name, &it.version) == (&one.name, &one.version))
            .map(|it| it.day.clone())
    };
    one.released.clone().or_else(looked_up).unwrap_or_else(|| UNKNOWN.to_owned())
}

fn newest(one: &CrateFacts) -> String {
    match &one.newest {
        Some(Release { version, .. }) if *version == one.version => "this one".to_owned(),
        Some(Release { version, day: Some(day) }) => format!("{version}, {day}"),
        Some(Release { version, day: None }) => version.clone(),
        None => UNKNOWN.to_owned(),
    }
}

/// What concerns the versions here, of the crate or of what it brings with it. A list cannot know what
/// came after it.
fn advisories(one: &CrateFacts, list: Option<&Advisories>) -> String {
    let Some(list) = list else { return UNKNOWN.to_owned() };
    let all = list.advisories.iter().filter(|it| it.applies_to_locked_version);
    let ids: Vec<&str> = all.filter(|it| it.concerns(&one.name)).map(|it| it.id.as_str()).collect();
    let is_older = one.released.as_ref().is_some_and(|day| *day > list.list_date);
    match ids.as_slice() {
        [] if is_older => UNKNOWN.to_owned(),
        [] => "none".to_owned(),
        ids => ids.join(", "),
    }
}

fn advisories_note(facts: &Facts, list: Option<&Advisories>) -> String {
    let Some(list) = list else {
        return "No list of advisories was looked through.\n".to_owned();
    };
    let mut text = format!(
        "Advisories that concern the versions here, of a crate or of one it brings along: {} ({}). \
         `?`: the version is newer than that list.",
        list.list, list.list_date
    );
    let is_about = |it: &&Advisory| {
        it.applies_to_locked_version && facts.crates.iter().any(|one| it.concerns(&one.name))
    };
    for it in list.advisories.iter().filter(is_about) {
        let _ = write!(text, " {}: {}: {}.", it.id, it.name, it.title);
    }
    text + "\n"
}

/// A feature in each row, a crate in each column: as the behaviour cases showed it, and where no case
/// does, as somebody looked it up. The last column says which.
fn features(crates: &[&CrateFacts], behaviour: Option<&Behaviour>, typed: &LookedUp) -> Table {
    let columns = crates.iter().map(|one| Column::right(one.name.as_str()));
    let ends = [Column::left("Can it"), Column::left("Shown by")];
    let [first, last] = ends;
    let mut table = Table::new(std::iter::once(first).chain(columns).chain([last]));
    for feature in Feature::ALL {
        let mut cells = vec![feature.name().to_owned()];
        cells.extend(crates.iter().map(|one| {
            let has = match feature.case() {
                Some(case) => shown(behaviour, case, &one.backend),
                None => looked_up(typed, feature, &one.name),
            };
            has.unwrap_or(UNKNOWN).to_owned()
        }));
        cells.push(feature.case().map_or("looked up".to_owned(), |case| format!("`{case}`")));
        table.row(cells);
    }
    table
}

/// Whether the case came out as done.
fn shown(behaviour: Option<&Behaviour>, case: &str, backend: &str) -> Option<&'static str> {
    let case = behaviour?.cases.iter().find(|it| it.case == case)?;
    match case.seen.iter().find(|seen| seen.backend == backend)?.outcome {
        Outcome::Done { .. } => Some("yes"),
        Outcome::NotChecked { .. } => None,
        _ => Some("no"),
    }
}

fn looked_up(typed: &LookedUp, feature: Feature, name: &str) -> Option<&'static str> {
    let mut entries = typed.by_hand.as_ref()?.features.iter();
    Some(yes_or_no(entries.find(|it| it.feature == feature && it.name == name)?.has))
}

const fn yes_or_no(has: Has) -> &'static str {
    match has {
        Has::Yes => "yes",
        Has::No => "no",
    }
}

/// Where the crates are developed.
fn sources(facts: &Facts) -> String {
    let mut text = String::new();
    for one in &facts.crates {
        if let Some(repository) = &one.repository {
            let _ = writeln!(text, "- {} {}: <{repository}>", one.name, one.version);
        }
    }
    let builds = units::counted(facts.empty.seconds.len(), "build", "builds");
    let (rustc, cpu) = (&facts.host.rustc, &facts.host.cpu);
    text + &format!("- {builds} of each program, by {rustc} on {cpu}\n")
}

/// What was looked up, with where it stands; nothing where nothing was.
fn looked_up_sources(facts: &Facts, typed: &LookedUp) -> String {
    let is_here = |name: &str| facts.crates.iter().any(|one| one.name == name);
    let Some(by_hand) = &typed.by_hand else { return String::new() };
    let mut lines = Vec::new();
    for feature in Feature::ALL {
        lines.extend(
            by_hand.features.iter().filter(|it| it.feature == feature && is_here(&it.name)).map(
                |it| {
                    let (feature, has) = (feature.name(), yes_or_no(it.has));
                    (format!("{feature}, {}: {has}: {}", it.name, it.how), &it.source, &it.checked)
                },
            ),
        );
    }
    lines.extend(by_hand.unsafe_calls.iter().filter(|it| is_here(&it.name)).map(|it| {
        (format!("needs `unsafe`, {}: {}", it.name, it.calls.join(", ")), &it.source, &it.checked)
    }));
    lines.extend(by_hand.released.iter().filter(|it| is_here(&it.name)).map(|it| {
        (format!("released, {} {}: {}", it.name, it.version, it.day), &it.source, &it.checked)
    }));
    let line = |(what, source, day)| format!("- {what} ({source}; looked at on {day})\n");
    format!("\nLooked up, and where:\n\n{}", lines.into_iter().map(line).collect::<String>())
}

#[cfg(test)]
mod tests {
    use expect_test::expect;

    use super::*;
    use records::facts::Build;
    use records::looked_up::by_hand;

    /// Facts about two crates.
    fn facts() -> Facts {
        let stored = include_str!("../../records/tests/fixtures/facts-schema-1.json");
        let mut facts: Facts = serde_json::from_str(stored).unwrap();
        let heed = facts.crates[0].clone();
        let raw = CrateFacts {
            backend: "raw-ffi".to_owned(),
            name: "lmdb-sys".to_owned(),
            engine_crate: "lmdb-sys".to_owned(),
            rust_version: None,
            released: None,
            newest: Some(Release { version: heed.version.clone(), day: None }),
            build: Build { seconds: vec![2.0, 3.0, 2.5], bytes: 400 << 10 },
            compiler: heed.compiler[1..].to_vec(),
            ..heed
        };
        facts.crates.insert(0, raw);
        facts
    }

    #[test]
    fn facts_in_tables() {
        let advisories: Advisories = serde_json::from_value(serde_json::json!({
            "schema": 1, "list": "A list", "list_date": "2026-11-01", "advisories": [
                {"id": "A-1", "crate": "libc", "used_by": ["heed"], "title": "Bad",
                 "applies_to_locked_version": true}],
        }))
        .unwrap();
        let mut by_hand = by_hand::stored();
        by_hand.features.retain(|it| it.name == "heed");
        let typed = LookedUp { seed: None, by_hand: Some(by_hand), advisories: Some(advisories) };
        expect![[r#"
            | Fact                         |  lmdb-sys |               heed |
            |------------------------------|----------:|-------------------:|
            | version                      |    0.23.1 |             0.23.1 |
            | released                     |         ? |         2026-10-26 |
            | newest version               |  this one | 0.24.0, 2026-11-01 |
            | LMDB                         |    0.9.70 |             0.9.70 |
            | licence                      |       MIT |                MIT |
            | oldest Rust                  |  not said |               1.80 |
            | crates brought along         |         1 |                  1 |
            | clean build                  |     2.5 s |              4.0 s |
            | program, beyond an empty one | 107.0 KiB |           87.9 KiB |
            | `unsafe` in the program      |         1 |                  1 |
            | advisories                   |      none |                A-1 |

            Advisories that concern the versions here, of a crate or of one it brings along: A list (2026-11-01). `?`: the version is newer than that list. A-1: libc: Bad.

            | Can it                 | lmdb-sys | heed | Shown by                |
            |------------------------|---------:|-----:|-------------------------|
            | nested transactions    |        ? |    ? | `nested/commit`         |
            | append                 |        ? |    ? | `append/ascending`      |
            | reserve                |        ? |    ? | `reserve/filled`        |
            | duplicate keys         |        ? |    ? | `duplicates/two-values` |
            | resize                 |        ? |    ? | `resize/grow`           |
            | put at a cursor        |        ? |  yes | looked up               |
            | own key order          |        ? |  yes | looked up               |
            | owned read transaction |        ? |  yes | looked up               |
            | read on another thread |        ? |  yes | looked up               |
            | encryption             |        ? |   no | looked up               |

            | What the compiler refuses                           | lmdb-sys | heed            |
            |-----------------------------------------------------|----------|-----------------|
            | a second thread writes                              | compiles | compiles        |
            | a value that was read is used after its transaction | ?        | refused (E0505) |

            `refused`: the program does not compile, with this error. Where it compiles, LMDB is not told either.
        "#]].assert_eq(&tables(&facts(), None, &typed));
    }
}
