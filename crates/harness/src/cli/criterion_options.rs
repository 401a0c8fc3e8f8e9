//! Options of our own beside Criterion's.
//!
//! Criterion reads the process's arguments itself and refuses those it does not know. So the program
//! starts itself a second time with Criterion's arguments only, and hands its own over in an
//! environment variable.

use std::collections::VecDeque;
use std::ffi::OsString;
use std::process::{Command, ExitCode};

use clap::{Args as _, CommandFactory as _, Parser};

use crate::cli::arguments::Arguments;

/// Carries our own arguments over the restart, as a JSON list.
const VARIABLE: &str = "LMDB_BENCH_WRITE_ARGUMENTS";

/// Criterion 0.8's options that take a value, to tell it from the filter.
const CRITERION_VALUED: [&str; 20] = [
    "--color",
    "--colour",
    "-c",
    "--save-baseline",
    "-s",
    "--baseline",
    "-b",
    "--baseline-lenient",
    "--format",
    "--profile-time",
    "--load-baseline",
    "--sample-size",
    "--warm-up-time",
    "--measurement-time",
    "--nresamples",
    "--noise-threshold",
    "--confidence-level",
    "--significance-level",
    "--plotting-backend",
    "--output-format",
];

/// What to do with the arguments.
#[derive(Debug)]
pub enum Own {
    /// Parse these.
    Parse(Vec<OsString>),
    /// Nothing more: a restarted program did it all and ended with this code.
    Restarted(ExitCode),
}

#[derive(Debug, Parser)]
#[command(name = "write", disable_help_flag = true)]
struct OwnOptions {
    #[command(flatten)]
    _arguments: Arguments,
}

/// Finds our own arguments in `given`; restarts the program when Criterion must not see them.
///
/// # Errors
/// When the program cannot be restarted.
pub fn own(given: &[OsString]) -> Result<Own, String> {
    let split = split(given.get(1..).unwrap_or_default());
    if split.help {
        println!(
            "Options that choose cases, besides Criterion's own below:\n{}",
            OwnOptions::command().render_help()
        );
        return Ok(Own::Parse(own_words(given, &[], &split)));
    }
    if split.own.is_empty() {
        let carried = std::env::var(VARIABLE).unwrap_or_else(|_| "[]".to_owned());
        let carried: Vec<String> =
            serde_json::from_str(&carried).map_err(|error| format!("{VARIABLE}: {error}"))?;
        return Ok(Own::Parse(own_words(given, &carried, &split)));
    }
    let mut words = Vec::new();
    for word in &split.own {
        let word = word.to_str().ok_or_else(|| format!("{} is not valid UTF-8", word.display()))?;
        words.push(word.to_owned());
    }
    // Refuse bad ones here, before the restart.
    let parse = std::iter::once("write".to_owned()).chain(words.iter().cloned());
    if let Err(error) = OwnOptions::try_parse_from(parse) {
        error.exit();
    }
    restart(&split.criterion, &words)
}

/// The words that our own parser gets: program, carried options, and the filter.
fn own_words(given: &[OsString], carried: &[String], split: &Split) -> Vec<OsString> {
    let mut words: Vec<OsString> = given.first().cloned().into_iter().collect();
    words.extend(carried.iter().map(OsString::from));
    words.extend(split.exact.then(|| OsString::from("--exact")));
    words.extend(split.filter.clone());
    words
}

fn restart(criterion: &[OsString], own: &[String]) -> Result<Own, String> {
    let carried = serde_json::to_string(own).map_err(|error| error.to_string())?;
    let program = std::env::current_exe().map_err(|error| format!("cannot restart: {error}"))?;
    let mut command = Command::new(program);
    command.args(criterion).env(VARIABLE, carried);
    run(command)
}

/// Replaces this program, so that signals and the terminal are the new one's.
#[cfg(unix)]
fn run(mut command: Command) -> Result<Own, String> {
    use std::os::unix::process::CommandExt as _;
    Err(format!("cannot restart: {}", command.exec()))
}

/// Waits for the new program, where one cannot be replaced.
#[cfg(not(unix))]
fn run(mut command: Command) -> Result<Own, String> {
    let status = command.status().map_err(|error| format!("cannot restart: {error}"))?;
    let code = status.code().and_then(|code| u8::try_from(code).ok()).unwrap_or(1);
    Ok(Own::Restarted(ExitCode::from(code)))
}

/// The given arguments by whom they are for.
#[derive(Debug, Default, PartialEq, Eq)]
struct Split {
    own: Vec<OsString>,
    criterion: Vec<OsString>,
    filter: Option<OsString>,
    exact: bool,
    help: bool,
}

fn split(given: &[OsString]) -> Split {
    let own_options = own_options();
    let mut rest: VecDeque<OsString> = given.iter().cloned().collect();
    let mut split = Split::default();
    while let Some(word) = rest.pop_front() {
        let text = word.to_string_lossy().into_owned();
        let name = text.split('=').next().unwrap_or_default();
        let inline = text.contains('=');
        if let Some((_, valued)) = own_options.iter().find(|(known, _)| known == name) {
            split.own.push(word);
            split.own.extend((*valued && !inline).then(|| rest.pop_front()).flatten());
            continue;
        }
        match name {
            "--exact" => split.exact = true,
            "--help" | "-h" => split.help = true,
            _ => {}
        }
        let valued = CRITERION_VALUED.contains(&name);
        if !text.starts_with('-') && split.filter.is_none() {
            split.filter = Some(word.clone());
        }
        split.criterion.push(word);
        split.criterion.extend((valued && !inline).then(|| rest.pop_front()).flatten());
    }
    split
}

/// Our own options and whether they take a value; those that Criterion has too are its.
fn own_options() -> Vec<(String, bool)> {
    let command = Arguments::augment_args(clap::Command::new("write"));
    let shared = ["exact", "bench", "help"];
    command
        .get_arguments()
        .filter_map(|argument| {
            let long = argument.get_long()?;
            let valued = argument.get_action().takes_values();
            (!shared.contains(&long)).then(|| (format!("--{long}"), valued))
        })
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn words(text: &str) -> Vec<OsString> {
        text.split_whitespace().map(OsString::from).collect()
    }

    #[test]
    fn arguments_are_split_by_whom_they_are_for() {
        let found = split(&words(
            "--bench --dir /d --save-baseline old --sync=sync n10.*heed --quick --writable-map \
             --publish box",
        ));
        assert_eq!(found.own, words("--dir /d --sync=sync --writable-map --publish box"));
        assert_eq!(found.criterion, words("--bench --save-baseline old n10.*heed --quick"));
        assert_eq!(found.filter, Some("n10.*heed".into()));
        assert!(!found.exact && !found.help);
    }

    #[test]
    fn the_value_of_an_option_is_not_the_filter() {
        assert_eq!(split(&words("--sample-size 20 --bench")).filter, None);
        assert_eq!(split(&words("-c never name")).filter, Some("name".into()));
    }
}
