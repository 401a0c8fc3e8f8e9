//! The worker program of `c-reference`.

fn main() -> std::process::ExitCode {
    backend_c_reference::main()
}
