//! The program that shows what `heed3` allocates and does.

#[path = "../differences.rs"]
mod differences;

fn main() -> std::process::ExitCode {
    witness::main::<backend_heed3::Heed>(differences::DIFFERENCES)
}
