//! Counts the Rust heap allocations of backend `lmdb-rkv`.

fn main() -> std::process::ExitCode {
    counting_worker::main::<lmdb_rkv_backend::LmdbRkv>()
}
