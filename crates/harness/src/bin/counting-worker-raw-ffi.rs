//! Counts the Rust heap allocations of backend `raw-ffi`.

fn main() -> std::process::ExitCode {
    counting_worker::main::<raw_ffi::RawFfi>()
}
