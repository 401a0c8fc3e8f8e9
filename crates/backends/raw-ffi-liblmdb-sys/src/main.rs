//! The timed worker of `raw-ffi@liblmdb-sys`.

fn main() -> std::process::ExitCode {
    write_backend::worker::main::<backend_raw_ffi_liblmdb_sys::RawFfi>()
}
