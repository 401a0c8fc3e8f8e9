//! What backend `lmdb-rkv` does.

fn main() -> std::process::ExitCode {
    behaviour_worker::main::<lmdb_rkv_backend::LmdbRkv>()
}
