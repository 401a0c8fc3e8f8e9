//! Worker program of the reference loop in C.

fn main() -> std::process::ExitCode {
    c_reference::main()
}
