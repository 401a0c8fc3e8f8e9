//! The timed worker of `heed:str`.

fn main() -> std::process::ExitCode {
    write_backend::worker::main::<heed_encodings::Encoded<heed_encodings::Text>>()
}
