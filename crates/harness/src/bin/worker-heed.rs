//! Worker program of backend `heed`.

fn main() -> std::process::ExitCode {
    write_backend::worker::main::<backend_heed::Heed>()
}
