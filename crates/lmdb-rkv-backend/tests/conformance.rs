//! Every conformance case with this backend.

use std::process::ExitCode;

fn main() -> ExitCode {
    conformance::main::<lmdb_rkv_backend::LmdbRkv>()
}
