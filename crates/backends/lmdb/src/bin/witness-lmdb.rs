//! The program that shows what `lmdb` allocates and does.

#[path = "../differences.rs"]
mod differences;

fn main() -> std::process::ExitCode {
    witness::main::<backend_lmdb::Lmdb>(differences::DIFFERENCES)
}
