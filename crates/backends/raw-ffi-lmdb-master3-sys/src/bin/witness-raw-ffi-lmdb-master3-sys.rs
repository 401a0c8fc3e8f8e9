//! The program that shows what `raw-ffi@lmdb-master3-sys` allocates and does.

#[path = "../differences.rs"]
mod differences;

fn main() -> std::process::ExitCode {
    witness::main::<backend_raw_ffi_lmdb_master3_sys::RawFfi>(differences::DIFFERENCES)
}
