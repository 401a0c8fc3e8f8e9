//! Worker program of backend `lmdb-rkv`.

fn main() -> std::process::ExitCode {
    write_backend::worker::main::<lmdb_rkv_backend::LmdbRkv>()
}
