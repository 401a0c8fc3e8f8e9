//! Worker program of backend `raw-ffi@lmdb-master-sys`.

fn main() -> std::process::ExitCode {
    write_backend::worker::main::<raw_ffi_lmdb_master_sys::RawFfi>()
}
