//! Makes the published documents: `cargo run -p harness -- report`.

fn main() -> std::process::ExitCode {
    harness::cli::program::main()
}
