//! The timed worker of `lmdb-rkv`.

fn main() -> std::process::ExitCode {
    write_backend::worker::main::<backend_lmdb_rkv::Lmdb>()
}
