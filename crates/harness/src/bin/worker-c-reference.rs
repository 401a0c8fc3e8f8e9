//! Worker program of the reference loop in C.

fn main() -> std::process::ExitCode {
    backend_c_reference::main()
}
