//! The timed worker of `heed:rmp`.

fn main() -> std::process::ExitCode {
    write_backend::worker::main::<heed_encodings::Encoded<heed_encodings::MessagePack>>()
}
