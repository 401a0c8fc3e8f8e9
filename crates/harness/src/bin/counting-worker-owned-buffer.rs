//! Counts the Rust heap allocations of backend `owned-buffer`.

fn main() -> std::process::ExitCode {
    witness::counting::<backend_owned_buffer::OwnedBuffer>()
}
