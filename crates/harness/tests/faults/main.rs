//! The benches as a user runs them, with everything that can go wrong: misbehaving workers, full
//! disks, signals, bad arguments. Nothing is mocked: each test runs a whole bench in a process of
//! its own and looks at what it printed, what it wrote, how it ended, and what it left behind.
//!
//! One program in three roles: started as a test it runs the tests; started by a test it is a bench
//! (`bench`); started by that bench under a telling name it is a worker that misbehaves
//! (`misbehaving`).

#[cfg(unix)]
mod unix;

#[cfg(unix)]
fn main() -> std::process::ExitCode {
    unix::main()
}

/// Signals, links and `sh` are what these tests are made of.
#[cfg(not(unix))]
fn main() -> std::process::ExitCode {
    libtest_mimic::run(&libtest_mimic::Arguments::from_args(), Vec::new()).exit_code()
}
