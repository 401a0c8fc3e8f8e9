//! What backend `raw-ffi@lmdb-master-sys` does.

fn main() -> std::process::ExitCode {
    behaviour_worker::main::<raw_ffi_lmdb_master_sys::RawFfi>()
}
