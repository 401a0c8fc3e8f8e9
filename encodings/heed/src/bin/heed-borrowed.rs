//! The timed worker of `heed:borrowed`.

fn main() -> std::process::ExitCode {
    write_backend::worker::main::<heed_encodings::Encoded<heed_encodings::Borrowed>>()
}
