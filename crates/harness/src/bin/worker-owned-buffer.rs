//! Worker program of backend `owned-buffer`.

fn main() -> std::process::ExitCode {
    write_backend::worker::main::<backend_owned_buffer::OwnedBuffer>()
}
