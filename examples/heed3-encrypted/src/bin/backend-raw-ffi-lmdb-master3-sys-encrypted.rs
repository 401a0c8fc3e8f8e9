//! The timed worker of `raw-ffi@lmdb-master3-sys:encrypted`.

fn main() -> std::process::ExitCode {
    write_backend::worker::main::<heed3_encrypted::control::RawFfi>()
}
