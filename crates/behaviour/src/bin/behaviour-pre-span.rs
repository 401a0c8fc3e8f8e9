//! What backend `pre-span` does.

fn main() -> std::process::ExitCode {
    behaviour_worker::main::<owned_buffer::PreSpan>()
}
