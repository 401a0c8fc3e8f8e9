//! The program that shows what `raw-ffi` allocates and does.

fn main() -> std::process::ExitCode {
    witness::main::<backend_raw_ffi::RawFfi>(&[])
}
