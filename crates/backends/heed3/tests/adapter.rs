//! Every conformance case, heap allocations and identity of `heed3`.

use witness::Cost;

#[path = "../src/differences.rs"]
mod differences;

fn main() -> std::process::ExitCode {
    witness::tests::<backend_heed3::Heed>(differences::DIFFERENCES, Cost::NONE)
}
