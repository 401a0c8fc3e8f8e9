//! The program that shows what `pre-span` allocates and does.

fn main() -> std::process::ExitCode {
    witness::main::<backend_pre_span::PreSpan>(&[])
}
