//! The program that counts the allocations of `null`: without an engine there is no behaviour to see.

fn main() -> std::process::ExitCode {
    witness::counting::<backend_null::Null>()
}
