//! Counts the Rust heap allocations of backend `raw-ffi`.

fn main() -> std::process::ExitCode {
    witness::counting::<backend_raw_ffi::RawFfi>()
}
