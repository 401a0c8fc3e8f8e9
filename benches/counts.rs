//! Instructions, allocations and system calls: `cargo bench -p harness --bench counts`.

use std::process::ExitCode;

fn main() -> ExitCode {
    harness::counts(&harness::Supply::Workspace)
}
