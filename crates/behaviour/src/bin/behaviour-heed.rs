//! What backend `heed` does.

fn main() -> std::process::ExitCode {
    behaviour_worker::main::<heed_backend::Heed>()
}
