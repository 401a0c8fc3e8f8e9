//! Facts beside speed: what bindings are, what they bring with them, and what they need from their
//! user.

use std::fmt::Write as _;

use crate::features;
use crate::table::{Align, Table};
use crate::units;
use records::behaviour::Behaviour;
use records::facts::advisories::Advisories;
use records::facts::schema::{Build, CrateFacts, Facts, Release};
use records::looked_up::LookedUp;

/// How the numbers come about, for the page of a run.
const HOW: &str = "Collected by `cargo run -p harness -- facts`. Crates brought along: all others that are compiled for \
a program with it, for itself or for build scripts, with the features that are used here, on this system. Clean build: \
the smallest program that opens, puts and commits through it, built from nothing in release mode by all cores, without \
downloads and with the crates' own flags. Program: that program, stripped. `unsafe` blocks are counted among the \
tokens of that program, and of the whole adapter here. Releases are as cargo's copy of the registry's index has them.";

/// The section of a run's page: the tables, how they came about, and the sources of what was typed.
#[must_use]
pub fn section(facts: &Facts, behaviour: Option<&Behaviour>, typed: &LookedUp) -> String {
    let others: Vec<&CrateFacts> = facts.crates.iter().filter(|it| is_raw(it)).collect();
    format!(
        "### Beside speed\n\n{HOW}\n\n{}\nRaw FFI, by the engine that the crate ships:\n\n{}\n{}{}",
        tables(facts, behaviour, typed),
        table(facts, &others, typed),
        sources(facts),
        features::sources(typed)
    )
}

/// The tables for somebody who chooses a binding: facts, and what each can do.
#[must_use]
pub fn tables(facts: &Facts, behaviour: Option<&Behaviour>, typed: &LookedUp) -> String {
    let bindings: Vec<&CrateFacts> = facts.crates.iter().filter(|it| is_choice(it)).collect();
    let found = table(facts, &bindings, typed);
    let features = features::table(&bindings, behaviour, typed.by_hand.as_ref());
    format!("{found}\n{}\n{features}", advisories_note(typed.advisories.as_ref()))
}

/// A binding, or raw FFI on the reference's engine.
fn is_choice(one: &CrateFacts) -> bool {
    !one.backend.contains('@')
}

/// Raw FFI, on whatever engine.
fn is_raw(one: &CrateFacts) -> bool {
    one.name == one.engine_crate
}

/// A fact in each row, a crate in each column.
fn table(facts: &Facts, crates: &[&CrateFacts], typed: &LookedUp) -> Table {
    let mut columns = vec![("Fact", Align::Left)];
    columns.extend(crates.iter().map(|one| (one.name.as_str(), Align::Right)));
    let mut table = Table::new(&columns);
    let mut row = |name: &str, cell: &dyn Fn(&CrateFacts) -> String| {
        let cells = crates.iter().map(|one| cell(one));
        table.row(std::iter::once(name.to_owned()).chain(cells));
    };
    row("version", &|one| one.version.clone());
    row("released", &|one| released(one, typed));
    row("newest version", &|one| newest(one));
    row("LMDB", &|one| one.engine_version.clone().unwrap_or_else(not_said));
    row("LMDB from", &|one| {
        if is_raw(one) { "itself".to_owned() } else { one.engine_crate.clone() }
    });
    row("licence", &|one| one.licence.clone().unwrap_or_else(not_said));
    row("edition of Rust", &|one| one.edition.clone());
    row("oldest Rust", &|one| one.rust_version.clone().unwrap_or_else(not_said));
    row("crates brought along", &|one| one.dependencies.len().to_string());
    row("clean build", &|one| format!("{:.1} s", one.build.median()));
    row("its range", &|one| build_range(&one.build));
    if let Some(reference) = facts.crates.iter().find(|one| one.backend == crate::REFERENCE) {
        let name = format!("over that of {}", reference.name);
        row(&name, &|one| format!("{:+.1} s", one.build.median() - reference.build.median()));
    }
    row("program", &|one| kibibytes(one.build.bytes as f64));
    row("over an empty one", &|one| difference(&one.build, &facts.empty));
    if let Some(reference) = facts.crates.iter().find(|one| one.backend == crate::REFERENCE) {
        let name = format!("over that with {}", reference.name);
        row(&name, &|one| difference(&one.build, &reference.build));
    }
    row("`unsafe`: program", &|one| one.unsafe_in_program.to_string());
    row("`unsafe`: adapter", &|one| one.unsafe_in_adapter.to_string());
    row("advisories", &|one| advisories(one, typed.advisories.as_ref()));
    table
}

fn not_said() -> String {
    "not said".to_owned()
}

/// The day from the index, or else the one that was typed.
fn released(one: &CrateFacts, typed: &LookedUp) -> String {
    let entries = typed.by_hand.iter().flat_map(|by_hand| &by_hand.released);
    let is_it = |name: &str, version: &str| (name, version) == (&one.name, &one.version);
    let typed = || Some(entries.clone().find(|it| is_it(&it.name, &it.version))?.day.clone());
    one.released.clone().or_else(typed).unwrap_or_else(|| "unknown".to_owned())
}

fn newest(one: &CrateFacts) -> String {
    match &one.newest {
        Some(Release { version, .. }) if *version == one.version => "this one".to_owned(),
        Some(Release { version, day: Some(day) }) => format!("{version}, {day}"),
        Some(Release { version, day: None }) => version.clone(),
        None => "unknown".to_owned(),
    }
}

fn build_range(build: &Build) -> String {
    let (low, high) = build.range();
    format!("{low:.1}–{high:.1} s")
}

/// Bytes in KiB, with one decimal.
fn kibibytes(bytes: f64) -> String {
    format!("{:.1} KiB", bytes / f64::from(1 << 10))
}

/// How much larger `one` is than `other`.
fn difference(one: &Build, other: &Build) -> String {
    let more = one.bytes as f64 - other.bytes as f64;
    if more < 0.0 { kibibytes(more) } else { format!("+{}", kibibytes(more)) }
}

/// What concerns the versions here, of the crate or of what it brings with it.
fn advisories(one: &CrateFacts, list: Option<&Advisories>) -> String {
    let Some(list) = list else { return "?".to_owned() };
    let all = list.advisories.iter().filter(|it| it.applies_to_locked_version);
    let ids: Vec<&str> = all.filter(|it| it.concerns(&one.name)).map(|it| it.id.as_str()).collect();
    // A list cannot know what came after it.
    let is_older = one.released.as_ref().is_some_and(|day| *day > list.list_date);
    match (ids.as_slice(), is_older) {
        ([], false) => "none".to_owned(),
        ([], true) => "none before it".to_owned(),
        (ids, _) => ids.join(", "),
    }
}

fn advisories_note(list: Option<&Advisories>) -> String {
    let Some(list) = list else {
        return "No list of advisories was looked through.\n".to_owned();
    };
    let mut text = format!(
        "Advisories that concern the versions here, of a crate or of one it brings along: {} ({}). \
         \"None before it\": the version is newer than that list.",
        list.list, list.list_date
    );
    for it in list.advisories.iter().filter(|it| it.applies_to_locked_version) {
        // Writing to a string cannot fail.
        let _ = write!(text, " {}: {}: {}.", it.id, it.name, it.title);
    }
    text + "\n"
}

/// Where the crates are developed.
fn sources(facts: &Facts) -> String {
    let mut text = String::new();
    for one in &facts.crates {
        if let Some(repository) = &one.repository {
            // Writing to a string cannot fail.
            let _ = writeln!(text, "- {} {}: <{repository}>", one.name, one.version);
        }
    }
    let builds = facts.empty.seconds.len();
    let builds = units::counted(builds, "build", "builds");
    let _ =
        writeln!(text, "- {builds} of each program, by {} on {}", facts.host.rustc, facts.host.cpu);
    text
}

#[cfg(test)]
mod tests {
    // The snapshot tool writes them so.
    #![allow(clippy::needless_raw_string_hashes)]

    use expect_test::expect;

    use super::*;
    use crate::snapshots::results;
    use records::facts::advisories::Advisory;
    use records::facts::by_hand;
    use records::testing;

    fn build(seconds: &[f64], bytes: u64) -> Build {
        Build { seconds: seconds.to_vec(), bytes }
    }

    /// Facts about two crates.
    fn facts() -> Facts {
        let one = CrateFacts {
            backend: "raw-ffi".to_owned(),
            name: "lmdb-sys".to_owned(),
            version: "0.8.0".to_owned(),
            engine_crate: "lmdb-sys".to_owned(),
            engine_crate_version: "0.8.0".to_owned(),
            engine_version: Some("0.9.21".to_owned()),
            licence: Some("Apache-2.0".to_owned()),
            repository: Some("https://example.org/one".to_owned()),
            edition: "2015".to_owned(),
            rust_version: None,
            dependencies: vec!["libc 0.2.0".to_owned()],
            released: Some("2018-03-03".to_owned()),
            newest: Some(Release { version: "0.8.0".to_owned(), day: None }),
            unsafe_in_program: 8,
            unsafe_in_adapter: 28,
            build: build(&[2.0, 3.0, 2.5], 400 << 10),
        };
        let heed = CrateFacts {
            backend: "heed".to_owned(),
            name: "heed".to_owned(),
            version: "0.1.0".to_owned(),
            engine_crate: "lmdb-master-sys".to_owned(),
            rust_version: Some("1.80".to_owned()),
            released: None,
            newest: Some(Release {
                version: "0.2.0".to_owned(),
                day: Some("2026-01-01".to_owned()),
            }),
            build: build(&[4.0], 390 << 10),
            ..one.clone()
        };
        Facts {
            schema: 1,
            producer: "facts".to_owned(),
            started_unix: 0,
            host: results().host,
            empty: build(&[0.5, 0.4, 0.6], 300 << 10),
            crates: vec![one, heed],
        }
    }

    #[test]
    fn facts_in_tables() {
        let advisory = Advisory {
            id: "A-1".to_owned(),
            name: "libc".to_owned(),
            used_by: vec!["heed".to_owned()],
            applies_to_locked_version: true,
            title: "Bad".to_owned(),
        };
        let advisories = Advisories {
            schema: 1,
            list: "A list".to_owned(),
            list_date: "2026-11-01".to_owned(),
            advisories: vec![
                advisory.clone(),
                Advisory { applies_to_locked_version: false, ..advisory },
            ],
        };
        let mut by_hand = by_hand::stored();
        by_hand.features.retain(|it| it.name == "heed");
        let typed = LookedUp { seed: None, by_hand: Some(by_hand), advisories: Some(advisories) };
        let behaviour = testing::behaviour();
        expect![[r#"
            | Fact                    |   lmdb-sys |              heed |
            |-------------------------|-----------:|------------------:|
            | version                 |      0.8.0 |             0.1.0 |
            | released                | 2018-03-03 |           unknown |
            | newest version          |   this one | 0.2.0, 2026-01-01 |
            | LMDB                    |     0.9.21 |            0.9.21 |
            | LMDB from               |     itself |   lmdb-master-sys |
            | licence                 | Apache-2.0 |        Apache-2.0 |
            | edition of Rust         |       2015 |              2015 |
            | oldest Rust             |   not said |              1.80 |
            | crates brought along    |          1 |                 1 |
            | clean build             |      2.5 s |             4.0 s |
            | its range               |  2.0–3.0 s |         4.0–4.0 s |
            | over that of lmdb-sys   |     +0.0 s |            +1.5 s |
            | program                 |  400.0 KiB |         390.0 KiB |
            | over an empty one       | +100.0 KiB |         +90.0 KiB |
            | over that with lmdb-sys |   +0.0 KiB |         -10.0 KiB |
            | `unsafe`: program       |          8 |                 8 |
            | `unsafe`: adapter       |         28 |                28 |
            | advisories              |       none |               A-1 |

            Advisories that concern the versions here, of a crate or of one it brings along: A list (2026-11-01). "None before it": the version is newer than that list. A-1: libc: Bad.

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
        "#]].assert_eq(&tables(&facts(), Some(&behaviour), &typed));
    }

    #[test]
    fn what_is_not_there_is_said() {
        let text = section(&facts(), None, &LookedUp::default());
        assert!(text.contains("No list of advisories was looked through."), "{text}");
        assert!(text.contains("| nested transactions    |        ? |    ? |"), "{text}");
        assert!(text.contains("- lmdb-sys 0.8.0: <https://example.org/one>\n"), "{text}");
    }

    #[test]
    fn tables_fit_a_terminal() {
        let typed = LookedUp { by_hand: Some(by_hand::stored()), ..LookedUp::default() };
        for line in tables(&facts(), None, &typed).lines().filter(|line| line.starts_with('|')) {
            assert!(line.chars().count() <= 80, "{line}");
        }
    }
}
