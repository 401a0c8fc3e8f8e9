//! The timed worker of `lmdb`.

fn main() -> std::process::ExitCode {
    write_backend::worker::main::<backend_lmdb::Lmdb>()
}
