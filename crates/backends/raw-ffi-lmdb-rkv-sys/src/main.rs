//! The timed worker of `raw-ffi@lmdb-rkv-sys`.

fn main() -> std::process::ExitCode {
    write_backend::worker::main::<backend_raw_ffi_lmdb_rkv_sys::RawFfi>()
}
