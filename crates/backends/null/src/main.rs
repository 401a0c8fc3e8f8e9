//! The timed worker of `null`.

fn main() -> std::process::ExitCode {
    write_backend::worker::main::<backend_null::Null>()
}
