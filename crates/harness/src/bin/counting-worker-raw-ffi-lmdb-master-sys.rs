//! Counts the Rust heap allocations of backend `raw-ffi@lmdb-master-sys`.

fn main() -> std::process::ExitCode {
    counting_worker::main::<raw_ffi_lmdb_master_sys::RawFfi>()
}
