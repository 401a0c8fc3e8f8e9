//! Every conformance case, heap allocations and identity of `lmdb-rkv`.

use witness::Cost;

#[path = "../src/differences.rs"]
mod differences;

fn main() -> std::process::ExitCode {
    witness::tests::<backend_lmdb_rkv::LmdbRkv>(differences::DIFFERENCES, Cost::NONE)
}
