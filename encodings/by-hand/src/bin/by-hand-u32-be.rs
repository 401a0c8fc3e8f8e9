//! The timed worker of `by-hand:u32-be`.

fn main() -> std::process::ExitCode {
    write_backend::worker::main::<by_hand::ByHand<by_hand::U32Key>>()
}
