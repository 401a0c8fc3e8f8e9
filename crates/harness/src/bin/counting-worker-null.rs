//! Counts the Rust heap allocations of backend `null`.

fn main() -> std::process::ExitCode {
    counting_worker::main::<null_backend::Null>()
}
