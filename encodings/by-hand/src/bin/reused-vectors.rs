//! The timed worker of `reused-vectors`.

fn main() -> std::process::ExitCode {
    write_backend::worker::main::<by_hand::ByHand<by_hand::ReusedVectors>>()
}
