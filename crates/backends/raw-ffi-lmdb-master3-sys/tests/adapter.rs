//! Every conformance case, heap allocations and identity of `raw-ffi@lmdb-master3-sys`.

use witness::Cost;

#[path = "../src/differences.rs"]
mod differences;

fn main() -> std::process::ExitCode {
    witness::tests::<backend_raw_ffi_lmdb_master3_sys::RawFfi>(differences::DIFFERENCES, Cost::NONE)
}
