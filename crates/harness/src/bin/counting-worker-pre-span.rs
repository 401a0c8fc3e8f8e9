//! Counts the Rust heap allocations of backend `pre-span`.

fn main() -> std::process::ExitCode {
    counting_worker::main::<owned_buffer::PreSpan>()
}
