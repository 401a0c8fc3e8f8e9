//! The timed worker of `heed:u32-be:u64-be`.

fn main() -> std::process::ExitCode {
    write_backend::worker::main::<heed_encodings::Encoded<heed_encodings::Integers>>()
}
