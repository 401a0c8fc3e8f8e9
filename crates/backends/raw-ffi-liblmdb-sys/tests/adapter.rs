//! Every conformance case, heap allocations and identity of `raw-ffi@liblmdb-sys`.

use witness::Cost;

fn main() -> std::process::ExitCode {
    witness::tests::<backend_raw_ffi_liblmdb_sys::RawFfi>(&[], Cost::NONE)
}
