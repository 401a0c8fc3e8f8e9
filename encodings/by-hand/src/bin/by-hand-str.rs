//! The timed worker of `by-hand:str`.

fn main() -> std::process::ExitCode {
    write_backend::worker::main::<by_hand::ByHand<by_hand::Text>>()
}
