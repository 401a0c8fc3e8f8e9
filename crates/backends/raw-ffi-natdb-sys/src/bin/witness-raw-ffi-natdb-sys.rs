//! The program that shows what `raw-ffi@natdb-sys` allocates and does.

#[path = "../differences.rs"]
mod differences;

fn main() -> std::process::ExitCode {
    witness::main::<backend_raw_ffi_natdb_sys::RawFfi>(differences::DIFFERENCES)
}
