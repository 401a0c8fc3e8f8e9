//! Worker program of backend `raw-ffi` with its code moved.

mod padding;

fn main() -> std::process::ExitCode {
    write_backend::worker::main::<raw_ffi::RawFfi>()
}
