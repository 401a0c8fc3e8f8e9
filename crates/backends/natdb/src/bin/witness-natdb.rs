//! The program that shows what `natdb` allocates and does.

#[path = "../differences.rs"]
mod differences;

fn main() -> std::process::ExitCode {
    witness::main::<backend_natdb::Lmdb>(differences::DIFFERENCES)
}
