//! The timed worker of `raw-ffi`.

fn main() -> std::process::ExitCode {
    write_backend::worker::main::<backend_raw_ffi::RawFfi>()
}
