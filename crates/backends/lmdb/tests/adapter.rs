//! Every conformance case, heap allocations and identity of `lmdb`.

use witness::Cost;

#[path = "../src/differences.rs"]
mod differences;

fn main() -> std::process::ExitCode {
    witness::tests::<backend_lmdb::Lmdb>(differences::DIFFERENCES, Cost::NONE)
}
