//! The programs to count: the timed workers, the counting workers, the loop in C.

use crate::programs::Programs;
use crate::registry::Backend;

/// The loop in C over the library of `raw-ffi`. It is no backend, but stands beside them in the
/// tables: the floor that raw FFI is held against.
pub static C_REFERENCE: Backend = Backend {
    id: "c-reference",
    program: "worker-c-reference",
    control: None,
    engine_version: Some("0.9.21"),
};

/// The programs of this build. To be called from a bench or an integration test of this package:
/// only there does cargo say where they are.
#[macro_export]
macro_rules! counted_programs {
    () => {
        $crate::counts::programs::Counted {
            workers: $crate::worker_programs!().with(
                "worker-c-reference",
                ::std::path::Path::new(env!("CARGO_BIN_EXE_worker-c-reference")),
            ),
            counting: $crate::programs::Programs::new(&[
                ("worker-raw-ffi", env!("CARGO_BIN_EXE_counting-worker-raw-ffi")),
                (
                    "worker-raw-ffi-lmdb-rkv-sys",
                    env!("CARGO_BIN_EXE_counting-worker-raw-ffi-lmdb-rkv-sys"),
                ),
                (
                    "worker-raw-ffi-lmdb-master-sys",
                    env!("CARGO_BIN_EXE_counting-worker-raw-ffi-lmdb-master-sys"),
                ),
                ("worker-lmdb-rkv", env!("CARGO_BIN_EXE_counting-worker-lmdb-rkv")),
                ("worker-heed", env!("CARGO_BIN_EXE_counting-worker-heed")),
                ("worker-owned-buffer", env!("CARGO_BIN_EXE_counting-worker-owned-buffer")),
                ("worker-pre-span", env!("CARGO_BIN_EXE_counting-worker-pre-span")),
                ("worker-null", env!("CARGO_BIN_EXE_counting-worker-null")),
            ]),
        }
    };
}

/// What is run for a backend.
#[derive(Debug, Clone)]
pub struct Counted {
    /// The timed workers, and the loop in C: for instructions and system calls.
    pub workers: Programs,
    /// For each backend the program that counts its Rust allocations, under the name of its timed
    /// worker. The loop in C has none.
    pub counting: Programs,
}
