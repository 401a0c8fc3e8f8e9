//! Worker program of backend `owned-buffer`.

fn main() -> std::process::ExitCode {
    write_backend::worker::main::<owned_buffer::OwnedBuffer>()
}
