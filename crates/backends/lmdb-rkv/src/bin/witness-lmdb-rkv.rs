//! The program that shows what `lmdb-rkv` allocates and does.

#[path = "../../../lmdb/src/differences.rs"]
mod differences;

fn main() -> std::process::ExitCode {
    witness::main::<backend_lmdb_rkv::Lmdb>(differences::DIFFERENCES)
}
