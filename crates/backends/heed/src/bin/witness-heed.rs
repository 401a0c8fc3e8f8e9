//! The program that shows what `heed` allocates and does.

#[path = "../differences.rs"]
mod differences;

fn main() -> std::process::ExitCode {
    witness::main::<backend_heed::Heed>(differences::DIFFERENCES)
}
