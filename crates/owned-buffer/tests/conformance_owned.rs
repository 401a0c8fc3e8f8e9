//! Every conformance case with this backend.

use std::process::ExitCode;

fn main() -> ExitCode {
    conformance::main::<owned_buffer::OwnedBuffer>()
}
