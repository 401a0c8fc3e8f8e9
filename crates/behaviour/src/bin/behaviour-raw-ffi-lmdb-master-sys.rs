//! What backend `raw-ffi@lmdb-master-sys` does.

#[path = "../../../backends/raw-ffi-lmdb-master-sys/src/differences.rs"]
mod differences;

fn main() -> std::process::ExitCode {
    witness::main::<backend_raw_ffi_lmdb_master_sys::RawFfi>(differences::DIFFERENCES)
}
