//! Counts the Rust heap allocations of backend `lmdb-rkv`.

fn main() -> std::process::ExitCode {
    witness::counting::<backend_lmdb_rkv::LmdbRkv>()
}
