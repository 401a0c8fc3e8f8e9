//! Worker program of backend `heed` with its code moved.

mod padding;

fn main() -> std::process::ExitCode {
    write_backend::worker::main::<heed_backend::Heed>()
}
