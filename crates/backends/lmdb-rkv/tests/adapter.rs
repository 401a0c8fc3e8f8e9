//! Every conformance case, heap allocations and identity of `lmdb-rkv`.

use witness::Cost;

#[path = "../../lmdb/src/differences.rs"]
mod differences;

fn main() -> std::process::ExitCode {
    witness::tests::<backend_lmdb_rkv::Lmdb>(differences::DIFFERENCES, Cost::NONE)
}
