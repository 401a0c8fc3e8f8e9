//! Counts the Rust heap allocations of backend `owned-buffer`.

fn main() -> std::process::ExitCode {
    counting_worker::main::<owned_buffer::OwnedBuffer>()
}
