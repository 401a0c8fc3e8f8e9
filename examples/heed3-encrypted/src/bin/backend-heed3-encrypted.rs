//! The timed worker of `heed3:encrypted`.

fn main() -> std::process::ExitCode {
    write_backend::worker::main::<heed3_encrypted::binding::Heed>()
}
