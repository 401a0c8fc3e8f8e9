//! The timed worker of `raw-ffi@lmdb-master-sys`.

fn main() -> std::process::ExitCode {
    write_backend::worker::main::<backend_raw_ffi_lmdb_master_sys::RawFfi>()
}
