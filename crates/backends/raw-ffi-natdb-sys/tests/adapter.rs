//! Every conformance case, heap allocations and identity of `raw-ffi@natdb-sys`.

use witness::Cost;

#[path = "../src/differences.rs"]
mod differences;

fn main() -> std::process::ExitCode {
    witness::tests::<backend_raw_ffi_natdb_sys::RawFfi>(differences::DIFFERENCES, Cost::NONE)
}
