//! Counts the Rust heap allocations of backend `null`.

fn main() -> std::process::ExitCode {
    witness::counting::<backend_null::Null>()
}
