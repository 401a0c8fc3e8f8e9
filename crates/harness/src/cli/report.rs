//! The program `harness`: makes the published documents from stored results.

use std::path::{Path, PathBuf};
use std::process::ExitCode;

use anyhow::Context as _;
use clap::{Parser, Subcommand};

use crate::behaviour::schema::Behaviour;
use crate::calibrate::record::Calibration;
use crate::cli::arguments::workspace_path;
use crate::report::behaviour as behaviour_report;
use crate::report::published;
use crate::report::splice::splice;
use crate::results::store;

/// Where the reference machine's results are stored.
pub const REFERENCE: &str = "results/reference";

/// The command line.
#[derive(Debug, Parser)]
#[command(name = "harness", about = "Makes the published documents from stored results")]
struct Options {
    #[command(subcommand)]
    command: Command,
}

#[derive(Debug, Subcommand)]
enum Command {
    /// Write all tables that are published, from results/reference and nothing else
    Report {
        /// Write nothing; fail when a document differs from what the data gives
        #[arg(long)]
        check: bool,
    },
}

/// The whole program.
///
/// Exit codes: 0 done, 1 a document is not what the data gives, 2 bad arguments or files.
#[must_use]
pub fn main() -> ExitCode {
    let Options { command: Command::Report { check } } = Options::parse();
    match report(check) {
        Ok(stale) if stale.is_empty() => ExitCode::SUCCESS,
        Ok(stale) => {
            for path in stale {
                eprintln!(
                    "{} is not what the data gives: run `cargo run -p harness -- report`",
                    path.display()
                );
            }
            ExitCode::FAILURE
        }
        Err(error) => {
            eprintln!("error: {error:#}");
            ExitCode::from(2)
        }
    }
}

/// Writes the documents, or with `check` returns those that differ.
fn report(check: bool) -> anyhow::Result<Vec<PathBuf>> {
    let stored = |name: &str| workspace_path(Path::new(REFERENCE)).join(name);
    let compare = store::read(&stored("compare.json"))?;
    let calibration: Calibration = store::read_json(&stored("calibration.json"))?;
    let behaviour: Behaviour = store::read_json(&stored("behaviour.json"))?;
    let documents = [
        spliced(
            "README.md",
            &[
                ("results", published::readme(&compare)),
                ("behaviour", behaviour_report::section(&behaviour)),
            ],
        )?,
        spliced("METHOD.md", &[("calibration", published::method(&calibration))])?,
        (stored("README.md"), published::page(&compare, &calibration)),
        (stored("behaviour.md"), behaviour_report::page(&behaviour)),
    ];
    let mut stale = Vec::new();
    for (path, text) in documents {
        if std::fs::read_to_string(&path).is_ok_and(|now| now == text) {
            continue;
        }
        if check {
            stale.push(path);
        } else {
            store::write_text(&path, &text)?;
            println!("wrote {}", path.canonicalize().unwrap_or(path).display());
        }
    }
    Ok(stale)
}

/// A document of the workspace with its sections replaced by these texts.
fn spliced(name: &str, sections: &[(&str, String)]) -> anyhow::Result<(PathBuf, String)> {
    let path = workspace_path(Path::new(name));
    let mut document =
        std::fs::read_to_string(&path).with_context(|| path.display().to_string())?;
    for (section, text) in sections {
        document = splice(&document, section, text).with_context(|| path.display().to_string())?;
    }
    Ok((path, document))
}
