//! Options of our own beside Criterion's.
//!
//! Criterion reads the process's arguments itself and refuses those that it does not know. So the
//! program starts itself a second time with Criterion's arguments only, and hands its own over in an
//! environment variable.

use std::process::Command;

use anyhow::Context as _;
use clap::{Args as _, CommandFactory as _, Parser};

use crate::cli::arguments::Arguments;
use crate::cli::output::say;

/// Carries our own arguments over the restart, as a JSON list.
const VARIABLE: &str = "LMDB_BENCH_WRITE_ARGUMENTS";

/// Criterion 0.8's options that take a value, to tell the value from the filter.
const CRITERION_VALUED: &str = "--color --colour -c --save-baseline -s --baseline -b \
     --baseline-lenient --format --profile-time --load-baseline --sample-size --warm-up-time \
     --measurement-time --nresamples --noise-threshold --confidence-level --significance-level \
     --plotting-backend --output-format";

#[derive(Debug, Parser)]
#[command(
    name = "write",
    bin_name = "cargo bench -p harness --bench write --",
    about = "Every case as a Criterion benchmark",
    disable_help_flag = true
)]
struct Own {
    #[command(flatten)]
    arguments: Arguments,
}

/// Our own arguments; does not return where the program starts itself again without them.
pub fn own_arguments() -> anyhow::Result<Arguments> {
    let words: Result<Vec<String>, _> =
        std::env::args_os().skip(1).map(std::ffi::OsString::into_string).collect();
    let words = words.map_err(|word| anyhow::anyhow!("{} is not valid UTF-8", word.display()))?;
    let split = split(&words);
    // Bad ones are refused here, before a restart.
    let parse = |own: &[String]| match Own::try_parse_from([&["write".to_owned()], own].concat()) {
        Ok(Own { arguments }) => arguments,
        Err(error) => error.exit(),
    };
    if words.iter().any(|word| word == "--help" || word == "-h") {
        let help = Own::command().render_help();
        say(&format!("Options that choose cases, besides Criterion's own below:\n{help}\n"));
        return Ok(parse(&[]));
    }
    if split.own.is_empty() {
        let carried = std::env::var(VARIABLE).unwrap_or_else(|_| "[]".to_owned());
        let carried: Vec<String> = serde_json::from_str(&carried).context(VARIABLE)?;
        return Ok(parse(&[carried, split.chooses].concat()));
    }
    parse(&split.own);
    let mut command = Command::new(std::env::current_exe()?);
    command.args(split.criterion).env(VARIABLE, serde_json::to_string(&split.own)?);
    Err(restart(command)).context("cannot restart")
}

/// Replaces this program, so that signals and the terminal are the new one's, or else waits for it; returns
/// only if it cannot.
fn restart(mut command: Command) -> std::io::Error {
    #[cfg(unix)]
    return std::os::unix::process::CommandExt::exec(&mut command);
    #[cfg(not(unix))]
    match command.status() {
        Ok(status) => std::process::exit(status.code().unwrap_or(1)),
        Err(error) => error,
    }
}

#[derive(Debug, Default, PartialEq, Eq)]
struct Split {
    own: Vec<String>,
    criterion: Vec<String>,
    /// Those of Criterion's that choose cases, which we follow too: the filter, and `--exact`.
    chooses: Vec<String>,
}

fn split(words: &[String]) -> Split {
    let own = Arguments::augment_args(clap::Command::new("write"));
    // What Criterion has too is Criterion's.
    let find = |name: &str| {
        let long = name.strip_prefix("--").filter(|long| !["exact", "bench"].contains(long))?;
        own.get_arguments().find(|argument| argument.get_long() == Some(long))
    };
    let mut split = Split::default();
    let mut words = words.iter().cloned();
    while let Some(word) = words.next() {
        let name = word.split('=').next().unwrap_or_default();
        let (whose, is_valued) = match find(name) {
            Some(argument) => (&mut split.own, argument.get_action().takes_values()),
            None => (&mut split.criterion, CRITERION_VALUED.split(' ').any(|it| it == name)),
        };
        let is_filter = !word.starts_with('-') && split.chooses.iter().all(|it| it == "--exact");
        if is_filter || word == "--exact" {
            split.chooses.push(word.clone());
        }
        let value = if is_valued && name == word { words.next() } else { None };
        whose.push(word);
        whose.extend(value);
    }
    split
}

#[cfg(test)]
mod tests {
    use super::*;

    fn words(text: &str) -> Vec<String> {
        text.split_whitespace().map(str::to_owned).collect()
    }

    #[test]
    fn arguments_are_split_by_whom_they_are_for() {
        let found = split(&words(
            "--bench --dir /d --save-baseline old --sync=sync n10.*heed --quick --writable-map \
             --publish box --exact",
        ));
        assert_eq!(found.own, words("--dir /d --sync=sync --writable-map --publish box"));
        assert_eq!(found.criterion, words("--bench --save-baseline old n10.*heed --quick --exact"));
        assert_eq!(found.chooses, words("n10.*heed --exact"));
    }

    #[test]
    fn the_value_of_an_option_is_no_filter() {
        assert!(split(&words("--sample-size 20 --bench")).chooses.is_empty());
        assert_eq!(split(&words("-c never name")).chooses, ["name"]);
    }
}
