//! The timed worker of `by-hand:u32-be:u64-be`.

fn main() -> std::process::ExitCode {
    write_backend::worker::main::<by_hand::ByHand<by_hand::Integers>>()
}
