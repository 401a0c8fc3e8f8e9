//! Every conformance case with this backend.

use std::process::ExitCode;

fn main() -> ExitCode {
    conformance::main::<raw_ffi::RawFfi>()
}
