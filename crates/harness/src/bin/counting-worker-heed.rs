//! Counts the Rust heap allocations of backend `heed`.

fn main() -> std::process::ExitCode {
    counting_worker::main::<heed_backend::Heed>()
}
