//! Counts the Rust heap allocations of backend `pre-span`.

fn main() -> std::process::ExitCode {
    witness::counting::<backend_pre_span::PreSpan>()
}
