//! What backend `raw-ffi` does.

fn main() -> std::process::ExitCode {
    behaviour_worker::main::<raw_ffi::RawFfi>()
}
