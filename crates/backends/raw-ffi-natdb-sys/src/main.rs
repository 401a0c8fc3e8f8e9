//! The timed worker of `raw-ffi@natdb-sys`.

fn main() -> std::process::ExitCode {
    write_backend::worker::main::<backend_raw_ffi_natdb_sys::RawFfi>()
}
