//! Every case as a Criterion benchmark: `cargo bench -p harness --bench write`.

use std::process::ExitCode;

fn main() -> ExitCode {
    harness::cli::write::main(&harness::cli::supply::Supply::Workspace)
}
