//! Which backend is faster, by how much, and is that real?
//! `cargo bench -p harness --bench compare`.

use std::process::ExitCode;

fn main() -> ExitCode {
    harness::compare(&harness::Supply::Workspace)
}
