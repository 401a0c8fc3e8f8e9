//! Worker program of backend `null`.

fn main() -> std::process::ExitCode {
    write_backend::worker::main::<backend_null::Null>()
}
