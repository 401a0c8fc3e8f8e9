//! Every conformance case, heap allocations and identity of `raw-ffi`.

use witness::Cost;

fn main() -> std::process::ExitCode {
    witness::tests::<backend_raw_ffi::RawFfi>(&[], Cost::NONE)
}
