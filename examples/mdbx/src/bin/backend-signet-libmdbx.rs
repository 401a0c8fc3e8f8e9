fn main() -> std::process::ExitCode {
    write_backend::worker::main::<mdbx::signet::Signet<signet_libmdbx::Rw>>()
}
