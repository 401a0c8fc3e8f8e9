//! What backend `heed` does.

#[path = "../../../backends/heed/src/differences.rs"]
mod differences;

fn main() -> std::process::ExitCode {
    witness::main::<backend_heed::Heed>(differences::DIFFERENCES)
}
