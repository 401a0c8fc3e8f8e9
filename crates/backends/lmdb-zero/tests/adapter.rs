//! Every conformance case, heap allocations and identity of `lmdb-zero`.

use witness::Cost;

#[path = "../src/differences.rs"]
mod differences;

fn main() -> std::process::ExitCode {
    witness::tests::<backend_lmdb_zero::Zero>(differences::DIFFERENCES, Cost::NONE)
}
