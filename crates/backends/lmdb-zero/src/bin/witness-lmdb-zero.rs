//! The program that shows what `lmdb-zero` allocates and does.

#[path = "../differences.rs"]
mod differences;

fn main() -> std::process::ExitCode {
    witness::main::<backend_lmdb_zero::Zero>(differences::DIFFERENCES)
}
