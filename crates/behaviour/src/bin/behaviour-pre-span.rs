//! What backend `pre-span` does.

fn main() -> std::process::ExitCode {
    witness::main::<backend_pre_span::PreSpan>(&[])
}
