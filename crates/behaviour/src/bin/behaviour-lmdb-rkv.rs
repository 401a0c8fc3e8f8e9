//! What backend `lmdb-rkv` does.

#[path = "../../../backends/lmdb-rkv/src/differences.rs"]
mod differences;

fn main() -> std::process::ExitCode {
    witness::main::<backend_lmdb_rkv::LmdbRkv>(differences::DIFFERENCES)
}
