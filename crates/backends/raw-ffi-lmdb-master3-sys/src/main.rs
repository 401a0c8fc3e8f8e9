//! The timed worker of `raw-ffi@lmdb-master3-sys`.

fn main() -> std::process::ExitCode {
    write_backend::worker::main::<backend_raw_ffi_lmdb_master3_sys::RawFfi>()
}
