//! The program `harness`: what can be done with stored results. It measures nothing.

use std::process::ExitCode;

use clap::{Parser, Subcommand};

use crate::cli::documents;

/// The command line.
#[derive(Debug, Parser)]
#[command(
    name = "harness",
    about = "Makes documents from stored results, compares and shows them",
    after_help = "Exit codes: 0 done, 1 a document is not what the data gives, 2 bad arguments or \
                  files."
)]
struct Options {
    #[command(subcommand)]
    command: Command,
}

#[derive(Debug, Subcommand)]
enum Command {
    /// Write all tables that are published, from the files below results/ and nothing else
    Report {
        /// Write nothing; fail when a document differs from what the data gives
        #[arg(long)]
        check: bool,
    },
}

/// The whole program.
#[must_use]
pub fn main() -> ExitCode {
    let Options { command } = Options::parse();
    let done = match command {
        Command::Report { check } => documents::report(check),
    };
    done.unwrap_or_else(|error| {
        eprintln!("error: {error:#}");
        ExitCode::from(2)
    })
}
