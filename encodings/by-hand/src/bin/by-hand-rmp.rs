//! The timed worker of `by-hand:rmp`.

fn main() -> std::process::ExitCode {
    write_backend::worker::main::<by_hand::ByHand<by_hand::MessagePack>>()
}
