//! Worker program of backend `null`.

fn main() -> std::process::ExitCode {
    write_backend::worker::main::<null_backend::Null>()
}
