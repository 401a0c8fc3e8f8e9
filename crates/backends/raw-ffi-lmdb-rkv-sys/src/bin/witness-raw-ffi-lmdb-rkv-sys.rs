//! The program that shows what `raw-ffi@lmdb-rkv-sys` allocates and does.

fn main() -> std::process::ExitCode {
    witness::main::<backend_raw_ffi_lmdb_rkv_sys::RawFfi>(&[])
}
