//! The timed worker of `stack-arrays`.

fn main() -> std::process::ExitCode {
    write_backend::worker::main::<by_hand::ByHand<by_hand::StackArrays>>()
}
