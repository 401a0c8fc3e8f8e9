//! The program that shows what `raw-ffi@liblmdb-sys` allocates and does.

fn main() -> std::process::ExitCode {
    witness::main::<backend_raw_ffi_liblmdb_sys::RawFfi>(&[])
}
