//! Every conformance case, heap allocations and identity of `raw-ffi@lmdb-rkv-sys`.

use witness::Cost;

fn main() -> std::process::ExitCode {
    witness::tests::<backend_raw_ffi_lmdb_rkv_sys::RawFfi>(&[], Cost::NONE)
}
