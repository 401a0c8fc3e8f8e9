//! The program that shows what `owned-buffer` allocates and does.

fn main() -> std::process::ExitCode {
    witness::main::<backend_owned_buffer::OwnedBuffer>(&[])
}
