//! The program `harness`: what can be done with stored results, and facts that need no worker.

use std::path::{Path, PathBuf};
use std::process::ExitCode;

use clap::{Parser, Subcommand};

use crate::backends::programs::link_directory;
use crate::cli::arguments::workspace_path;
use crate::cli::output::say;
use crate::cli::{behaviour, bench, documents, facts, publish, stored};
use crate::links::Store;

#[derive(Debug, Parser)]
#[command(
    name = "harness",
    bin_name = "cargo run -p harness --",
    about = "Makes documents from stored results, publishes, compares and shows them",
    after_help = "Exit codes: 0 done; 1 a document is not what the data gives (report --check), a run \
                  was refused (publish), two runs cannot be compared (diff without --anyway), or a \
                  backend did not behave as declared (behaviour); 2 bad arguments or files."
)]
struct Options {
    /// The directory with README.md, METHOD.md and results/ [default: this workspace]
    #[arg(long, global = true, value_name = "DIR")]
    root: Option<PathBuf>,
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
    /// Put the files of a run among the published ones: results/NAME/DATE/
    Publish(publish::Options),
    /// Show a run of one's own in a browser: one file made from results/latest/
    Page {
        /// Where it goes, relative to the workspace
        #[arg(long, value_name = "FILE", default_value = "results/latest.html")]
        out: PathBuf,
    },
    /// Show the tables of a stored run
    Show(stored::Show),
    /// Compare two stored runs case by case, if they can be compared
    Diff(stored::Diff),
    /// Find out what each backend does with awkward input, and when its process is killed (takes
    /// minutes; use a release build: `cargo run --release -p harness -- behaviour`)
    Behaviour(behaviour::Options),
    /// Say whether runs of the same matrix with different seeds agree as their intervals promise
    Agree(stored::Agree),
    /// Remove the links and object files kept for link orders
    Clean,
    /// Show means over workloads, and which pairs of backends were told apart
    Rank(stored::Rank),
    /// Collect facts about bindings other than speed (builds small programs)
    Facts(facts::Options),
}

/// The whole program.
#[must_use]
pub fn main() -> ExitCode {
    let Options { root, command } = Options::parse();
    let root = root.unwrap_or_else(|| {
        let workspace = workspace_path(Path::new(""));
        // Without `..` it reads better in messages.
        workspace.canonicalize().unwrap_or(workspace)
    });
    bench::finish(match &command {
        Command::Report { check } => documents::report(&root, *check),
        Command::Page { out } => documents::page(&root, out),
        Command::Publish(options) => publish::run(options, &root),
        Command::Show(options) => stored::show(options, &root),
        Command::Diff(options) => stored::diff(options, &root),
        Command::Behaviour(options) => behaviour::run(options),
        Command::Agree(options) => stored::agree(options, &root),
        Command::Clean => clean(&root),
        Command::Rank(options) => stored::rank(options, &root),
        Command::Facts(options) => facts::run(options, &root),
    })
}

fn clean(root: &Path) -> anyhow::Result<ExitCode> {
    let directory = link_directory(root);
    if directory.is_dir() {
        Store::open(&directory)?.remove()?;
        say(&format!("Removed: {}\n", directory.display()));
    } else {
        say("There is nothing to remove.\n");
    }
    Ok(ExitCode::SUCCESS)
}
