//! Worker program of backend `raw-ffi@lmdb-rkv-sys`.

fn main() -> std::process::ExitCode {
    write_backend::worker::main::<raw_ffi_lmdb_rkv_sys::RawFfi>()
}
