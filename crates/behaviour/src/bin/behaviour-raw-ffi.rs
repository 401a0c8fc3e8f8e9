//! What backend `raw-ffi` does.

fn main() -> std::process::ExitCode {
    witness::main::<backend_raw_ffi::RawFfi>(&[])
}
