//! The timed worker of `heed`.

fn main() -> std::process::ExitCode {
    write_backend::worker::main::<backend_heed::Heed>()
}
