//! Makes the published documents: `cargo run -p harness -- report`.

fn main() -> std::process::ExitCode {
    harness::program()
}
