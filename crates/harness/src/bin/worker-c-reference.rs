//! Worker program of the reference loop in C.

fn main() -> std::process::ExitCode {
    write_backend::worker::main::<c_reference::CReference>()
}
