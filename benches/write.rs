//! Every case as a Criterion benchmark: `cargo bench -p harness --bench write`.

use std::process::ExitCode;

fn main() -> ExitCode {
    harness::write(&harness::Supply::Workspace)
}
