//! Counts the Rust heap allocations of backend `raw-ffi@lmdb-master-sys`.

fn main() -> std::process::ExitCode {
    witness::counting::<backend_raw_ffi_lmdb_master_sys::RawFfi>()
}
