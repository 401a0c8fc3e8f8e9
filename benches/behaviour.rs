//! What does each backend do with awkward input, and when its process is killed?
//! `cargo bench -p behaviour`.

use std::process::ExitCode;

fn main() -> ExitCode {
    harness::cli::behaviour::main(&harness::behaviour_programs!())
}
