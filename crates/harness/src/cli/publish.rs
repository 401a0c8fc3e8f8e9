//! Publishing: after a run, and as a step of the program.

use std::path::{Path, PathBuf};
use std::process::ExitCode;
use std::time::UNIX_EPOCH;

use anyhow::{Context as _, bail};

use crate::cli::arguments::{Arguments, workspace_path};
use crate::cli::documents::RESULTS;
use crate::cli::output::say;
use crate::machine::parent;
use crate::record;
use records::calibration::Calibration;
use records::names::Day;
use records::names::HostName;
use records::publish::{Candidate, PublishError, Target};
use records::published::file;
use records::quality;
use records::schema::Results;
use records::store;
use records::store::Stored;
use records::trials::LayoutTrial;

const NEXT: &str =
    "Next: `cargo run -p harness -- report` makes the tables of all published runs.\n";

#[derive(Debug, clap::Args)]
pub struct Options {
    /// The machine's name: 1 to 40 of a-z, 0-9 and `-`, not beginning with `-`
    name: HostName,
    /// The run's day [default: the day on which its files were measured, UTC]
    #[arg(long, value_name = "YYYY-MM-DD")]
    date: Option<Day>,
    /// Directory with the files of the run, as the benches name them, seen from the top of the workspace
    /// [default: results/latest]
    #[arg(long, value_name = "DIR")]
    from: Option<PathBuf>,
    /// Replace files that are there already and hold something else
    #[arg(long)]
    replace: bool,
}

pub fn run(options: &Options, root: &Path) -> anyhow::Result<ExitCode> {
    let results = root.join(RESULTS);
    let from = options.from.as_ref().map_or_else(|| results.join("latest"), |it| root.join(it));
    if !from.is_dir() {
        bail!("--from {}: there is no such directory", from.display());
    }
    let candidates = Candidate::all_in(&from).context("--from")?;
    if candidates.is_empty() {
        bail!(
            "--from {}: none of {} is there: `cargo bench -p harness` and `cargo run \
             --release -p harness -- behaviour` make them",
            from.display(),
            file::ALL.join(", ")
        );
    }
    let Options { name, date, replace, .. } = options;
    let target = Target { results: &results, name, date: *date, replace: *replace };
    Ok(if publish(&target, &candidates) { ExitCode::SUCCESS } else { ExitCode::FAILURE })
}

/// Refuses, before anything is measured, what could not be kept in `out`, or not be published afterwards as
/// the file `name`.
pub fn check(arguments: &Arguments, out: &Path, name: &str) -> anyhow::Result<()> {
    store::can_write(out).context("--out")?;
    let Some(host) = &arguments.publish else { return Ok(()) };
    let since = parent::run_started().duration_since(UNIX_EPOCH).unwrap_or_default();
    let day = Day::of_unix(since.as_secs()).to_string();
    let name = match record::cflags() {
        Some(_) if name == file::COMPARE => file::EQUAL_FLAGS,
        _ => name,
    };
    let path = workspace_path(Path::new(RESULTS)).join(host.as_str()).join(day).join(name);
    if store::is_there(&path)? {
        bail!(
            "--publish {host}: {} is there already. Measure without --publish, and then `cargo run -p \
             harness -- publish {host} --replace` replaces it",
            path.display()
        );
    }
    store::can_write(&path).context("--publish")
}

/// Publishes `results` where `arguments` ask for it; whether that was done or not asked for.
pub fn after_run(arguments: &Arguments, results: &Results) -> bool {
    let source = quality::file_name(results).unwrap_or_else(|_| results.producer.clone());
    after(arguments, results, |text| Candidate::results(&source, text, results))
}

/// The same with a calibration.
pub fn after_calibration(arguments: &Arguments, found: &Calibration) -> bool {
    after(arguments, found, |text| Candidate::calibration(file::CALIBRATION, text, found))
}

/// The same with a comparison of link orders.
pub fn after_link_orders(arguments: &Arguments, found: &LayoutTrial) -> bool {
    after(arguments, found, |text| Candidate::link_orders(file::LINK_ORDERS, text, found))
}

fn after<T: Stored>(
    arguments: &Arguments,
    value: &T,
    candidate: impl FnOnce(String) -> Candidate,
) -> bool {
    let Some(name) = &arguments.publish else { return true };
    let results = workspace_path(Path::new(RESULTS));
    let target = Target { results: &results, name, date: None, replace: false };
    // What no reader takes is not put where readers look.
    let checked = store::check(value).map_err(|invalid| invalid.to_string());
    let text = checked.and_then(|()| store::to_text(value).map_err(|error| error.to_string()));
    match text {
        Ok(text) => publish(&target, &[candidate(text)]),
        Err(reason) => refused(name, &[reason]),
    }
}

fn refused(name: &HostName, reasons: &[String]) -> bool {
    note!("error: not published as {name}:\n- {}", reasons.join("\n- "));
    false
}

/// Publishes and says what was done, or all reasons why it was not; whether it was.
fn publish(target: &Target<'_>, candidates: &[Candidate]) -> bool {
    let written = match records::publish::publish(target, candidates) {
        Ok(written) => written,
        Err(PublishError::Refused(reasons)) => return refused(target.name, &reasons),
        Err(error) => return refused(target.name, &[error.to_string()]),
    };
    if written.is_empty() {
        say("Published already, nothing changed.\n");
        return true;
    }
    for path in written {
        let path = path.canonicalize().unwrap_or(path);
        say(&format!("Published: {}\n", path.display()));
    }
    for mark in candidates.iter().flat_map(Candidate::marks) {
        say(&format!("Marked in its tables: {mark}.\n"));
    }
    say(NEXT);
    true
}

#[cfg(test)]
mod tests {
    use super::*;
    use records::testing::Run;

    #[test]
    fn what_no_reader_takes_is_not_published() {
        let arguments = Arguments { publish: "a-test".parse().ok(), ..Arguments::default() };
        assert!(arguments.publish.is_some());
        let mut results = Run::whole().build();
        results.options.map_size = 0;
        let asked = |text| -> Candidate { unreachable!("{text} is refused before this") };
        assert!(!after(&arguments, &results, asked));
        assert!(after(&Arguments::default(), &results, asked), "nothing was asked for");
    }
}
