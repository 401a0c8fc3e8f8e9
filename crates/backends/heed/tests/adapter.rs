//! Every conformance case, heap allocations and identity of `heed`.

use witness::Cost;

#[path = "../src/differences.rs"]
mod differences;

fn main() -> std::process::ExitCode {
    witness::tests::<backend_heed::Heed>(differences::DIFFERENCES, Cost::NONE)
}
