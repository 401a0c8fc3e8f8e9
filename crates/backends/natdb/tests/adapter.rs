//! Every conformance case, heap allocations and identity of `natdb`.

use witness::Cost;

#[path = "../src/differences.rs"]
mod differences;

fn main() -> std::process::ExitCode {
    witness::tests::<backend_natdb::Lmdb>(differences::DIFFERENCES, Cost::NONE)
}
