//! The programs that show behaviour, under the names of the timed workers.

/// The programs of this build. To be called from a bench or an integration test of the package
/// `behaviour`: only there does cargo say where they are.
#[macro_export]
macro_rules! behaviour_programs {
    () => {
        $crate::programs::Programs::new(&[
            ("worker-raw-ffi", env!("CARGO_BIN_EXE_behaviour-raw-ffi")),
            ("worker-raw-ffi-lmdb-rkv-sys", env!("CARGO_BIN_EXE_behaviour-raw-ffi-lmdb-rkv-sys")),
            (
                "worker-raw-ffi-lmdb-master-sys",
                env!("CARGO_BIN_EXE_behaviour-raw-ffi-lmdb-master-sys"),
            ),
            ("worker-lmdb-rkv", env!("CARGO_BIN_EXE_behaviour-lmdb-rkv")),
            ("worker-heed", env!("CARGO_BIN_EXE_behaviour-heed")),
            ("worker-owned-buffer", env!("CARGO_BIN_EXE_behaviour-owned-buffer")),
            ("worker-pre-span", env!("CARGO_BIN_EXE_behaviour-pre-span")),
        ])
    };
}
