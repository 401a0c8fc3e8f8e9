//! Worker program of backend `raw-ffi`.

fn main() -> std::process::ExitCode {
    write_backend::worker::main::<raw_ffi::RawFfi>()
}
