//! The timed worker of `pre-span`.

fn main() -> std::process::ExitCode {
    write_backend::worker::main::<backend_pre_span::PreSpan>()
}
