//! The timed worker of `owned-buffer`.

fn main() -> std::process::ExitCode {
    write_backend::worker::main::<backend_owned_buffer::OwnedBuffer>()
}
