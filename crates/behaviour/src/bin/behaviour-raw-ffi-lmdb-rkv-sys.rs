//! What backend `raw-ffi@lmdb-rkv-sys` does.

fn main() -> std::process::ExitCode {
    witness::main::<backend_raw_ffi_lmdb_rkv_sys::RawFfi>(&[])
}
