//! Counts the Rust heap allocations of backend `raw-ffi@lmdb-rkv-sys`.

fn main() -> std::process::ExitCode {
    counting_worker::main::<raw_ffi_lmdb_rkv_sys::RawFfi>()
}
