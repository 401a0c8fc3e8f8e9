//! What backend `owned-buffer` does.

fn main() -> std::process::ExitCode {
    behaviour_worker::main::<owned_buffer::OwnedBuffer>()
}
