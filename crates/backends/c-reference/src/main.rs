//! The worker program of `c-reference`.

fn main() -> std::process::ExitCode {
    write_backend::worker::main::<backend_c_reference::CReference>()
}
