//! Counts the Rust heap allocations of backend `raw-ffi@lmdb-rkv-sys`.

fn main() -> std::process::ExitCode {
    witness::counting::<backend_raw_ffi_lmdb_rkv_sys::RawFfi>()
}
