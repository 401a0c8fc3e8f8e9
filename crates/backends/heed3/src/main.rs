//! The timed worker of `heed3`.

fn main() -> std::process::ExitCode {
    write_backend::worker::main::<backend_heed3::Heed>()
}
