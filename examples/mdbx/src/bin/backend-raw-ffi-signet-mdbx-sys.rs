fn main() -> std::process::ExitCode {
    write_backend::worker::main::<mdbx::raw::Raw>()
}
