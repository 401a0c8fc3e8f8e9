//! Counts the Rust heap allocations of backend `heed`.

fn main() -> std::process::ExitCode {
    witness::counting::<backend_heed::Heed>()
}
