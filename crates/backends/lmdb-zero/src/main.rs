//! The timed worker of `lmdb-zero`.

fn main() -> std::process::ExitCode {
    write_backend::worker::main::<backend_lmdb_zero::Zero>()
}
