//! Which backend is faster, by how much, and is that real?
//! `cargo bench -p harness --bench compare`.

use std::process::ExitCode;

fn main() -> ExitCode {
    harness::cli::compare::main(&harness::cli::supply::Supply::Workspace)
}
