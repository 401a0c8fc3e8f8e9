//! The timed worker of `natdb`.

fn main() -> std::process::ExitCode {
    write_backend::worker::main::<backend_natdb::Lmdb>()
}
