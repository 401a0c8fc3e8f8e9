//! What backend `raw-ffi@lmdb-rkv-sys` does.

fn main() -> std::process::ExitCode {
    behaviour_worker::main::<raw_ffi_lmdb_rkv_sys::RawFfi>()
}
