//! What backend `owned-buffer` does.

fn main() -> std::process::ExitCode {
    witness::main::<backend_owned_buffer::OwnedBuffer>(&[])
}
